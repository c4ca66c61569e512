"""The regression corpus: recorded results of calls of the public interface."""

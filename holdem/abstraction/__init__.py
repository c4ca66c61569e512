"""Card abstraction: strengths, numberings and buckets of all hands of a street."""

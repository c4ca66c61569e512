"""Compiled inner loops. They trust their arguments; the modules above check and prepare."""

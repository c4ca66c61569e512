"""Whole hands: dealing, statistics and files."""

"""Deals drawn as rows of precomputed tables of hole cards and partial boards."""

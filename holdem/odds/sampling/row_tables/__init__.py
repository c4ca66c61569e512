"""Deals drawn as rows of precomputed tables: one or two lists of holes, and partial boards."""

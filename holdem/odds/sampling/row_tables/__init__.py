"""Sampling of deals from rows of precomputed tables of hole cards and partial boards."""

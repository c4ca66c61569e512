"""Exact equity of two ranges, by one pass over the combos on each complete board."""

"""Exact equity of three ranges, by inclusion-exclusion over the cards that opponents share."""

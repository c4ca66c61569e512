"""Exact equity by counting the match-ups of known hands one by one over all boards."""

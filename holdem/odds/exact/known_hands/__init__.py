"""Exact equity of known hands, by counting the winners of each match-up over all boards."""

"""Exact equity of two players before the flop, from a precomputed table."""

"""Two players before the flop: equity from a precomputed table."""

"""Equity: spots, plans, exact and sampled methods, and results."""

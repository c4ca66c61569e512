"""Equity calculation: spots, plans, exact and sampled methods, and results."""

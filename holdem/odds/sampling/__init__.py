"""Sampled equity: drawing deals, Monte Carlo runs, estimates and their intervals."""

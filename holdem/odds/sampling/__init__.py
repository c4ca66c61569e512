"""Sampled equity: the drawing of deals, Monte Carlo runs, estimates and confidence intervals."""

"""Estimation of equity by Monte Carlo sampling, with confidence intervals."""

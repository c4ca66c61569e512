"""Exact equity: one package for each method, its kernels beside it."""

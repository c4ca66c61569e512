"""Exact equity: one package for each method, with its kernels."""

"""Exact equity: the methods, each with its kernels, and the code they share."""

"""Exact equity: the methods, one subpackage each, and the code they share."""

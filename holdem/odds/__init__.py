"""Equity: the question (spot), the choice of a method (plan), the methods, the result."""

"""Parsers under random input: the targets, the limits and the saved corpus."""

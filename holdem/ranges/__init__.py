"""Ranges: the language they are written in, `Range` itself, and the list of starting hands."""

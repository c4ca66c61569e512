"""Ranges of starting hands: `Range`, the range language, and the order of starting hands."""

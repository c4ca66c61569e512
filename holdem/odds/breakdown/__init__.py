"""Breakdowns of a result's equity: tables by class, by category and by next card."""

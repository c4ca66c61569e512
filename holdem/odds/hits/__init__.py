"""Hits: the made hands and draws of a range on a board, and its categories to come."""

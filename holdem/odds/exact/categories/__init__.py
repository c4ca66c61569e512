"""Exact outcomes of each player by the category of the hand at showdown."""

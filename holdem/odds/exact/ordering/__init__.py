"""Ranking and ordering of combos by strength on each board."""

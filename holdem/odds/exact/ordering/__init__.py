"""Combos ranked and sorted by strength on a board."""

"""Combos ranked and ordered by strength on a board."""

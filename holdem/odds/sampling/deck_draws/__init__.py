"""Sampling of deals card by card: some hole cards from weighted lists, all other cards from the
deck.
"""

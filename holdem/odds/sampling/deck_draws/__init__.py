"""Deals drawn card by card: holes from weighted lists, the rest from the deck."""

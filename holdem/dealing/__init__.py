"""Dealing: seeds, random streams and decks."""

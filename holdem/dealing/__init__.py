"""Dealing: seeds and random streams, decks, and the order of a deal."""

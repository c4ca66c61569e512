"""Dealing: seeds, random streams and decks.

`seeds` draws seeds and turns them into random streams; `deck` contains `Deck`, a deck to deal from.
"""

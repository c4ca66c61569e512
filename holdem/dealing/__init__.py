"""Dealing: seeds, random streams and decks.

`seeds` draws seeds and turns them into random streams; `deck` is the `Deck` of a single hand.
"""

"""Dealing: seeded random streams, a deck of cards, and the order of a deal at the table."""

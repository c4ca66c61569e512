"""Suit isomorphism: suit permutations, canonical boards and match-ups."""

"""Hands that were played, and pots that are settled by equity.

`played_hand` contains `PlayedHand`, with its equities by street, and divides pots between the best
hands. `settlement` divides pots by equity.
"""

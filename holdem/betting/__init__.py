"""Hands with betting: the rules, one hand step by step, and pots that are settled by equity.

`rulebook` has the rules as functions, which are compiled for many games and run as plain Python in
`rounds` for one. `stakes` turns arguments into the numbers of the rules. `game` is `Game`, with the
cards. `played_hand` contains `PlayedHand`, a hand that was played or read from a log, with its
equities by street, and `phh` writes it; `settlement` divides pots by equity.
"""

"""Hand histories: hands that were played, pots settled by equity, and the luck of players.

`sources` finds hands in files, folders and archives, and `reading` reads them. `phh` and
`pokerstars` each read one hand of their format, and find what each seat won; `replay` follows the
chips of a hand, and computes its pots. `played_hand` contains `PlayedHand`, the hand that was read,
with its equities by street, and divides pots between the best hands. `settlement` divides pots by
equity, and `luck` adds up what players won, and what they would have won by equity.
"""

"""Hand histories: hands that were played, pots settled by equity, and luck with its error.

`sources` finds hands in files, folders and archives, and `reading` reads them; `phh` and
`pokerstars` read one hand of a format each, and find what each seat won; `replay` follows the chips
and makes the pots. `played_hand` is the result, with the equities by street, and divides pots
between the best hands; `settlement` divides pots by equity, and `luck` adds up what players won,
and what they would have won by equity.
"""

"""Hand histories: hands that were played, pots settled by equity, and luck with its error.

`settle` divides pots by equity over all runouts. `reading` finds hands in files, folders and
archives, and `processes` shares them out; `phh` and `pokerstars` read one hand each, and `replay`
follows its chips. `luck` adds up what the players won, and what they would have won by equity.
"""

"""How much is a kicker worth?
============================

Ace-x against ace-y before the flop, offsuit, from the exact table. A kicker of ten or more beats
any lower one about seven times in ten, however much lower it is. Between two low kickers ties are
frequent, since the board often has better ones.
"""

import matplotlib.pyplot as plt

import holdem

matrix = holdem.equity_matrix("A2o+", "A2o+", by="class")
for name, row in zip(matrix.rows, matrix.equity, strict=True):
    worst, best = min(row), max(row)
    print(f"{name}: {worst:.1%} to {best:.1%}")

matrix.plot()
plt.show()

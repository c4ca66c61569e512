"""How much is a kicker worth?
============================

Ace-x against ace-y before the flop, offsuit, from the exact table. A kicker of ten or more beats
any lower one about seven times in ten, however much lower it is. Between two low kickers ties are
frequent, since the board often has better ones.
"""

import holdem

matrix = holdem.equity_matrix("A2o+", "A2o+", by="class")
for name, row in zip(matrix.rows, matrix.equity, strict=True):
    worst, best = min(row), max(row)
    print(f"{name}: {worst:.1%} to {best:.1%}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

ax = matrix.plot()
ten_nine = 100 * matrix.equity[matrix.rows.index("ATo"), matrix.columns.index("A9o")]
ax.figure.suptitle(f"A ten beats a nine as kicker: A-T has {ten_nine:.0f} %", fontsize=9)
plt.show()

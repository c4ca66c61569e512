"""How is the equity of two ranges distributed?
=============================================

Two ranges may have about the same equity on a flop and quite different hands. Each curve has the
combos of a range, best first. The raiser has a larger share of strong hands.
"""

import holdem

BOARD = "Kc8d3h"
RAISER = "22+, A2s+, K9s+, Q9s+, J9s+, T8s+, 97s+, 86s+, 76s, 65s, ATo+, KJo+, QJo"
CALLER = "22-JJ, A2s-AJs, K9s-KQs, QTs+, JTs, T9s, 98s, 87s, 76s, AJo, KQo"

result = holdem.equity(RAISER, CALLER, board=BOARD)
for player, name in zip(result.players, ("raiser", "caller"), strict=True):
    combos = player.by_combo
    strong = combos.weight[combos.equity > 0.8].sum() / combos.weight.sum()
    print(f"{name}: {player.equity:.1%}, {strong:.0%} of the combos have more than 80 % equity")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

ax = result.plot(by="combo")
ax.figure.suptitle("The raiser holds more of the strong hands", fontsize=9)
plt.show()

"""How is the equity of two ranges distributed?
=============================================

Two ranges may have about the same equity on a flop and quite different hands. Each curve has the
combos of a range, best first. The raiser has more strong hands; the caller has few weak ones.
"""

import matplotlib.pyplot as plt
import numpy as np

import holdem

BOARD = "Kc8d3h"
RAISER = "22+, A2s+, K9s+, Q9s+, J9s+, T8s+, 97s+, 86s+, 76s, 65s, ATo+, KJo+, QJo"
CALLER = "22-JJ, A2s-AJs, K9s-KQs, QTs+, JTs, T9s, 98s, 87s, 76s, AJo, KQo"

result = holdem.equity(RAISER, CALLER, board=BOARD)
fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for player, name in zip(result.players, ("raiser", "caller"), strict=True):
    combos = player.by_combo
    order = np.argsort(-combos.equity)
    weight = combos.weight[order] / combos.weight.sum()
    equity = 100 * combos.equity[order]
    strong = weight[equity > 80].sum()
    print(f"{name}: {player.equity:.1%}, {strong:.0%} of the combos have more than 80 % equity")
    ax.step(100 * weight.cumsum(), equity, label=f"{name}, {player.equity:.1%}")
ax.set(xlabel="combos of the range, best first, %", ylabel=f"equity on {BOARD}, %", ylim=(0, 100))
ax.legend()
plt.show()

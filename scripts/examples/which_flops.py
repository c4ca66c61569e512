"""Which flops favour which range?
================================

The equity of an early raiser's range against a caller in the big blind, on flops dealt at random.
High cards favour the raiser, low and connected ones the caller.
"""

import sys

import numpy as np

import holdem

FLOPS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
RAISER = "55+, A9s+, A5s, KTs+, QTs+, JTs, T9s, AJo+, KQo"
CALLER = "22-TT, A2s-AJs, K8s+, Q9s+, J9s+, T8s+, 97s+, 86s+, 75s+, 65s, 54s, ATo-AQo, KTo+"

flops = [hand.board[:3] for hand in holdem.simulate(players=2, hands=FLOPS, seed=1)]
table = holdem.equities(RAISER, CALLER, board=["".join(map(str, flop)) for flop in flops])
equity = 100 * table.equity[:, 0]
order = equity.argsort()
for name, place in (("worst", order[0]), ("median", order[FLOPS // 2]), ("best", order[-1])):
    print(f"{name}: {equity[place]:.1f} % on {' '.join(map(str, flops[place]))}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
fig, ax = plt.subplots()
high = np.array([max(card.rank for card in flop) for flop in flops])
suits = np.array([len({card.suit for card in flop}) for flop in flops])
for count, name in ((3, "three suits"), (2, "two suits"), (1, "one suit")):
    found = suits == count
    ax.scatter(high[found] + (2 - count) / 4, equity[found], s=6, label=name)
ax.set_xticks(range(13), list("23456789TJQKA"))
ax.set(xlabel="highest card of the flop", ylabel="raiser's equity, %")
aces = equity[high == 12].mean() - equity[high < 8].mean()
ax.set_title(f"Aces on the flop: {aces:.0f} points more for the raiser than low cards", fontsize=9)
ax.legend(markerscale=2)
plt.show()

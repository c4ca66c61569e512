"""What beats aces?
================

Aces against connected cards and pairs, before the flop, from the exact table. Middle suited
connectors come closest. Ace-king, of which the aces leave only two, does worst.
"""

from itertools import pairwise

import holdem

RANKS = "23456789TJQKA"
CONNECTED = [high + low for low, high in pairwise(RANKS)]
KINDS = {
    "suited": [name + "s" for name in CONNECTED],
    "offsuit": [name + "o" for name in CONNECTED],
    "pairs": [2 * rank for rank in RANKS[:-1]],
}

found, curves = {}, {}
for kind, names in KINDS.items():
    equity = [100 * holdem.equity(name, "AA").equities[0] for name in names]
    best = max(zip(equity, names, strict=True))
    worst = min(zip(equity, names, strict=True))
    print(f"{kind}: {best[1]} {best[0]:.1f} %, {worst[1]} {worst[0]:.1f} %")
    found[kind], curves[kind] = best, equity

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
fig, ax = plt.subplots()
for (kind, equity), marker in zip(curves.items(), "os^", strict=True):
    ax.plot(equity, marker=marker, label=kind)
ax.set_xticks(range(12), [f"{name}\n{name[0] * 2 if name[0] != 'A' else ''}" for name in CONNECTED])
ax.set(xlabel="hand", ylabel="equity against aces, %", ylim=(0, None))
best, name = max(found.values())
ax.set_title(f"Aces are in most danger from {name}: {best:.1f} %")
ax.legend(ncols=3)
plt.show()

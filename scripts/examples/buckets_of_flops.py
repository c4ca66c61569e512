"""Which hands live together on the flop?
======================================

All hands on all flops in 200 buckets, by the distributions of their equities on the river. A draw
shares its bucket with other draws, not with the made hands of the same equity.
"""

import sys

import numpy as np

import holdem
import holdem_abstraction

BUCKETS = int(sys.argv[1]) if len(sys.argv) > 1 else 200

found = holdem_abstraction.card_abstraction("flop", BUCKETS, by="histogram", bins=25, seed=7)
row = len(found.boards) // 2
board = " ".join(str(holdem.Card(card)) for card in found.boards[row].tolist())
spread = found.histogram @ np.square((np.arange(25) + 0.5) / 25) - found.equity**2
middle = np.flatnonzero(abs(found.equity - 0.5) < 0.1)
middle = middle[np.isin(middle, found.buckets[row])]
print(f"on {board}, with equities near one half:")
for name, bucket in (
    ("made", middle[spread[middle].argmin()]),
    ("draws", middle[spread[middle].argmax()]),
):
    hands = holdem.Range.from_weights(found.buckets[row] == bucket)
    print(f"{name}: bucket {bucket}, equity {found.equity[bucket]:.1%}: {hands}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
found.plot()
plt.show()

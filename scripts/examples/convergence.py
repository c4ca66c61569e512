"""How fast does a sample converge?
=================================

The estimate of one run, stopped after more and more deals with the same seed, beside the exact
equity. The band is the 95 % confidence interval: a hundred times as many deals make it a tenth as
wide.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import holdem

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000

exact = holdem.equity("AsKs", "QdQh").players[0].equity
counts = np.geomspace(100, DEALS, 25).astype(int)
runs = [
    holdem.equity("AsKs", "QdQh", deals=int(count), seed=3, method="monte-carlo").players[0]
    for count in counts
]
estimate = [run.equity for run in runs]
low, high = np.transpose([run.ci95 for run in runs])
inside = np.mean((low <= exact) & (exact <= high))
print(f"exact {exact:.4%}; after {counts[-1]:,} deals {estimate[-1]:.4%}")
print(f"{inside:.0%} of the intervals contain the exact equity")

fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
ax.fill_between(counts, 100 * low, 100 * high, alpha=0.25, label="95 % interval")
ax.semilogx(counts, 100 * np.array(estimate), "o-", markersize=3, label="estimate")
ax.axhline(100 * exact, color="black", linewidth=0.8, label="exact")
ax.set(xlabel="deals", ylabel="equity of A♠K♠ against Q♦Q♥, %")
ax.legend()
plt.show()

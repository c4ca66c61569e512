"""How fast does a sample converge?
=================================

The estimate of one run after more and more deals, with its 95 % confidence interval, beside the
exact equity. A hundred times as many deals make the interval a tenth as wide.
"""

import sys

import holdem

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000

exact = holdem.equity("AsKs", "QdQh").equities[0]
result = holdem.equity("AsKs", "QdQh", deals=DEALS, seed=3, method="monte-carlo")
print(f"exact {exact:.4%}; after {result.deals:,} deals {result.equities[0]:.4%}")
table = result.convergence
inside = (table.low[:, 0] <= exact) & (exact <= table.high[:, 0])
print(f"{inside.mean():.0%} of the intervals on the way contain the exact equity")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

ax = result.plot(by="convergence", player=0)
ax.axhline(100 * exact, color="black", linewidth=0.8)
ax.figure.suptitle(f"{inside.mean():.0%} of the intervals hold the exact {exact:.2%}", fontsize=9)
plt.show()

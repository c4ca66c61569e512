"""How much is it worth to be suited?
===================================

The equity of each suited starting hand against a random one, less that of the same two ranks
offsuit. Hands that win without improving gain least; low connected ones gain most, since most of
what they win is made on the board.
"""

import numpy as np

import holdem

RANKS = "AKQJT98765432"
gain = np.full((13, 13), np.nan)
for row, high in enumerate(RANKS):
    for column, low in enumerate(RANKS[row + 1 :], row + 1):
        suited, offsuit = (
            holdem.equity(f"{high}{low}{kind}", "random").equities[0] for kind in "so"
        )
        gain[row, column] = 100 * (suited - offsuit)
best, worst = np.nanargmax(gain), np.nanargmin(gain)
for name, place in (("most", best), ("least", worst)):
    row, column = divmod(int(place), 13)
    print(f"{name}: {RANKS[row]}{RANKS[column]}, {gain[row, column]:.2f} percentage points")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
fig, ax = plt.subplots(figsize=(4.5, 3.9))
ax.grid(visible=False)
image = ax.imshow(gain, cmap="viridis")
for (row, column), value in np.ndenumerate(gain):
    if not np.isnan(value):
        colour = "white" if value < 3 else "black"
        ax.text(column, row, f"{value:.1f}", ha="center", va="center", fontsize=9, color=colour)
ax.set_xticks(range(13), list(RANKS))
ax.set_yticks(range(13), list(RANKS))
ax.set(xlabel="lower card", ylabel="higher card")
row, column = divmod(int(best), 13)
ax.set_title(f"A suit helps {RANKS[row]}{RANKS[column]} most: {gain[row, column]:.1f} points")
fig.colorbar(image, label="gain from being suited, percentage points")
plt.show()

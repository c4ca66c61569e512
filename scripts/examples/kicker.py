"""How much is a kicker worth?
============================

Ace-x against ace-y before the flop, offsuit, from the exact table. A kicker of ten or more beats
any lower one about seven times in ten, however much lower it is. Between two low kickers ties are
frequent, since the board often has better ones.
"""

import matplotlib.pyplot as plt

import holdem

KICKERS = "KQJT98765432"
HANDS = [f"A{kicker}o" for kicker in KICKERS]

equity = [[100 * holdem.equity(row, column).equities[0] for column in HANDS] for row in HANDS]
for name, row in zip(HANDS, equity, strict=True):
    print(f"{name}: {row[0]:.1f} % against AKo, {row[5]:.1f} % against A8o")

fig, ax = plt.subplots(figsize=(6, 5), layout="constrained")
image = ax.imshow(equity, cmap="RdBu", vmin=0, vmax=100)
for row in range(12):
    for column in range(12):
        ax.text(column, row, f"{equity[row][column]:.0f}", ha="center", va="center", fontsize=8)
ax.set_xticks(range(12), list(KICKERS))
ax.set_yticks(range(12), list(KICKERS))
ax.set(xlabel="opponent's kicker", ylabel="kicker")
fig.colorbar(image, label="equity, %")
plt.show()

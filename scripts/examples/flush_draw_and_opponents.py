"""What is a flush draw worth against many opponents?
===================================================

The nut flush draw on a flop against one to eight random hands. Its equity falls, but more slowly
than the fair share of one over the number of players: the more opponents pay, the more a draw to
the best hand is worth.
"""

import sys

import holdem

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000

opponents = range(1, 9)
equity, error, made_hand = [], [], []
for count in opponents:
    others = ["random"] * count
    draw = holdem.equity("Ah5h", *others, board="Kh8h3c", deals=DEALS, seed=1, method="monte-carlo")
    pair = holdem.equity("Ac8c", *others, board="Kh8h3c", deals=DEALS, seed=1, method="monte-carlo")
    equity.append(100 * draw.equities[0])
    error.append(196 * draw.stderrs[0])
    made_hand.append(100 * pair.equities[0])
    print(f"{count} opponents: draw {equity[-1]:.1f} %, second pair {made_hand[-1]:.1f} %")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
fig, ax = plt.subplots()
ax.errorbar(opponents, equity, error, marker="o", label="A♥5♥, nut flush draw")
ax.plot(opponents, made_hand, "s-", label="A♣8♣, second pair")
ax.plot(opponents, [100 / (count + 1) for count in opponents], "k:", label="fair share")
ax.set(xlabel="random opponents on K♥8♥3♣", ylabel="equity, %", ylim=(0, None))
more = equity[-1] / (100 / 9)
ax.set_title(f"Against eight, the draw has {more:.1f} times its fair share")
ax.legend()
plt.show()

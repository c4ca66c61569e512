"""How often does the best starting hand win, against how many players?
=======================================================================

Everyone stays in to the showdown, so only the cards matter. The best starting hand is the one with
the highest equity against one random hand. It beats one opponent more often than not, loses more
often than it wins from three players on, and always wins more than its fair share.

    python scripts/examples/best_starting_hand.py [HANDS]
"""

import sys

import holdem

HANDS = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000

print(f"{HANDS:,} hands each, seed 7\n")
print("players     win     tie    lose   fair share")
counts = range(2, 11)
found = [
    holdem.aggregate(players=players, hands=HANDS, seed=7).best_starting_hand for players in counts
]
for players, best in zip(counts, found, strict=True):
    print(f"{players:7}  {best.win:6.1%}  {best.tie:6.1%}  {best.lose:6.1%}  {1 / players:11.1%}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
fig, ax = plt.subplots()
for name in ("win", "tie", "lose"):
    ax.plot(counts, [100 * getattr(best, name) for best in found], "o-", label=name)
ax.plot(counts, [100 / players for players in counts], "k:", label="fair share")
ax.set(xlabel="players", ylabel="showdowns, %", ylim=(0, None))
losing = next(count for count, best in zip(counts, found, strict=True) if best.lose > best.win)
ax.set_title(f"With {losing} players or more, the best hand mostly loses")
ax.legend()
plt.show()

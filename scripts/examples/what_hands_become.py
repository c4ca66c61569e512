"""How often does a hand become a flush?
======================================

What starting hands are at the river, over all boards: the exact chance of each category. Suited
cards make a flush once in sixteen times, offsuit ones once in fifty.
"""

import holdem

HANDS = ("76s", "76o", "AKs", "77", "72o")

chances = {hand: holdem.hits(hand).by_river for hand in HANDS}
for hand, by_river in chances.items():
    print(f"{hand}: flush {by_river['flush']:.2%}, straight {by_river['straight']:.2%}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

plt.style.use("holdem.report.plots.holdem")
fig, ax = plt.subplots()
left = dict.fromkeys(HANDS, 0.0)
for category in chances["76s"]:
    width = [100 * chances[hand][category] for hand in HANDS]
    colour = plt.get_cmap("tab10")(len(ax.containers))
    ax.barh(HANDS, width, left=list(left.values()), label=category, color=colour)
    left = {hand: left[hand] + share for hand, share in zip(HANDS, width, strict=True)}
ax.invert_yaxis()
ax.set(xlabel="share of all boards, %", xlim=(0, 100))
more = chances["76s"]["flush"] / chances["76o"]["flush"]
ax.set_title(f"Suited cards make a flush {more:.1f} times as often")
fig.legend(loc="outside lower center", ncols=3)
plt.show()

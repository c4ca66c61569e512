"""Which turn cards are good?
===========================

Each card that can come, and the equity of a flush draw with an overcard once it has come. Nine
hearts complete the flush; three aces help less, since the opponent may hold one.
"""

import holdem

result = holdem.equity("Ah9h", "QQ+, AKs, KQs, QJs, 77, 22", board="Qh7h2c")
cards = result.by_next_card
print(f"on the flop: {result.equities[0]:.1%}")
hero = sorted(cards, key=lambda record: record.equity[0], reverse=True)
for record in (*hero[:3], *hero[-3:]):
    print(f"{record.card}: {record.equity[0]:.1%}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

cards.plot()
best = hero[0]
plt.suptitle(f"{best.card} is the best turn: {best.equity[0]:.0%}", fontsize=9)
plt.show()

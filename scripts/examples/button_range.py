"""What does a button range look like?
====================================

The hands that a player opens on the button, as the 13×13 grid: suited hands above the diagonal,
offsuit ones below, pairs on it. On the right, the equity of each class against a big blind that
defends a third of its hands.
"""

import holdem

BUTTON = holdem.Range(
    "22+, A2s+, K2s+, Q4s+, J6s+, T6s+, 96s+, 85s+, 75s+, 64s+, 54s,"
    " A2o+, K8o+, Q9o+, J9o+, T8o+, 98o"
)
BLIND = holdem.Range.from_percent(33)

print(f"the button opens {BUTTON.share:.1%} of all hands")
player = holdem.equity(BUTTON, BLIND).players[0]
strong = [record.name for record in player.by_class if (record.equity or 0.0) > 0.6]
print(f"equity {player.equity:.1%}; above 60 %: {', '.join(strong)}")

import matplotlib.pyplot as plt  # for the chart: pip install matplotlib

fig, (left, right) = plt.subplots(1, 2, figsize=(8, 4.4), layout="constrained")
BUTTON.plot(ax=left)
player.by_class.plot(ax=right)
fig.suptitle(f"A button range of {BUTTON.share:.0%} has {player.equity:.1%} against the big blind")
plt.show()

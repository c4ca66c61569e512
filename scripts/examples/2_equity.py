"""What is ace-king worth against queens or better?
================================================

Compute equities: exact where that is fast, with an interval where it has to be sampled.
"""

import holdem

for board in ("", "Td9d2c", "Td9d2c7s"):
    result = holdem.equity("AsKs", "QQ+", board=board)
    print(f"{board or 'before the flop':15} {result.equities[0]:.2%}, {result.deals:,} deals")

print("the best cards to come on Td9d2c:")
cards = holdem.equity("AsKs", "QQ+", board="Td9d2c").by_next_card
for record in sorted(cards, key=lambda record: -record.equity[0])[:3]:
    print(f"{record.card}  {record.equity[0]:.2%}")

table = holdem.equity("AsKs", "QQ+", *["random"] * 4, stderr=0.001, seed=1)
low, high = table.players[0].ci95
print(f"with four others at the table: {low:.1%} to {high:.1%}")

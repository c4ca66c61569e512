"""How do you add an evaluator of your own?
========================================

Write a function from five cards to a number. The engine proves it by the rules, and then uses it.
"""

import holdem


@holdem.register
@holdem.evaluator("mine")
def mine(cards: tuple[int, ...]) -> int:
    ranks = [card // 4 for card in cards]
    order = sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True)
    order = [3, 2, 1, 0, -1] if order == [12, 3, 2, 1, 0] else order  # an ace may be low
    equal = sum(map(ranks.count, ranks))  # 5, with a pair 7, then 9, 11, 13, and 17 with four
    straight, flush = order[0] - order[4] == 4 and equal == 5, len({c % 4 for c in cards}) == 1
    kind = max(2 * equal, 23 * straight, 24 * flush, 35 * (straight and flush))
    return int(kind * 13**5 + sum(rank * 13**at for at, rank in enumerate(order[::-1])))


print(holdem.evaluate("7s 7h 7d As Ac 2c 9d", evaluator="mine").name)
print(holdem.equity("AsKs", "QdQh", evaluator="mine"))

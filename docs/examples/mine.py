import holdem


@holdem.evaluator("eleven-lines")
def eleven_lines(cards):
    """The rule book in eleven lines; a card is an id 0..51, 4 * rank + suit."""
    ranks = [card // 4 for card in cards]
    shape, order = zip(*sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True))
    if order == (12, 3, 2, 1, 0):  # in a wheel the ace is low
        order = (3, 2, 1, 0, -1)
    flush = len({card % 4 for card in cards}) == 1
    straight = len(order) == 5 and order[0] - order[4] == 4
    kinds = {(2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
    strength = max(kinds.get(shape, 0), 4 * straight, 5 * flush, 8 * (straight and flush))
    for rank in (*order, 0, 0, 0)[:5]:
        strength = 13 * strength + rank
    return strength

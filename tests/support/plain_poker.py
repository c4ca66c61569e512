"""A plain second opinion on rules of one's own, which shares no code with the engine.

Cards are text, and every hand is ranked by looking at its five cards.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product


class PlainGame:
    """A game by its ranks, lowest first, and its categories, weakest first."""

    def __init__(self, ranks, categories):
        self.ranks = ranks
        self.categories = list(categories)
        self.deck = [rank + suit for rank in ranks for suit in "cdhs"]
        self._known = {}

    def classify(self, five):
        """Return the category of five cards and the ranks that decide, by their places."""
        places = [self.ranks.index(rank) for rank, _ in five]
        counts = Counter(places)
        deciding = sorted(counts, key=lambda place: (counts[place], place), reverse=True)
        suited = len({suit for _, suit in five}) == 1
        shape = sorted(counts.values())
        if shape == [1, 1, 1, 1, 1]:
            ace = len(self.ranks) - 1
            wheel = sorted(places) == [0, 1, 2, 3, ace] and len(self.ranks) > 5
            if wheel or max(places) - min(places) == 4:
                top = 3 if wheel else max(places)
                return "straight flush" if suited else "straight", [top]
            return "flush" if suited else "high card", deciding
        names = {
            (1, 1, 1, 2): "pair",
            (1, 2, 2): "two pair",
            (1, 1, 3): "three of a kind",
            (2, 3): "full house",
            (1, 4): "four of a kind",
        }
        return names[tuple(shape)], deciding

    def rank(self, five):
        """Return something that compares as five cards do."""
        five = tuple(sorted(five))
        if five not in self._known:
            category, deciding = self.classify(five)
            self._known[five] = (self.categories.index(category), deciding)
        return self._known[five]

    def best(self, cards):
        """Return the rank of the best five of the cards."""
        return max(self.rank(five) for five in combinations(cards, 5))

    def count(self, players, board=(), dead=()):
        """Count each player's (wins, ties, losses) over all deals.

        Args:
            players: for each player a list of pairs of cards.
            board: 0 to 5 cards.
            dead: cards out of play.
        """
        totals = [[0, 0, 0] for _ in players]
        for holes in product(*players):
            held = [card for hole in holes for card in hole]
            gone = {*held, *board, *dead}
            if len(gone) < len(held) + len(board) + len(dead):
                continue
            left = [card for card in self.deck if card not in gone]
            for runout in combinations(left, 5 - len(board)):
                ranks = [self.best((*hole, *board, *runout)) for hole in holes]
                won = [rank == max(ranks) for rank in ranks]
                for total, at_top in zip(totals, won, strict=True):
                    total[2 if not at_top else int(sum(won) > 1)] += 1
        return totals

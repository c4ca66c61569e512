"""A plain second opinion on rules of one's own, which shares no code with the engine.

Cards are text, and every hand is ranked by looking at its five cards.
"""

from __future__ import annotations

import random
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

    def shuffled(self, seed):
        """Return the deck, shuffled."""
        return random.Random(seed).sample(self.deck, len(self.deck))

    def rank(self, five):
        """Return something that compares as five cards do; cards in any order."""
        return self._rank(tuple(sorted(five)))

    def _rank(self, five):
        if five not in self._known:
            category, deciding = self.classify(five)
            self._known[five] = (self.categories.index(category), deciding)
        return self._known[five]

    def best(self, cards):
        """Return the rank of the best five of the cards."""
        return max(map(self._rank, combinations(sorted(cards), 5)))

    def count(self, players, board=(), dead=()):
        """Count each player's [wins, ties, losses] over all deals.

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


def draw_spots(game, count, seed):
    """Draw spots of a game: two or three players with one to three hands each, a board, dead cards.

    One board in ten is empty or a flop, with so many dead cards before the flop that few are left
    to come; most hands come from few cards, so that they block each other.

    Yields:
        The players, each a list of pairs of cards; the board; the dead cards.
    """
    drawing = random.Random(seed)
    for number in range(count):
        cards = game.shuffled(drawing.random())
        size = (0, 3, 3, 4, 4, 4, 4, 5, 5, 5)[number % 10]
        players = drawing.choice((2, 2, 3)) if size else 2
        board, rest = cards[:size], cards[size:]
        dead = rest[: len(rest) - 10] if not size else rest[: drawing.randrange(3)]
        pool = rest[len(dead) :][: 2 * players + drawing.randrange(3)]
        pairs = list(combinations(pool, 2))
        while True:
            hands = [drawing.sample(pairs, drawing.choice((1, 1, 2, 3))) for _ in range(players)]
            if any(len({*sum(holes, ())}) == 2 * players for holes in product(*hands)):
                break
        yield hands, board, dead

"""Spots for tests of exact methods, drawn at random, and methods run on them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from holdem.errors import SpotError
from holdem.jobs.workers import Workers
from holdem.odds.spot import make_spot
from holdem.odds.tally import outcomes, winner_sets
from holdem.ranges.combos import COMBO_CARDS
from holdem.ranges.range import Range
from naive import count_winners


def spot_of(weights, board=(), dead=(), evaluator=None):
    """Return the spot with the weights of each player, float64 (player, 1326)."""
    ranges = tuple(Range.from_weights(own) for own in weights)
    return make_spot(ranges, board, dead, evaluator)


def run_method(method):
    """Run an exact method and return its totals."""
    method.prepare()
    for task in method.tasks():
        method.add(task.call(Workers(1)))
    return method.totals()


def _expected(counts, player, others):
    """Return (wins, ties, losses, shares) of each combo of a player, as fractions.

    Args:
        counts: int64 (winner set, one, two, three or more).
        player: from 0.
        others: the weights of the others, as lists of fractions.
    """
    counts = np.moveaxis(counts, player + 1, 1)
    sums = [[Fraction(0)] * counts.shape[1] for _ in range(4)]
    players = len(others) + 1
    for winners, combo, *held in zip(*(axis.tolist() for axis in np.nonzero(counts)), strict=True):
        deals = int(counts[winners, combo, *held])
        deals *= prod(own[n] for own, n in zip(others, held, strict=True))
        outcome = int(np.argmax(outcomes(players)[:, player, winners]))
        sums[outcome][combo] += deals
        if winner_sets(players)[player, winners]:
            sums[3][combo] += deals / winners.bit_count()
    return list(zip(*sums, strict=True))


def check_totals(methods, weights, board, dead, tolerance=Fraction(0)):
    """Compare all players' totals with those of plain enumeration; return the number of deals.

    Shares of three-way ties are not doubles and are rounded once. `tolerance` is relative to
    the combo's deals. `methods` make exact methods of a spot.
    """
    players = [np.flatnonzero(own) for own in weights]
    counts = count_winners(players, board, dead)
    if counts.sum() == 0:
        with pytest.raises(SpotError):
            spot_of(weights, board, dead)
        return 0
    exact = [
        [Fraction(float(weight)) for weight in own[combos]]
        for own, combos in zip(weights, players, strict=True)
    ]
    spot = spot_of(weights, board, dead)
    found = [own for method in methods for own in enumerate(run_method(method(spot)))]
    for player, sums in found:
        others = [exact[other] for other in range(len(exact)) if other != player]
        expected = {
            combo: figures
            for combo, figures in zip(
                players[player].tolist(), _expected(counts, player, others), strict=True
            )
            if sum(figures[:3]) > 0
        }
        assert list(expected) == sums.combos.tolist()
        for place, figures in enumerate(expected.values()):
            allowed = tolerance * sum(figures[:3])
            for name, right in zip(("wins", "ties", "losses", "shares"), figures, strict=True):
                value = Fraction(float(getattr(sums, name)[place]))
                rounding = right * Fraction(1, 2**53) if name == "shares" else 0
                assert abs(value - right) <= max(allowed, rounding), (name, value, right)
    return counts.sum()


def generate_spots(count, players, size, seed):
    """Generate weights of 0 and 1, a board of `size` cards and dead cards.

    Combos come from a few cards, so that ranges overlap and block each other; one spot in
    three has a deck of two suits only (flushes), one in three of the nine lowest ranks.
    """
    rng = np.random.default_rng(seed)
    decks = [np.arange(52), np.flatnonzero(np.arange(52) & 3 < 2), np.arange(36)]
    for number in range(count):
        cards = rng.permutation(decks[number % 3])
        board = cards[:size].tolist()
        most = 11 if size else 2 * players + 3
        pool = cards[size : size + int(rng.integers(2 * players + 1, most))]
        outside = np.setdiff1d(np.arange(52), [*board, *pool])
        if size == 0:  # all boards are run: leave few
            dead = rng.choice(outside, 52 - len(pool) - int(rng.integers(4, 6)), replace=False)
        else:
            dead = rng.choice(np.arange(52), int(rng.integers(0, 8)), replace=False)
        dead = [card for card in dead.tolist() if card not in board]
        inside = np.flatnonzero(np.isin(COMBO_CARDS, pool).all(axis=1))
        weights = np.zeros((players, 1326))
        for own in weights:
            own[rng.choice(inside, int(rng.integers(1, len(inside))), replace=False)] = 1.0
        yield weights, tuple(board), tuple(dead)


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

"""Exact methods run on weights, and the same deals counted by plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import phevaluator

from holdem.cards import DECK_SIZE, card_set
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.jobs.workers import Workers
from holdem.odds.spot import make_spot
from holdem.odds.symmetry import list_canonical_boards
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS
from holdem.ranges.range import Range

WIN, TIE, LOSS = range(3)


def strengths_on_boards(combos, board, dead):
    """Yield the strengths of combos on each complete board, -1 for blocked combos."""
    gone = set(board) | set(dead)
    rest = [card for card in range(52) if card not in gone]
    for runout in combinations(rest, 5 - len(board)):
        cards = (*board, *runout)
        free = (COMBO_SETS[combos] & np.uint64(card_set((*cards, *dead)))) == 0
        hands = np.empty((len(combos), 7), dtype=np.uint8)
        hands[:, :5], hands[:, 5:] = cards, COMBO_CARDS[combos]
        yield np.where(free, rank_batch(hands), -1)


def count_every_board(holes, gone=0):
    """Count the winners of match-ups before the flop, int64 (match-up, 2^players).

    Args:
        holes: uint8 (match-up, player, 2).
        gone: the set of dead cards.
    """
    players = holes.shape[1]
    counts = np.zeros((len(holes), 1 << players), dtype=np.int64)
    for row, own in enumerate(holes):
        taken = gone | card_set(own.ravel().tolist())
        deck = np.array([card for card in range(52) if not taken >> card & 1], dtype=np.uint8)
        boards = list_canonical_boards((), deck, np.zeros(1, dtype=np.intp)).cards
        hands = np.empty((len(boards), 7), dtype=np.uint8)
        hands[:, :5] = boards
        strengths = np.empty((players, len(boards)), dtype=np.int64)
        for player, hole in enumerate(own):
            hands[:, 5:] = hole
            strengths[player] = rank_batch(hands)
        at_top = strengths == strengths.max(axis=0)
        winners = (at_top << np.arange(players)[:, None]).sum(axis=0)
        counts[row] = np.bincount(winners, minlength=1 << players)
    return counts


def count_pairs(first, second, board, dead):
    """Return wins, ties and losses of each first combo, ``int64 (3, first, second)``."""
    counts = np.zeros((3, len(first), len(second)), dtype=np.int64)
    combos = np.concatenate([first, second])
    apart = (COMBO_SETS[first][:, None] & COMBO_SETS[second]) == 0
    for strengths in strengths_on_boards(combos, board, dead):
        mine, theirs = strengths[: len(first), None], strengths[None, len(first) :]
        both = apart & (mine >= 0) & (theirs >= 0)
        counts[WIN] += both & (mine > theirs)
        counts[TIE] += both & (mine == theirs)
        counts[LOSS] += both & (mine < theirs)
    return counts


def count_triples(players, board, dead):
    """Return the deals won by each set of players, ``int64 (8, one, two, three)``."""
    one, two, three = players
    counts = np.zeros((8, len(one), len(two), len(three)), dtype=np.int64)
    sets = [COMBO_SETS[combos] for combos in players]
    apart = (sets[0][:, None] & sets[1]) == 0
    apart = apart[:, :, None] & (((sets[0][:, None] | sets[1])[:, :, None] & sets[2]) == 0)
    combos = np.concatenate(players)
    for strengths in strengths_on_boards(combos, board, dead):
        a = strengths[: len(one), None, None]
        b = strengths[None, len(one) : len(one) + len(two), None]
        c = strengths[None, None, len(one) + len(two) :]
        all_in = apart & (a >= 0) & (b >= 0) & (c >= 0)
        best = np.maximum(np.maximum(a, b), c)
        winners = (a == best) + 2 * (b == best) + 4 * (c == best)
        for winner_set in range(1, 8):
            counts[winner_set] += all_in & (winners == winner_set)
    return counts


def weigh(counts, weights):
    """Return the exact sum of counts times weights: int64 (combo, opponent) -> (combo,)."""
    exact = [Fraction(float(weight)) for weight in weights]
    return [
        sum((int(count) * weight for count, weight in zip(row, exact, strict=True)), Fraction(0))
        for row in counts
    ]


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


def enumerate_pots(pots, holes, board, dead):
    """Return the exact expectation and variance of each seat's chips, lists of `Fraction`.

    On each runout, each pot of a whole number of chips goes to the best of its own seats.
    """
    known = [card for hole in holes if hole is not None for card in hole]
    deck = [card for card in range(DECK_SIZE) if card not in {*known, *board, *dead}]
    live = {seat for _, seats in pots for seat in seats}
    sums, squares, runouts = [0] * len(holes), [0] * len(holes), 0
    for runout in combinations(deck, 5 - len(board)):
        won = [0] * len(holes)  # in 1/2520 of a chip
        # The library counts down: 1 is a royal flush.
        ranks = {seat: phevaluator.evaluate_cards(*holes[seat], *board, *runout) for seat in live}
        for amount, seats in pots:
            best = min(ranks[seat] for seat in seats)
            winners = [seat for seat in seats if ranks[seat] == best]
            for seat in winners:
                won[seat] += 2520 * amount // len(winners)
        sums = [total + own for total, own in zip(sums, won, strict=True)]
        squares = [total + own * own for total, own in zip(squares, won, strict=True)]
        runouts += 1
    means = [Fraction(total, 2520 * runouts) for total in sums]
    return means, [
        Fraction(total, 2520 * 2520 * runouts) - mean * mean
        for total, mean in zip(squares, means, strict=True)
    ]

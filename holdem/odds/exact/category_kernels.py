"""Kernels that count each player's outcomes by the category of the hand.

Both add to sums ``float64 (player, category, players + 1)``: the weight of the deals in which a
player's hand has a category, by the number of players who share the best hand with that player,
the player included; 0 if the player loses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.jit.decorators import inlined, kernel
from holdem.jit.numba_extensions import popcount
from holdem.odds.exact.known_hands_kernels import (
    allocate_dealt,
    correct_many_for_flushes,
    count_many_by_ranks,
    deal_matchup,
    has_same_ranks,
)
from holdem.odds.exact.ranked_combos import BLOCKED

_ONE = np.uint64(1)


class _Counts(NamedTuple):
    """Counts of a match-up's boards, and the category of each strength."""

    of_strength: NDArray[np.uint8]
    """``uint8 (strength,)``."""
    boards: NDArray[np.int64]
    """As the sums, ``int64 (player, category, players + 1)``."""


@inlined
def _add_categories(
    ways: np.int64,
    winners: np.uint64,
    key: np.uint32,
    keys: NDArray[np.uint32],
    flushes: NDArray[np.uint16],
    counts: _Counts,
) -> None:
    """Add boards to the counts by each player's category and the number of winners.

    This is an argument of `count_many_by_ranks`.
    """
    for player in range(np.uint64(len(keys))):
        flush = flushes[player]
        value = flush if flush else rank_strength(np.uint32(key + keys[player]))
        shared = popcount(winners) * (winners >> player & _ONE)
        counts.boards[player, counts.of_strength[value], shared] += ways


@inlined
def _add_weighted(weight: float, counts: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    # In loops, because numba takes half a second to compile an expression of arrays, or the
    # assignment to all elements of one.
    for player in range(sums.shape[0]):
        for category in range(sums.shape[1]):
            for shared in range(sums.shape[2]):
                sums[player, category, shared] += weight * counts[player, category, shared]


@kernel
def count_known_hands_by_category(
    holes: CardArray,
    gone: np.uint64,
    weights: NDArray[np.float64],
    of_strength: NDArray[np.uint8],
    sums: NDArray[np.float64],
) -> None:
    """Sum each player's outcomes by category over all boards, for match-ups before the flop.

    The count by ranks is reused if the next match-up has the same ranks.

    Args:
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        weights: the weight of each match-up, ``float64 (match-up,)``.
        of_strength: the category of each strength of the default evaluator, ``uint8
            (strength,)``.
        sums: updated in place.
    """
    dealt = allocate_dealt(holes.shape[1])
    no_flushes = np.zeros(holes.shape[1], dtype=np.uint16)
    by_ranks = _Counts(of_strength, np.zeros(sums.shape, dtype=np.int64))  # for its type
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            by_ranks = _Counts(of_strength, np.zeros(sums.shape, dtype=np.int64))
            count_many_by_ranks(dealt, no_flushes, _add_categories, by_ranks)
        counts = _Counts(of_strength, by_ranks.boards.copy())
        correct_many_for_flushes(dealt, no_flushes, _add_categories, counts)
        _add_weighted(weights[row], counts.boards, sums)


@kernel
def count_by_category(
    strengths: NDArray[np.int64],
    categories: NDArray[np.uint8],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    orbit_sizes: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Sum each player's outcomes by category over a batch of boards.

    Args:
        strengths: ``int64 (combo, board)``, `BLOCKED` for combos that share a card with the
            board.
        categories: the category of each hand, ``uint8 (combo, board)``.
        rows: each player's row of `strengths`, ``int64 (match-up, player)``.
        weights: the weight of each match-up, ``float64 (match-up,)``.
        orbit_sizes: the number of boards in each board's orbit, ``int64 (board,)``.
        sums: updated in place.
    """
    players = rows.shape[1]
    for matchup in range(rows.shape[0]):
        counts = np.zeros(sums.shape, dtype=np.int64)
        for board in range(strengths.shape[1]):
            best, winners = strengths[rows[matchup, 0], board], 1
            blocked = best == BLOCKED
            for player in range(1, players):
                value = strengths[rows[matchup, player], board]
                blocked |= value == BLOCKED
                winners = 1 if value > best else winners + (value == best)
                best = max(best, value)
            if blocked:
                continue
            for player in range(players):
                row = rows[matchup, player]
                shared = winners if strengths[row, board] == best else 0
                counts[player, categories[row, board], shared] += orbit_sizes[board]
        _add_weighted(weights[matchup], counts, sums)

"""Range against range: all pairs of combos on a board in one pass over them.

Going up in strength, a combo wins against all weight so far that shares no card with it: W,
less what holds its one card and what holds its other. That is one subtraction for each
card, not one for each opposing combo.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.ordering.kernels import (
    Combos,
    Index,
    Order,
    empty_order,
    high_card,
    low_card,
    order_combos,
    place,
)


@inlined
def _sweep(
    groups: Index,
    order: Order,
    weights: NDArray[np.int64],
    column: Index,
    times: np.int64,
    by_card: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add the weight below each combo, and up to its equals, to `sums`."""
    all_weight = np.int64(0)
    by_card[:] = 0
    start = np.uint32(0)
    for group in range(groups):
        end = order.ends[group]
        if end - start == np.uint32(1):
            combo = order.combos[start]
            a, b, i = high_card(combo), low_card(combo), place(combo)
            below = times * (all_weight - by_card[a] - by_card[b])
            sums[column, i, 0] += below
            sums[column, i, 1] += below
            weight = weights[column, i]
            all_weight += weight
            by_card[a] += weight
            by_card[b] += weight
            start = end
            continue
        for n in range(start, end):
            combo = order.combos[n]
            below = all_weight - by_card[high_card(combo)] - by_card[low_card(combo)]
            sums[column, place(combo), 0] += times * below
        for n in range(start, end):
            combo = order.combos[n]
            weight = weights[column, place(combo)]
            all_weight += weight
            by_card[high_card(combo)] += weight
            by_card[low_card(combo)] += weight
        for n in range(start, end):
            combo = order.combos[n]
            i = place(combo)
            # Its own weight has been taken off twice.
            up_to = all_weight - by_card[high_card(combo)] - by_card[low_card(combo)]
            sums[column, i, 1] += times * (up_to + weights[column, i])
        start = end


@kernel
def sweep_boards(
    boards: CardArray,
    times: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add up what every combo beats and ties over some boards.

    Args:
        boards: ``uint8 (board, 5)``.
        times: ``uint8 (board,)``: how many boards each one stands for.
        combos: those in play.
        weights: ``int64 (column, combo)``: opponents' weights.
        sums: ``int64 (column, combo, 2)``, added to: the weight that each combo beats, and
            the weight that it beats or ties, of opposing combos that share no card with it.
    """
    order = empty_order(combos)
    by_card = np.zeros(64, dtype=np.int64)
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        for column in range(np.uint64(len(weights))):
            _sweep(groups, order, weights, column, np.int64(times[board]), by_card, sums)

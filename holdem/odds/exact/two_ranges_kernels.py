"""Kernel that compares two ranges on each board in one pass over the combos.

The combos are added in ascending order of strength. A combo beats the weight added so far,
minus that of the combos with its first card, minus that of the combos with its second card.
This takes two subtractions instead of a comparison with every opposing combo.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.sweep_kernels import (
    Combos,
    Index,
    Order,
    allocate_order,
    high_card,
    index_of,
    label_categories,
    low_card,
    order_combos,
)


@inlined
def sweep_order(
    groups: Index,
    order: Order,
    weights: NDArray[np.int64],
    row: Index,
    orbit_size: np.int64,
    by_card: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add to `sums` the opposing weight that each combo beats, and the weight it beats or ties."""
    all_weight = np.int64(0)
    by_card[:] = 0
    start = np.uint32(0)
    for group in range(groups):
        end = order.ends[group]
        if end - start == np.uint32(1):
            # Most groups are a single combo; the three loops would take a fifth longer.
            combo = order.combos[start]
            a, b, i = high_card(combo), low_card(combo), index_of(combo)
            below = orbit_size * (all_weight - by_card[a] - by_card[b])
            sums[row, i, 0] += below
            sums[row, i, 1] += below
            weight = weights[row, i]
            all_weight += weight
            by_card[a] += weight
            by_card[b] += weight
            start = end
            continue
        for n in range(start, end):
            combo = order.combos[n]
            below = all_weight - by_card[high_card(combo)] - by_card[low_card(combo)]
            sums[row, index_of(combo), 0] += orbit_size * below
        for n in range(start, end):
            combo = order.combos[n]
            weight = weights[row, index_of(combo)]
            all_weight += weight
            by_card[high_card(combo)] += weight
            by_card[low_card(combo)] += weight
        for n in range(start, end):
            combo = order.combos[n]
            i = index_of(combo)
            # The combo's own weight has been subtracted twice.
            not_lost = all_weight - by_card[high_card(combo)] - by_card[low_card(combo)]
            sums[row, i, 1] += orbit_size * (not_lost + weights[row, i])
        start = end


@inlined
def add_deals(
    count: np.uint32,
    order: Order,
    weights: NDArray[np.int64],
    row: Index,
    orbit_size: np.int64,
    by_card: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Add to `sums` the opposing weight that each combo faces, after `sweep_order` on the same
    board.
    """
    all_weight = np.sum(by_card) // 2
    for n in range(count):
        combo = order.combos[n]
        a, b, i = high_card(combo), low_card(combo), index_of(combo)
        met = all_weight - by_card[a] - by_card[b] + weights[row, i]
        sums[row, i, 2] += orbit_size * met


@kernel
def sweep_boards(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """For each combo, sum over all boards the opposing weight it beats and that it beats or ties.

    If `combos` has the bounds of the categories, the sums are kept by the category of the hand.

    Args:
        boards: ``uint8 (board, 5)``.
        orbit_sizes: the number of boards in each board's orbit, ``uint8 (board,)``.
        combos: the live combos.
        weights: opponents' weights, ``int64 (row, combo)``; by category, repeated for each, ``int64
            (row, category * combo)``.
        sums: ``int64 (row, combo, 2)``, updated in place: of the opposing combos that share no
            card with each combo, the weight that it beats, and that it beats or ties. By
            category, ``int64 (row, category * combo, 3)``, with the weight of all of them.
    """
    order = allocate_order(combos)
    by_card = np.zeros(64, dtype=np.int64)
    is_by_category = len(combos.category_bounds) > 0
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        if is_by_category:
            label_categories(board, groups, combos, order)
        orbit_size = np.int64(orbit_sizes[board])
        for row in range(np.uint64(len(weights))):
            sweep_order(groups, order, weights, row, orbit_size, by_card, sums)
            if is_by_category:
                count = order.ends[groups - np.uint64(1)]
                add_deals(count, order, weights, row, orbit_size, by_card, sums)


@kernel
def sum_each_board(
    boards: CardArray,
    combos: Combos,
    weights: NDArray[np.int64],
    own_weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Sum the outcomes of all combos on each board.

    Args:
        boards: ``uint8 (board, 5)``.
        combos: the live combos.
        weights: the opponent's weights, ``int64 (row, combo)``.
        own_weights: the player's weights for each row, ``float64 (row, combo)``.
        sums: updated in place: the weight of the deals won, tied and lost by the player, ``float64
            (board, 3)``. They are exact if the player's weights are small integers, and otherwise
            rounded.
    """
    order = allocate_order(combos)
    by_card = np.zeros(64, dtype=np.int64)
    swept = np.zeros((*weights.shape, 3), dtype=np.int64)
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        count = order.ends[groups - np.uint64(1)]
        swept[:] = 0
        for row in range(np.uint64(len(weights))):
            sweep_order(groups, order, weights, row, np.int64(1), by_card, swept)
            add_deals(count, order, weights, row, np.int64(1), by_card, swept)
            for n in range(count):
                combo = index_of(order.combos[n])
                beaten, not_lost, met = swept[row, combo]
                own = own_weights[row, combo]
                sums[board, 0] += own * np.float64(beaten)
                sums[board, 1] += own * np.float64(not_lost - beaten)
                sums[board, 2] += own * np.float64(met - not_lost)

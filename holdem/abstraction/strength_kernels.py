"""The kernel that adds up the strengths of all combos over the runouts of boards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.abstraction.streets import RIVER_MOST
from holdem.cards import CardArray
from holdem.jit.decorators import kernel
from holdem.odds.exact.ordering_kernels import allocate_order, index_of, order_combos
from holdem.odds.exact.sweep import Combos
from holdem.odds.exact.two_ranges_kernels import add_deals, sweep_order
from holdem.ranges.combos import COMBO_COUNT


@kernel
def add_strengths(
    boards: CardArray,
    runouts: CardArray,
    deals: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.float64],
    histogram: NDArray[np.uint16],
) -> None:
    """Add up the strengths of all combos over the runouts of each board.

    On a complete board, the points of a combo are the opponent's weight that it beats, twice, and
    the weight that it ties. Its equity is the quotient of these and the points it would have if it
    beat all, by which its squares are weighted, as equities are; against weights of 1 the points
    take its place in the sum of squares.

    Args:
        boards: ``uint8 (board, card)``.
        runouts: the cards that complete a board, ``uint8 (runout, card)``. Those that share a card
            with a board are left out there.
        deals: how often each runout counts, ``uint8 (runout,)``.
        combos: all combos, with combo numbers as their indices.
        weights: the opponent's weights, ``int64 (1, combo)``.
        sums: updated in place: points, squares of the equity, and points of a combo that always
            wins, ``float64 (board, 3, combo)``; without the last, against weights of 1, ``float64
            (board, 2, combo)``. Sums of integers are exact.
        histogram: updated in place: how many runouts have an equity in each bin, ``uint16
            (board, combo, bin)``, or without bins.
    """
    order = allocate_order(combos)
    by_card = np.zeros(64, dtype=np.int64)
    river = np.zeros((1, 5), dtype=np.uint8)
    swept = np.zeros((*weights.shape, 3), dtype=np.int64)
    known, is_random, bins = boards.shape[1], sums.shape[1] == 2, np.int64(histogram.shape[2])
    for board in range(np.uint64(len(boards))):
        for runout in range(np.uint64(len(runouts))):
            used, size = np.uint64(0), 0
            for column in range(5):
                card = boards[board, column] if column < known else runouts[runout, column - known]
                river[0, column] = card
                bit = np.uint64(1) << np.uint64(card)
                size += used & bit == 0
                used |= bit
            if size < 5:
                continue
            groups = order_combos(river, np.uint64(0), combos, order)
            swept[:] = 0
            sweep_order(groups, order, weights, np.uint64(0), np.int64(1), by_card, swept)
            count = order.ends[groups - np.uint64(1)]
            if not is_random:
                add_deals(count, order, weights, np.uint64(0), np.int64(1), by_card, swept)
            times = np.float64(deals[runout])
            if is_random:
                for i in range(COMBO_COUNT):  # vectorized; blocked combos have no points
                    share = np.float64(swept[0, i, 0] + swept[0, i, 1])
                    sums[board, 0, i] += times * share
                    sums[board, 1, i] += times * share * share
            if is_random and bins == 0:
                continue
            for n in range(count):
                combo = index_of(order.combos[n])
                points = swept[0, combo, 0] + swept[0, combo, 1]
                if is_random:
                    found = points * bins // RIVER_MOST
                else:
                    most = 2 * swept[0, combo, 2]
                    if most == 0:  # every combo that the opponent can hold is blocked
                        continue
                    found = points * bins // most
                    sums[board, 0, combo] += times * points
                    sums[board, 1, combo] += times * points * (points / most)
                    sums[board, 2, combo] += times * most
                if bins:
                    histogram[board, combo, min(found, bins - 1)] += np.uint16(deals[runout])

"""The kernel that adds up the strengths of all combos over the runouts of boards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.abstraction.streets import RIVER_MOST
from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.jit.kernels import inlined, kernel, popcount
from holdem.odds.exact.ranked_combos import sum_cards
from holdem.odds.exact.sweep import (
    Combos,
    Index,
    Order,
    allocate_order,
    index_of,
    order_combos,
    order_items,
)
from holdem.odds.exact.two_ranges import add_deals, sweep_order
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS

# On a board with three cards of a suit there are 26 classes of cards: the ranks in other suits,
# then those in this one. On other boards there are the first 13 only. Against a random hand, all
# combos of two given classes have the same points.
_NO_FLUSH = np.uint64(4)
_CARDS = np.arange(DECK_SIZE)
_CLASSES: NDArray[np.uint8] = np.array(
    [_CARDS // 4 + 13 * (suit == _CARDS % 4) for suit in range(5)], dtype=np.uint8
)
_HIGH, _LOW = (own.astype(np.uint64) for own in np.tril_indices(26))
_RANK_PAIRS = np.uint64(13 * 14 // 2)  # the pairs of the first 13 classes
_LOWER, _HIGHER = np.moveaxis(np.sort(_CLASSES[:, COMBO_CARDS].astype(np.uint32)), -1, 0)
_PAIRS: NDArray[np.uint32] = _HIGHER * (_HIGHER + 1) // 2 + _LOWER
# Two cards of each class, from which strengths are computed; those in the suit are the same.
_EXAMPLES: NDArray[np.uint8] = np.array(
    [
        [4 * (_CARDS[:26] % 13) + (suit + other * (_CARDS[:26] < 13)) % 4 for other in (1, 2)]
        for suit in range(5)
    ],
    dtype=np.uint8,
)
_1, _3, _6, _63 = (np.uint64(number) for number in (1, 3, 6, 63))
_MASK = np.uint64(0xFFFF)


@inlined
def _order_classes(
    table: StrengthTable,
    river: CardArray,
    suit: np.uint64,
    key: np.uint64,
    mask: np.uint64,
    order: Order,
    free: NDArray[np.int64],
) -> Index:
    """Order the pairs of card classes by strength on a board; return the number of groups of equal
    strength.

    Args:
        table: the table of hands of seven cards.
        river: the board, ``uint8 (1, 5)``.
        suit: that of a flush.
        key: the sum of the board's keys.
        mask: its suit mask.
        order: its items are ordered.
        free: output, the number of cards of each class that are not on the board, ``int64
            (class,)``.
    """
    free[:13] = 4 if suit == _NO_FLUSH else 3
    free[13:] = 0 if suit == _NO_FLUSH else 1
    for column in range(5):
        free[_CLASSES[suit, river[0, column]]] -= 1
    order.present[:] = 0
    count = np.uint64(0)
    for pair in range(_RANK_PAIRS if suit == _NO_FLUSH else np.uint64(len(_HIGH))):
        high, low = _HIGH[pair], _LOW[pair]
        if free[high] * free[low] <= (high == low):
            continue
        first, second = _EXAMPLES[suit, 0, high], _EXAMPLES[suit, 1, low]
        found = np.uint64(
            strength(
                table,
                key + CARD_KEYS[first] + CARD_KEYS[second],
                mask | CARD_MASKS[first] | CARD_MASKS[second],
            )
        )
        order.strengths[count] = found
        order.items[count] = pair
        order.present[found >> _6] |= _1 << (found & _63)
        count += _1
    return order_items(count, order)


@inlined
def _compare_classes(
    groups: Index,
    order: Order,
    free: NDArray[np.int64],
    by_class: NDArray[np.int64],
    points: NDArray[np.int64],
) -> None:
    """Count the points that each pair of card classes scores against a random hand.

    Args:
        groups: the number of groups of equal strength.
        order: the pairs, as ordered by `_order_classes`.
        free: the number of cards of each class, ``int64 (class,)``.
        by_class: scratch: the combos so far that have a given card of each class.
        points: output, ``int64 (pair,)``.
    """
    total = np.int64(0)
    by_class[:] = 0
    start = np.uint32(0)
    for group in range(groups):
        end = order.item_ends[group]
        for n in range(start, end):
            pair = order.in_order[n]
            points[pair] = total - by_class[_HIGH[pair]] - by_class[_LOW[pair]]
        for n in range(start, end):
            pair = order.in_order[n]
            high, low = _HIGH[pair], _LOW[pair]
            if high == low:
                by_class[high] += free[high] - 1
                total += free[high] * (free[high] - 1) // 2
            else:
                by_class[high] += free[low]
                by_class[low] += free[high]
                total += free[high] * free[low]
        for n in range(start, end):
            pair = order.in_order[n]
            # The combo itself has been subtracted twice.
            points[pair] += total - by_class[_HIGH[pair]] - by_class[_LOW[pair]] + 1
        start = end


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
    free, by_class = np.zeros(26, dtype=np.int64), np.zeros(26, dtype=np.int64)
    of_pair = np.zeros(len(_HIGH), dtype=np.int64)
    known, is_random, bins = boards.shape[1], sums.shape[1] == 2, np.int64(histogram.shape[2])
    for board in range(np.uint64(len(boards))):
        for runout in range(np.uint64(len(runouts))):
            for column in range(5):
                river[0, column] = (
                    boards[board, column] if column < known else runouts[runout, column - known]
                )
            used, key, mask = sum_cards(river, 0, 5)
            if popcount(used) < 5:
                continue
            times, times_in_bin = np.float64(deals[runout]), np.uint16(deals[runout])
            if is_random:
                suit = _NO_FLUSH
                for own in range(4):
                    if popcount(mask >> np.uint64(16 * own) & _MASK) >= _3:
                        suit = np.uint64(own)
                groups = _order_classes(combos.table, river, suit, key, mask, order, free)
                _compare_classes(groups, order, free, by_class, of_pair)
                for i in range(np.uint64(COMBO_COUNT)):
                    if COMBO_SETS[i] & used:
                        continue
                    points = of_pair[_PAIRS[suit, i]]
                    share = np.float64(points)
                    sums[board, 0, i] += times * share
                    sums[board, 1, i] += times * share * share
                    if bins:
                        found = min(points * bins // RIVER_MOST, bins - 1)
                        histogram[board, i, found] += times_in_bin
                continue
            groups = order_combos(river, np.uint64(0), combos, order)
            swept[:] = 0
            sweep_order(groups, order, weights, np.uint64(0), np.int64(1), by_card, swept)
            count = order.ends[groups - np.uint64(1)]
            add_deals(count, order, weights, np.uint64(0), np.int64(1), by_card, swept)
            for n in range(count):
                combo = index_of(order.combos[n])
                won = swept[0, combo, 0] + swept[0, combo, 1]
                most = 2 * swept[0, combo, 2]
                if most == 0:  # every combo that the opponent can hold is blocked
                    continue
                sums[board, 0, combo] += times * won
                sums[board, 1, combo] += times * won * (won / most)
                sums[board, 2, combo] += times * most
                if bins:
                    histogram[board, combo, min(won * bins // most, bins - 1)] += times_in_bin

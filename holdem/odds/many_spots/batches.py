"""The types of spots that are computed in batches, by tables of strengths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.builtin.lookup_keys import CARD_MASKS
from holdem.evaluation.builtin.lookup_tables import StrengthTable, StrengthTables
from holdem.odds.exact.preflop_table import BOARDS, preflop_table
from holdem.odds.exact.runout_kernels import count_over_runouts
from holdem.odds.many_spots.batch_kernels import count_against_random, count_against_range
from holdem.odds.many_spots.columns import SpotColumns
from holdem.odds.tally import SHARE_UNIT, outcomes, share_units
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT
from holdem.rules import STANDARD

Rows: TypeAlias = NDArray[np.intp]

#: The sums of the shares of the pot, and the deals won, tied and lost, over all deals of a spot,
#: ``float64 (4, spot, player)``. Numbers of deals are exact: they are below 2^53.
DealCounts: TypeAlias = NDArray[np.float64]

_SECONDS = 0.02  # the approximate duration of a task


@attrs.frozen(eq=False)
class Kind:
    """Spots of one type, and the function that counts the deals of such spots in batches."""

    rows: Rows
    """The numbers of the spots."""
    count: Callable[[SpotColumns], DealCounts]
    """Counts the deals of some of them."""
    rows_per_task: int


def kinds(spots: SpotColumns, is_left: NDArray[np.bool_], tables: StrengthTables) -> Iterator[Kind]:
    """Yield the remaining spots grouped by type, for the types that are computed in batches.

    Args:
        spots: all spots.
        is_left: whether to answer each spot, ``bool (spot,)``.
        tables: the tables of the evaluator.
    """
    players, sizes = spots.codes.shape[1], spots.board_sizes
    is_known = spots.codes < COMBO_COUNT
    known = is_known.T.sum(axis=0)
    all_known = is_left & (known == players)
    if players == 2 and tables.rules == STANDARD:
        rows = np.flatnonzero(all_known & (sizes == 0) & (spots.dead == 0))
        if len(rows):
            yield Kind(rows, _look_up, 1 << 14)
    for size, seconds in ((5, 5e-8), (4, 3e-7), (3, 5e-6)):
        rows = np.flatnonzero(all_known & (sizes == size))
        if len(rows):
            limit = min(_count_per_task(seconds * players), (1 << 22) >> players)
            yield Kind(rows, partial(_count_known_hands, tables.seven, size), limit)
    one_known = is_left & (known == 1)
    if players == 2 and one_known.any():
        yield from _against_one_range(spots, one_known, tables.seven)


def _against_one_range(
    spots: SpotColumns, is_left: NDArray[np.bool_], table: StrengthTable
) -> Iterator[Kind]:
    """Yield the groups of spots on a board in which only one player's hole cards are known."""
    unweighted = np.array([*(hands.is_unweighted for hands in spots.ranges), False])
    complete = np.array([*(len(hands) == COMBO_COUNT for hands in spots.ranges), False])
    number = np.where(is_left, spots.codes.T.max(axis=0) - COMBO_COUNT, -1)
    for is_random, costs in (
        (True, ((5, 5e-7), (4, 1.5e-5), (3, 3.5e-4))),
        (False, ((5, 2e-6), (4, 2e-5), (3, 4e-4))),
    ):
        chosen = unweighted & (complete if is_random else ~complete)
        for size, seconds in costs:
            rows = np.flatnonzero(is_left & chosen[number] & (spots.board_sizes == size))
            if len(rows):
                count = partial(_count_against_one_range, table, size, is_random)
                yield Kind(rows, count, _count_per_task(seconds))


def _count_per_task(seconds: float) -> int:
    return max(1, min(1 << 16, int(_SECONDS / seconds)))


def _look_up(spots: SpotColumns) -> DealCounts:
    first, second = spots.codes.T
    won, tied = preflop_table().match_ups(first, second)
    return _make_counts(won.astype(np.int64), tied.astype(np.int64), np.full(len(spots), BOARDS))


def _count_known_hands(table: StrengthTable, size: int, spots: SpotColumns) -> DealCounts:
    players = spots.codes.shape[1]
    boards = np.ascontiguousarray(spots.boards[:, :size])
    gone = spots.dead | spots.board_sets
    counts = np.zeros((len(spots), 1 << players), dtype=np.int64)
    holes = np.ascontiguousarray(COMBO_CARDS[spots.codes])
    count_over_runouts(table, holes, boards, gone, counts)
    deals = np.einsum("opm,rm->orp", outcomes(players).astype(np.int64), counts)
    units = counts @ share_units(players).astype(np.int64).T
    return np.concatenate([[units / SHARE_UNIT], deals])


def _count_against_one_range(
    table: StrengthTable, size: int, is_random: bool, spots: SpotColumns
) -> DealCounts:
    first, second = spots.codes.T
    boards = np.ascontiguousarray(spots.boards[:, :size])
    holes = np.ascontiguousarray(COMBO_CARDS[np.minimum(first, second)])
    dead = _make_suit_masks(spots.dead)
    left = 48 - size - np.bitwise_count(spots.dead).astype(np.int64)
    totals = np.zeros((len(spots), 2 if is_random else 3), dtype=np.int64)
    if is_random:
        count_against_random(table, holes, boards, dead, totals)
        opponents = (left + 2) * (left + 1) // 2
    else:
        numbers, ranges = np.unique(np.maximum(first, second) - COMBO_COUNT, return_inverse=True)
        held = [spots.ranges[number].held for number in numbers.tolist()]
        ends = np.cumsum([len(combos) for combos in held])
        starts = ends - [len(combos) for combos in held]
        combos = np.ascontiguousarray(COMBO_CARDS[np.concatenate(held)])
        starts, ends = starts[ranges], ends[ranges]
        count_against_range(table, holes, boards, dead, starts, ends, combos, totals)
        opponents = totals[:, 2]
    counts = _make_counts(totals[:, 0], totals[:, 1], opponents * _count_runouts(left, size))
    is_second = second[:, None] < COMBO_COUNT
    return np.where(is_second, counts[:, :, ::-1], counts)


def _count_runouts(left: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Count the runouts of a board with `size` cards, given the number of cards left."""
    if size == 5:
        return np.ones_like(left)
    return left if size == 4 else left * (left - 1) // 2


def _make_counts(
    wins: NDArray[np.int64], ties: NDArray[np.int64], deals: NDArray[np.int64]
) -> DealCounts:
    """Derive both players' counts from the first player's wins and ties, ``int64 (spot,)``."""
    counts = np.empty((4, len(wins), 2))
    counts[1, :, 0], counts[1, :, 1] = wins, deals - wins - ties
    counts[2], counts[3] = ties[:, None], counts[1, :, ::-1]
    counts[0] = counts[1] + counts[2] / 2
    return counts


def _make_suit_masks(sets: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Convert card sets, ``uint64 (spot,)``, to suit masks; most of the sets are empty."""
    masks = np.zeros_like(sets)
    for card in range(52) if sets.any() else ():
        masks |= np.where(sets >> np.uint64(card) & np.uint64(1), CARD_MASKS[card], np.uint64(0))
    return masks

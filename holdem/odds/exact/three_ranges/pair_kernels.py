"""Two small ranges and a large one on a board: pairs of combos against all combos.

The two small ranges become one list of the pairs of their combos that share no card. A pair
counts as the stronger of its hands, and a hand beats both if it beats that one. So two
sides are left, swept as two ranges are (`holdem.odds.exact.two_ranges.kernels`), but a pair holds four
cards. The weight of the pairs that share no card with the combo {a, b} is

    W - C[a] - C[b] + M[a, b]

and the weight of the combos that share none with a pair of cards Q is

    W - sum of C[c] over c in Q + sum of x[c, d] over the six {c, d} in Q

with W the weight of what is in, C[c] of what holds card c, M[c, d] of the pairs that hold
both cards, x[c, d] that of the combo itself.
"""

from __future__ import annotations

from typing import NamedTuple

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

_NOT_THERE = np.uint32(0xFFFFFFFF)
_ONE, _FOUR = np.uint64(1), np.uint64(4)
_ALL = np.uint64(52)  # where the weight of all that is in stands


class Pairs(NamedTuple):
    """The pairs of two ranges' combos that share no card."""

    places: NDArray[np.uint32]
    """Where its two combos are among those in play, ``uint32 (pair, 2)``."""
    cards: CardArray
    """Its cards, the highest first, ``uint8 (pair, 4)``."""
    weights: NDArray[np.float64]
    """The weights of its two combos, ``float64 (pair, 2)``."""


class Seats(NamedTuple):
    """Who plays: the range of the third player, and where each one's sums go."""

    third: int
    """The row of the large range among the weights."""
    first_row: int
    """The row of the sums for the first combos of the pairs; -1 for nowhere."""
    second_row: int
    """The row of the sums for the second combos of the pairs; -1 for nowhere."""
    third_row: int
    """The row of the sums for the large range; -1 for nowhere."""


class _Side(NamedTuple):
    """The weight of pairs or of combos that is in."""

    by_card: NDArray[np.float64]
    """C and, last, W, ``float64 (53,)``."""
    by_two: NDArray[np.float64]
    """M, or x, ``float64 (52, 52)``, by the higher card and the lower."""


class _Scratch(NamedTuple):
    """Where the pairs stand on one board."""

    group_of: NDArray[np.uint32]
    """The group of each combo, ``uint32 (combo,)``."""
    tops: NDArray[np.uint32]
    """The group of each pair's stronger combo, ``uint32 (pair,)``."""
    in_order: NDArray[np.uint32]
    """Pairs, weakest first, ``uint32 (pair,)``."""
    ends: NDArray[np.uint32]
    """Where each group's pairs end, ``uint32 (group,)``."""
    below: NDArray[np.float64]
    """The weight of the combos that each pair in order beats, ``float64 (pair,)``."""


@inlined
def _order_pairs(groups: Index, order: Order, pairs: Pairs, scratch: _Scratch) -> None:
    """Put the pairs that do not meet the board in order of their stronger combos."""
    group_of, tops, ends = scratch.group_of, scratch.tops, scratch.ends
    group_of[:] = _NOT_THERE
    start = np.uint32(0)
    for group in range(groups):
        for n in range(start, order.ends[group]):
            group_of[place(order.combos[n])] = group
        start = order.ends[group]
        ends[group] = 0
    count = np.uint64(len(pairs.places))
    for pair in range(count):
        # Not being there is the highest of groups.
        top = max(group_of[pairs.places[pair, 0]], group_of[pairs.places[pair, 1]])
        tops[pair] = top
        if top != _NOT_THERE:
            ends[top] += np.uint32(1)
    start = np.uint32(0)
    for group in range(groups):
        size = ends[group]
        ends[group] = start
        start += size
    for pair in range(count):
        top = tops[pair]
        if top != _NOT_THERE:
            scratch.in_order[ends[top]] = pair
            ends[top] += np.uint32(1)


@inlined
def _pairs_beside(combo: np.uint32, side: _Side) -> float:
    """Return the weight of the pairs that share no card with a combo."""
    a, b = high_card(combo), low_card(combo)
    by_card = side.by_card
    return float(by_card[_ALL] - by_card[a] - by_card[b] + side.by_two[a, b])


@inlined
def _combos_beside(pair: np.uint32, pairs: Pairs, side: _Side) -> float:
    """Return the weight of the combos that share no card with a pair."""
    weight = side.by_card[_ALL]
    for n in range(_FOUR):
        card = pairs.cards[pair, n]
        weight -= side.by_card[card]
        for m in range(n + _ONE, _FOUR):
            weight += side.by_two[card, pairs.cards[pair, m]]
    return float(weight)


@inlined
def _let_pair_in(pair: np.uint32, weight: float, pairs: Pairs, side: _Side) -> None:
    side.by_card[_ALL] += weight
    for n in range(_FOUR):
        card = pairs.cards[pair, n]
        side.by_card[card] += weight
        for m in range(n + _ONE, _FOUR):
            side.by_two[card, pairs.cards[pair, m]] += weight


@inlined
def _let_combo_in(combo: np.uint32, weight: float, side: _Side) -> None:
    a, b = high_card(combo), low_card(combo)
    side.by_card[_ALL] += weight
    side.by_card[a] += weight
    side.by_card[b] += weight
    side.by_two[a, b] += weight


@inlined
def _is_split(pair: np.uint32, pairs: Pairs, scratch: _Scratch) -> bool:
    """Whether both combos of a pair are equally strong."""
    group_of = scratch.group_of
    return bool(group_of[pairs.places[pair, 0]] == group_of[pairs.places[pair, 1]])


@inlined
def _count_pair(
    pair: np.uint32,
    below: float,
    equal: float,
    pairs: Pairs,
    scratch: _Scratch,
    seats: Seats,
    sums: NDArray[np.float64],
) -> None:
    """Add a pair's F(0), F(1/2) and F(1) to the sums of its stronger combo, or of both."""
    places, top = pairs.places, scratch.tops[pair]
    split = _is_split(pair, pairs, scratch)
    alone = 0.0 if split else below
    half = 0.5 * below + 0.25 * equal if split else below + 0.5 * equal
    for hand in range(np.uint64(2)):
        row = seats.first_row if hand == 0 else seats.second_row
        i = places[pair, hand]
        if row >= 0 and scratch.group_of[i] == top:
            weight = pairs.weights[pair, _ONE - hand]
            sums[row, i, 0] += weight * alone
            sums[row, i, 1] += weight * half
            sums[row, i, 2] += weight * (below + equal)


@inlined
def _sweep(
    groups: Index,
    order: Order,
    pairs: Pairs,
    seats: Seats,
    scratch: _Scratch,
    weights: NDArray[np.float64],
    times: float,
    among_pairs: _Side,
    among_combos: _Side,
    sums: NDArray[np.float64],
) -> None:
    """Add F(0), F(1/2) and F(1) of every combo of all three on one board to `sums`."""
    third, row = seats.third, seats.third_row
    start, first_pair = np.uint32(0), np.uint32(0)
    for group in range(groups):
        end, end_pair = order.ends[group], scratch.ends[group]
        steps = 1 if first_pair == end_pair else 3
        if row >= 0:
            for step in range(steps):
                if step > 0:
                    # Half the weight of a pair of which one hand ties counts at t = 1/2, a
                    # quarter where both do, and the rest comes in with t = 1.
                    for n in range(first_pair, end_pair):
                        pair = scratch.in_order[n]
                        part = 0.25 if _is_split(pair, pairs, scratch) else 0.5
                        weight = pairs.weights[pair, 0] * pairs.weights[pair, 1]
                        weight *= part if step == 1 else 1.0 - part
                        _let_pair_in(pair, weight, pairs, among_pairs)
                for n in range(start, end):
                    found = times * _pairs_beside(order.combos[n], among_pairs)
                    i = place(order.combos[n])
                    sums[row, i, step] += found
                    if steps == 1:
                        sums[row, i, 1] += found
                        sums[row, i, 2] += found
        for n in range(first_pair, end_pair):
            scratch.below[n] = _combos_beside(scratch.in_order[n], pairs, among_combos)
        for n in range(start, end):
            combo = order.combos[n]
            _let_combo_in(combo, weights[third, place(combo)], among_combos)
        for n in range(first_pair, end_pair):
            pair = scratch.in_order[n]
            below = scratch.below[n]
            equal = _combos_beside(pair, pairs, among_combos) - below
            _count_pair(pair, times * below, times * equal, pairs, scratch, seats, sums)
        start, first_pair = end, end_pair


@kernel
def sweep_pairs(
    boards: CardArray,
    times: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.float64],
    pairs: Pairs,
    seats: Seats,
    sums: NDArray[np.float64],
) -> None:
    """Add up F(0), F(1/2) and F(1) of every combo over some boards, as `sweep_three` does.

    Args:
        boards: ``uint8 (board, 5)``.
        times: ``uint8 (board,)``: how many boards each one stands for.
        combos: those in play.
        weights: ``float64 (range, combo)``.
        pairs: of the two small ranges.
        seats: the third range, and whose sums are wanted.
        sums: ``float64 (contest, combo, 3)``, added to. The hero's own weight is left out.
    """
    order = empty_order(combos)
    count = len(pairs.places)
    scratch = _Scratch(
        np.zeros(len(combos.sets), dtype=np.uint32),
        np.zeros(count, dtype=np.uint32),
        np.zeros(count, dtype=np.uint32),
        np.zeros(len(order.ends), dtype=np.uint32),
        np.zeros(count),
    )
    among_pairs = _Side(np.zeros(53), np.zeros((52, 52)))
    among_combos = _Side(np.zeros(53), np.zeros((52, 52)))
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        _order_pairs(groups, order, pairs, scratch)
        among_pairs.by_card[:] = 0.0
        among_pairs.by_two[:] = 0.0
        among_combos.by_card[:] = 0.0
        among_combos.by_two[:] = 0.0
        _sweep(
            groups,
            order,
            pairs,
            seats,
            scratch,
            weights,
            float(times[board]),
            among_pairs,
            among_combos,
            sums,
        )

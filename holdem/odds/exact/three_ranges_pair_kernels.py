"""Kernel that compares pairs of combos from two small ranges with the combos of a large one.

A pair consists of a combo from each of the two small ranges that share no card. It is as strong as
the stronger of its combos, because a hand that beats the stronger combo beats both. So there are
two sides, the pairs and the combos of the large range, and they are compared like two ranges
(`holdem.odds.exact.two_ranges`), except that a pair holds four cards. The weight of the pairs that
share no card with the combo {a, b} is

    W - C[a] - C[b] + M[a, b]

and the weight of the combos that share no card with the four cards Q of a pair is

    W - sum of C[c] over c in Q + sum of x[c, d] over the six {c, d} in Q

where W is the weight of the pairs or combos added so far, C[c] the weight of those that hold card
c, M[c, d] the weight of the pairs that hold both c and d, and x[c, d] the weight of the combo
{c, d}. The results are sums of F(0), F(1/2) and F(1), as defined in
`holdem.odds.exact.graph`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.kernels import inlined, kernel
from holdem.odds.exact.sweep import (
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

_BLOCKED = np.uint32(0xFFFFFFFF)
_ONE, _FOUR = np.uint64(1), np.uint64(4)
_ALL = np.uint64(52)  # the index of the weight of all pairs or combos


class Pairs(NamedTuple):
    """All pairs of combos, one from each of two ranges, that share no card."""

    combos: NDArray[np.uint32]
    """The index, in `Combos`, of each pair's combo from the first and from the second range,
    ``uint32 (pair, 2)``."""
    cards: CardArray
    """The cards of each pair, highest first, ``uint8 (pair, 4)``."""


class _Side(NamedTuple):
    """The weights added so far on one of the two sides, the pairs or the combos of the large range.

    W, C, M and x are defined in the module docstring.
    """

    by_card: NDArray[np.float64]
    """C[c] for each card and, last, W, ``float64 (53,)``."""
    by_two: NDArray[np.float64]
    """For each two cards, M of the pairs or x of the combos, ``float64 (52, 52)``, by the higher
    and the lower card."""


class _State(NamedTuple):
    """The pairs of combos ordered by strength on one board, and the weights added so far.

    A group is a group of combos of equal strength on the board, numbered from the weakest.
    """

    group_of: NDArray[np.uint32]
    """The group of each combo; `_BLOCKED` if it shares a card with the board, ``uint32
    (combo,)``."""
    tops: NDArray[np.uint32]
    """The group of each pair's stronger combo; `_BLOCKED` if the pair shares a card with the board,
    ``uint32 (pair,)``."""
    in_order: NDArray[np.uint32]
    """The indices of the pairs, weakest first, ``uint32 (pair,)``."""
    ends: NDArray[np.uint32]
    """For each group, the index in `in_order` after the last pair that is as strong, ``uint32
    (group,)``."""
    below: NDArray[np.float64]
    """For each pair in `in_order`, the weight of the large range's combos that it beats, ``float64
    (pair,)``."""
    columns: NDArray[np.uint32]
    """The column of each combo in the array of sums, ``uint32 (combo,)``: the index of the combo
    or, by category, ``category * combos + index``."""
    pairs: _Side
    combos: _Side


@inlined
def _order_pairs(groups: Index, order: Order, pairs: Pairs, state: _State) -> None:
    """Order pairs of combos by the strength of the stronger combo, and write the order to `state`.

    Pairs that share a card with the board are left out. `groups` and `order` are the result of
    `order_combos` on the board: the number of groups of equal strength, and the ordered combos.
    """
    group_of, tops, ends = state.group_of, state.tops, state.ends
    group_of[:] = _BLOCKED
    start = np.uint32(0)
    for group in range(groups):
        for n in range(start, order.ends[group]):
            group_of[index_of(order.combos[n])] = group
        start = order.ends[group]
        ends[group] = 0
    count = np.uint64(len(pairs.combos))
    for pair in range(count):
        # `_BLOCKED` is above all groups.
        top = max(group_of[pairs.combos[pair, 0]], group_of[pairs.combos[pair, 1]])
        tops[pair] = top
        if top != _BLOCKED:
            ends[top] += np.uint32(1)
    start = np.uint32(0)
    for group in range(groups):
        size = ends[group]
        ends[group] = start
        start += size
    for pair in range(count):
        top = tops[pair]
        if top != _BLOCKED:
            state.in_order[ends[top]] = pair
            ends[top] += np.uint32(1)


@inlined
def _clear(side: _Side) -> None:
    side.by_card[:] = 0.0
    side.by_two[:] = 0.0


@inlined
def _sum_unblocked_pairs(combo: np.uint32, side: _Side) -> float:
    """Sum the weights of the pairs added so far that share no card with a combo.

    The combo is packed as in `Combos.packed`.
    """
    a, b = high_card(combo), low_card(combo)
    by_card = side.by_card
    return float(by_card[_ALL] - by_card[a] - by_card[b] + side.by_two[a, b])


@inlined
def _sum_unblocked_combos(pair: np.uint32, pairs: Pairs, side: _Side) -> float:
    """Sum the weights of the combos added so far that share no card with a pair."""
    weight = side.by_card[_ALL]
    for n in range(_FOUR):
        card = pairs.cards[pair, n]
        weight -= side.by_card[card]
        for m in range(n + _ONE, _FOUR):
            weight += side.by_two[card, pairs.cards[pair, m]]
    return float(weight)


@inlined
def _add_pair(pair: np.uint32, weight: float, pairs: Pairs, side: _Side) -> None:
    side.by_card[_ALL] += weight
    for n in range(_FOUR):
        card = pairs.cards[pair, n]
        side.by_card[card] += weight
        for m in range(n + _ONE, _FOUR):
            side.by_two[card, pairs.cards[pair, m]] += weight


@inlined
def _add_combo(combo: np.uint32, weight: float, side: _Side) -> None:
    a, b = high_card(combo), low_card(combo)
    side.by_card[_ALL] += weight
    side.by_card[a] += weight
    side.by_card[b] += weight
    side.by_two[a, b] += weight


@inlined
def _is_split(pair: np.uint32, pairs: Pairs, state: _State) -> bool:
    """Check whether the two combos of a pair are equally strong."""
    group_of = state.group_of
    return bool(group_of[pairs.combos[pair, 0]] == group_of[pairs.combos[pair, 1]])


@inlined
def _count_pair(
    pair: np.uint32,
    below: float,
    equal: float,
    pairs: Pairs,
    state: _State,
    weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Add a pair's contribution to F(0), F(1/2) and F(1) of its stronger combo.

    F is defined in `holdem.odds.exact.graph`. The player holds the stronger combo, one
    opponent the other combo of the pair, and the second opponent a combo of the large range. If
    both combos of the pair are equally strong, F of both changes.

    `below` is the weight of the combos of the large range that are weaker than the pair, that is
    than its stronger combo, and share no card with it, times the number of boards that the board
    represents; `equal` is the same for combos that are as strong. `weights` and `sums` are those of
    `sweep_pairs`.
    """
    split = _is_split(pair, pairs, state)
    alone = 0.0 if split else below
    half = 0.5 * below + 0.25 * equal if split else below + 0.5 * equal
    for hand in range(np.uint64(2)):
        combo = pairs.combos[pair, hand]
        if state.group_of[combo] == state.tops[pair]:
            weight = weights[_ONE - hand, pairs.combos[pair, _ONE - hand]]
            column = state.columns[combo]
            sums[hand, column, 0] += weight * alone
            sums[hand, column, 1] += weight * half
            sums[hand, column, 2] += weight * (below + equal)


@inlined
def _sweep(
    groups: Index,
    order: Order,
    pairs: Pairs,
    state: _State,
    weights: NDArray[np.float64],
    orbit_size: float,
    sums: NDArray[np.float64],
) -> None:
    """Add F(0), F(1/2) and F(1) of the combos of all three ranges on one board to `sums`.

    F is defined in `holdem.odds.exact.graph`. `groups` and `order` are the result of
    `order_combos` on the board, which counts `orbit_size` times. The weights on both sides,
    `state.pairs` and `state.combos`, must be 0 before the call; after it, they are those of all
    pairs and combos that share no card with the board. `weights` and `sums` are those of
    `sweep_pairs`.
    """
    start, first_pair = np.uint32(0), np.uint32(0)
    for group in range(groups):
        end, end_pair = order.ends[group], state.ends[group]
        steps = 1 if first_pair == end_pair else 3
        for step in range(steps):
            if step > 0:
                # At t = 1/2, half of a pair's weight counts if one of its combos ties, and a
                # quarter if both do. The rest is added at t = 1.
                for n in range(first_pair, end_pair):
                    pair = state.in_order[n]
                    part = 0.25 if _is_split(pair, pairs, state) else 0.5
                    weight = weights[0, pairs.combos[pair, 0]] * weights[1, pairs.combos[pair, 1]]
                    weight *= part if step == 1 else 1.0 - part
                    _add_pair(pair, weight, pairs, state.pairs)
            for n in range(start, end):
                found = orbit_size * _sum_unblocked_pairs(order.combos[n], state.pairs)
                i = index_of(order.combos[n])
                sums[2, i, step] += found
                if steps == 1:
                    sums[2, i, 1] += found
                    sums[2, i, 2] += found
        for n in range(first_pair, end_pair):
            state.below[n] = _sum_unblocked_combos(state.in_order[n], pairs, state.combos)
        for n in range(start, end):
            combo = order.combos[n]
            _add_combo(combo, weights[2, index_of(combo)], state.combos)
        for n in range(first_pair, end_pair):
            pair, below = state.in_order[n], state.below[n]
            equal = _sum_unblocked_combos(pair, pairs, state.combos) - below
            _count_pair(pair, orbit_size * below, orbit_size * equal, pairs, state, weights, sums)
        start, first_pair = end, end_pair


@inlined
def _label_categories(
    board: Index, groups: Index, combos: Combos, order: Order, state: _State
) -> None:
    """Call `label_categories` on a board, and copy the new index of each combo to `state.columns`.

    Combos that share a card with the board keep their columns, which are not used on this board.
    """
    label_categories(board, groups, combos, order)
    for n in range(order.ends[groups - _ONE]):
        column = index_of(order.combos[n])
        state.columns[column % np.uint32(len(combos.sets))] = column


@inlined
def _add_deals(
    groups: Index,
    order: Order,
    pairs: Pairs,
    state: _State,
    weights: NDArray[np.float64],
    orbit_size: float,
    sums: NDArray[np.float64],
) -> None:
    """Add the weight of all pairs of opponents' combos that each combo can face on one board.

    It is added to the last of the four numbers that `sums` has for each combo. This must follow
    `_sweep` on the same board, with the same arguments.
    """
    last = groups - _ONE
    for n in range(order.ends[last]):
        met = _sum_unblocked_pairs(order.combos[n], state.pairs)
        sums[2, index_of(order.combos[n]), 3] += orbit_size * met
    for n in range(state.ends[last]):
        pair = state.in_order[n]
        met = orbit_size * _sum_unblocked_combos(pair, pairs, state.combos)
        for hand in range(np.uint64(2)):
            weight = weights[_ONE - hand, pairs.combos[pair, _ONE - hand]]
            sums[hand, state.columns[pairs.combos[pair, hand]], 3] += weight * met


@kernel
def sweep_pairs(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.float64],
    pairs: Pairs,
    sums: NDArray[np.float64],
) -> None:
    """Add F(0), F(1/2) and F(1) of each combo, from pairs of combos of two small ranges, to `sums`.

    Each board, ``uint8 (board, 5)``, counts as often as `orbit_sizes` says, ``uint8 (board,)``.
    `weights` is ``float64 (range, combo)``, the large range last. `sums` has F(0), F(1/2) and F(1)
    of each combo, ``float64 (range, combo, 3)``, not multiplied by the combo's own weight.

    If `Combos.category_bounds` is not empty, `weights` are repeated for each category, ``float64
    (range, category * combo)``, and `sums` is ``float64 (range, category * combo, 4)``, also with
    the weight of all opposing pairs.
    """
    order = allocate_order(combos)
    count = len(pairs.combos)
    state = _State(
        np.zeros(len(combos.sets), dtype=np.uint32),
        np.zeros(count, dtype=np.uint32),
        np.zeros(count, dtype=np.uint32),
        np.zeros(len(order.ends), dtype=np.uint32),
        np.zeros(count),
        np.arange(len(combos.sets)).astype(np.uint32),
        _Side(np.zeros(53), np.zeros((52, 52))),
        _Side(np.zeros(53), np.zeros((52, 52))),
    )
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        _order_pairs(groups, order, pairs, state)
        if len(combos.category_bounds):
            _label_categories(board, groups, combos, order, state)
        _clear(state.pairs)
        _clear(state.combos)
        orbit_size = float(orbit_sizes[board])
        _sweep(groups, order, pairs, state, weights, orbit_size, sums)
        if len(combos.category_bounds):
            _add_deals(groups, order, pairs, state, weights, orbit_size, sums)

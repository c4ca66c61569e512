"""Kernel that compares three ranges by inclusion-exclusion over the cards that opponents share.

Combos are added in ascending order of strength, group by group. For a combo {a, b} and its
opponents j and k, let each opposing combo have its weight w below the group of {a, b}, t w
within it and 0 above it. The weight F of all pairs of opponents' combos that share no card with
{a, b} or with each other is

    F(t) = A_j A_k - sum over c of (C_j[c] - M_j[a,c] - M_j[b,c]) (C_k[c] - M_k[a,c] - M_k[b,c])
           + 2 x_j x_k + J - J[a] - J[b] + x_j x_k,      A_m = W_m - C_m[a] - C_m[b] + x_m

where W is the weight of all combos of an opponent added so far, C[c] of those that hold card c,
M[a, c] of the combo {a, c} with M[c, c] = C[c], x the weight of {a, b} itself, J the sum of
w_j w_k over all combos and J[c] over those that hold card c. F is quadratic in t: F(0), F(1/2)
and F(1) give the weight of deals won alone, and tied with one or with two opponents.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.kernels import inlined, kernel, reordered
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

_CARDS = np.uint64(52)
_ALL = np.uint64(52)  # the index of the joint weight of all combos
_ONE = np.uint32(1)


class State(NamedTuple):
    """Total weights of the combos added so far: overall, by card, by combo, and jointly for two
    opponents.

    These are W, C, M and J in the module docstring.
    """

    all: NDArray[np.float64]
    """W, ``float64 (range,)``."""
    by_card: NDArray[np.float64]
    """C, ``float64 (range, card)``."""
    by_combo: NDArray[np.float64]
    """M, ``float64 (range, card, card)``."""
    joint: NDArray[np.float64]
    """J[c] of each card and, last, J of all combos, ``float64 (contest, 53)``."""


@reordered
def _sum_shared(state: State, j: np.uint64, k: np.uint64, a: np.uint32, b: np.uint32) -> float:
    """Sum, over the cards, the weights of the pairs of opposing combos that share the card.

    This is the sum over c in the module docstring.
    """
    total = 0.0
    for c in range(_CARDS):
        first = state.by_card[j, c] - state.by_combo[j, a, c] - state.by_combo[j, b, c]
        second = state.by_card[k, c] - state.by_combo[k, a, c] - state.by_combo[k, b, c]
        total += first * second
    return float(total)


@inlined
def _sum_disjoint_pairs(
    state: State,
    contest: Index,
    j: np.uint64,
    k: np.uint64,
    a: np.uint32,
    b: np.uint32,
) -> float:
    """Sum the weights of the pairs of opposing combos that share no card with the combo {a, b} or
    with each other.

    Only the weights added so far count. This is F in the module docstring.
    """
    own_j, own_k = state.by_combo[j, a, b], state.by_combo[k, a, b]
    all_j = state.all[j] - state.by_card[j, a] - state.by_card[j, b] + own_j
    all_k = state.all[k] - state.by_card[k, a] - state.by_card[k, b] + own_k
    same = state.joint[contest, _ALL] - state.joint[contest, a] - state.joint[contest, b]
    return float(all_j * all_k - _sum_shared(state, j, k, a, b) + same + 3 * own_j * own_k)


@inlined
def _add_combo(
    combo: np.uint32,
    part: float,
    joint_part: float,
    weights: NDArray[np.float64],
    contests: NDArray[np.uint64],
    state: State,
) -> None:
    """Add a combo's weights, times `part`, and their products, times `joint_part`, to the sums."""
    i, a, b = index_of(combo), high_card(combo), low_card(combo)
    for m in range(np.uint64(len(weights))):
        weight = part * weights[m, i]
        if weight != 0:
            state.all[m] += weight
            state.by_card[m, a] += weight
            state.by_card[m, b] += weight
            state.by_combo[m, a, b] += weight
            state.by_combo[m, b, a] += weight
            state.by_combo[m, a, a] += weight
            state.by_combo[m, b, b] += weight
    for contest in range(np.uint64(len(contests))):
        j, k = contests[contest, 1], contests[contest, 2]
        weight = joint_part * weights[j, i] * weights[k, i]
        if weight != 0:
            state.joint[contest, _ALL] += weight
            state.joint[contest, a] += weight
            state.joint[contest, b] += weight


@inlined
def _clear(count: np.uint32, order: Order, state: State) -> None:
    """Reset the state to zero, given that the first `count` combos in `order` were added to it."""
    state.all[:] = 0.0
    state.by_card[:] = 0.0
    state.joint[:] = 0.0
    # Clearing all 65 KB of M takes 2 µs a board, more than the sweep of a few combos.
    for n in range(count):
        a, b = high_card(order.combos[n]), low_card(order.combos[n])
        for m in range(np.uint64(len(state.all))):
            state.by_combo[m, a, b] = 0.0
            state.by_combo[m, b, a] = 0.0
            state.by_combo[m, a, a] = 0.0
            state.by_combo[m, b, b] = 0.0


@inlined
def _sweep(
    groups: Index,
    order: Order,
    weights: NDArray[np.float64],
    contests: NDArray[np.uint64],
    orbit_size: float,
    state: State,
    sums: NDArray[np.float64],
) -> None:
    """Add to `sums` the weight of the opposing pairs that each combo beats or ties on one board.

    The sums are those of F(0), F(1/2) and F(1), defined in the module docstring.
    """
    start = np.uint32(0)
    for group in range(groups):
        end = order.ends[group]
        # A combo alone in its group ties with no other: F is the same for all three t.
        steps = 1 if end - start == _ONE else 3
        for step in range(steps):
            for n in range(start, end):
                combo = order.combos[n]
                i, a, b = index_of(combo), high_card(combo), low_card(combo)
                for contest in range(np.uint64(len(contests))):
                    if weights[contests[contest, 0], i] == 0:
                        continue
                    j, k = contests[contest, 1], contests[contest, 2]
                    pairs = orbit_size * _sum_disjoint_pairs(state, contest, j, k, a, b)
                    sums[contest, i, step] += pairs
                    if steps == 1:
                        sums[contest, i, 1] += pairs
                        sums[contest, i, 2] += pairs
            # One call, because each is compiled separately. Half the weight adds 1/4 of the
            # products, the other half 3/4.
            if step < 2:
                part, joint_part = (1.0, 1.0) if steps == 1 else (0.5, 0.25 + 0.5 * step)
                for n in range(start, end):
                    _add_combo(order.combos[n], part, joint_part, weights, contests, state)
        start = end
    if sums.shape[2] > 3:
        for n in range(start):
            combo = order.combos[n]
            i, a, b = index_of(combo), high_card(combo), low_card(combo)
            for contest in range(np.uint64(len(contests))):
                if weights[contests[contest, 0], i] == 0:
                    continue
                j, k = contests[contest, 1], contests[contest, 2]
                sums[contest, i, 3] += orbit_size * _sum_disjoint_pairs(state, contest, j, k, a, b)
    _clear(start, order, state)


@kernel
def sweep_three(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.float64],
    contests: NDArray[np.uint64],
    sums: NDArray[np.float64],
) -> None:
    """Sum, over the given boards, the weight of the opposing pairs that each combo beats or ties.

    The sums are those of F(0), F(1/2) and F(1), defined in the module docstring.

    Args:
        boards: ``uint8 (board, 5)``.
        orbit_sizes: the number of boards in each board's orbit, ``uint8 (board,)``.
        combos: the live combos.
        weights: ``float64 (range, combo)``, 1 to 3 ranges.
        contests: the rows of `weights` of a hero and two opponents, ``uint64 (contest, 3)``.
        sums: ``float64 (contest, combo, 3)``, updated in place for the hero's combos, without
            the hero's own weights. If `combos` has the bounds of categories, ``float64
            (contest, category * combo, 4)``, with the weight of all opposing pairs; `weights`
            then has the same number of columns.
    """
    order = allocate_order(combos)
    state = State(
        np.zeros(len(weights)),
        np.zeros((len(weights), 52)),
        np.zeros((len(weights), 52, 52)),
        np.zeros((len(contests), 53)),
    )
    for board in range(np.uint64(len(boards))):
        groups = order_combos(boards, board, combos, order)
        if len(combos.category_bounds):
            label_categories(board, groups, combos, order)
        _sweep(groups, order, weights, contests, float(orbit_sizes[board]), state, sums)

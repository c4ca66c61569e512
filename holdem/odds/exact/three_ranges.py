"""Exact method for three ranges: every combo's wins and ties against the two other ranges.

As for two ranges, there is one pass over the combos in order of strength on each board. Pairs of
opposing combos that share cards are subtracted by inclusion-exclusion. Players with the same
weights have the same totals, which are computed once. If two of the ranges are small, the pairs of
their combos are compared with the third range instead
(`holdem.odds.exact.three_ranges_pair_kernels`): AK and QQ against a random hand take a fifth of the
time.

The method computes a function F(t) for each combo {a, b} of cards a and b. F(t) is the weight of
the pairs of opposing combos, one from each opponent, that share no card with {a, b} or with each
other. The weight of a pair is the product of its combos' weights. Here, combos weaker than {a, b}
count with their weight, equally strong combos with t times their weight, and stronger ones not at
all. So {a, b} beats pairs of the weight F(0) and beats or ties pairs of the weight F(1), and its
share of the pots is the integral of F from 0 to 1. For opponents j and k,

    F = A_j A_k - (sum of B_j[c] B_k[c] over c) + J - J[a] - J[b] + 3 M_j[a, b] M_k[a, b]
    A = W - C[a] - C[b] + M[a, b]
    B[c] = C[c] - M[a, c] - M[b, c]

where W is the weight of an opponent's combos that the pass has added so far, C[c] the weight of
those that hold card c, and M[c, d] the weight of the combo {c, d}, with M[c, c] = C[c]. J is the
sum, over all combos added so far, of the product of both opponents' weights, and J[c] the sum over
those that hold c.

If the weights of each range are multiples of a common unit, such as hundredths, sums are exact.
Otherwise, sums are doubles, added in the order of the boards, and sums below 1e-13 of a combo's
deals are set to 0, since they are rounding errors.
"""

from __future__ import annotations

from math import comb, isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cached_property import cached_property
from holdem.cards import CardArray
from holdem.jit.kernels import inlined, interruptible, kernel, reordered
from holdem.odds.card_removal import sum_unblocked_pairs
from holdem.odds.exact.integer_weights import Sums, express_as_integers
from holdem.odds.exact.method import ComboTotals
from holdem.odds.exact.sweep import (
    Combos,
    Index,
    Order,
    Sweep,
    allocate_order,
    high_card,
    index_of,
    label_categories,
    low_card,
    order_combos,
)
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_CARDS

_PLAYERS = 3
_MAX_PAIRS = comb(45, 2) * comb(43, 2)  # two opponents' combos beside a board and one combo
_QUARTERS = 4  # sums of F(1/2) are multiples of 1/4
_COMBOS_PER_TASK = 1 << 17  # some 10 ms
_EXACT = 1 << 53  # integers up to this are exact in doubles
_ROUNDING = 1e-13

# The cost of adding a combo, and of comparing it with the ranges of two opponents, in evaluations.
# Comparing a pair of combos with one range takes a third of that: 23 instead of 70 ns on a flop.
_ADD, _COMPARE, _PAIRS_PER_COMBO = 3, 50, 3
# With smaller weights, sums of doubles would lose too many digits.
_MIN_WEIGHT = 0.01


class ThreeRanges(Sweep):
    """Exact method for three ranges, which compares all combos in one pass per board.

    `_sums` has a row for each distinct range: players with the same weights share a row. Its
    quantities are 4 F(0), 4 F(1/2) and 4 F(1), where F is defined in the module docstring; by
    category, they are followed by four times the weight of all opposing pairs.
    """

    players = _PLAYERS
    is_exact: bool  # weights are integers, so all sums are exact; set by `prepare`

    @cached_property
    def by_pairs(self) -> bool:
        """Whether `sweep_pairs` computes the sums instead of `sweep_three`.

        It is faster if the two smallest ranges form few pairs of combos.
        """
        weights = self.spot.all_weights
        return _count_pairs(weights) < _PAIRS_PER_COMBO * _count_heroes(weights)

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost in evaluations; return None if the method does not apply.

        It applies to three players whose weights are all at least 0.01.
        """
        if spot.players != _PLAYERS or min(spot.weights(n).min() for n in range(3)) < _MIN_WEIGHT:
            return None
        return super().cost(spot, by_category=by_category)

    @classmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        by_combos = _COMPARE * _count_heroes(spot.all_weights)
        pairs = _COMPARE // _PAIRS_PER_COMBO * _count_pairs(spot.all_weights)
        return min(by_combos, _ADD * len(spot.live_combos) + pairs)

    def prepare(self) -> None:
        super().prepare()
        weights = self.spot.all_weights
        # Six times the sum over all boards must fit in an integer (see `_compute_player_totals`),
        # and the sum over the boards of one orbit in a double.
        of_a_board = _QUARTERS * _MAX_PAIRS
        all_boards = 6 * of_a_board * int(self.boards.orbit_sizes.sum(dtype=np.int64))
        orbit = of_a_board * int(self.boards.orbit_sizes.max())
        largest = isqrt(min((1 << 63) // all_boards, _EXACT // orbit))
        as_integers = [express_as_integers(own, largest) for own in weights]
        self.is_exact = all(len(own.numbers) == 1 for own in as_integers)
        self._numbers, self._units = weights, [1.0] * _PLAYERS
        if self.is_exact:
            self._numbers = np.concatenate([own.numbers for own in as_integers])
            self._units = [float(own.divisor / own.units[0]) for own in as_integers]
        self._first_with_range = _find_first_with_range(weights)
        self._heroes = sorted(set(self._first_with_range))
        columns = len(self.combos) * self._categories
        sums = np.zeros((len(self._heroes), columns, 3 + self.by_category))
        self._sums = sums.astype(np.int64) if self.is_exact else sums
        # `sweep_pairs` has a row of sums for each player, `sweep_three` for each distinct range.
        self._arguments, self._rows = (
            self._prepare_pair_arguments() if self.by_pairs else self._prepare_combo_arguments()
        )

    def _prepare_combo_arguments(self) -> tuple[tuple[Any, ...], list[int]]:
        """Build `weights` and `contests` of `sweep_three`; also, for each row of `_sums`, give the
        row of the kernel's sums that is added to it.
        """
        weights = self._repeat_by_category(self._numbers[self._heroes][:, self.combos])
        row = [self._heroes.index(first) for first in self._first_with_range]
        # Players with the same weights face the same opponents, in either order.
        contests = {row[n]: [row[n], row[n - 1], row[n - 2]] for n in range(_PLAYERS)}
        return (weights, np.array(list(contests.values()), np.uint64)), list(contests)

    def _prepare_pair_arguments(self) -> tuple[tuple[Any, ...], list[int]]:
        """Build `weights` and `pairs` of `sweep_pairs`; also, for each row of `_sums`, give the row
        of the kernel's sums that is added to it.
        """
        from holdem.odds.exact.three_ranges_pair_kernels import Pairs

        held = self.spot.all_weights[:, self.combos] > 0
        by_size = np.argsort(np.count_nonzero(held, axis=1), kind="stable").tolist()
        small, medium = (np.flatnonzero(held[player]) for player in by_size[:2])
        sets = self._sortable.sets
        disjoint = np.nonzero(sets[small][:, None] & sets[medium] == 0)
        combos = np.stack([small[disjoint[0]], medium[disjoint[1]]], axis=1)
        cards = COMBO_CARDS[self.combos[combos]].reshape(-1, 4)
        cards = np.ascontiguousarray(np.sort(cards, axis=1)[:, ::-1])
        weights = self._repeat_by_category(self._numbers[by_size][:, self.combos])
        arguments = weights, Pairs(combos.astype(np.uint32), cards)
        return arguments, [by_size.index(hero) for hero in self._heroes]

    def _choose_boards_per_task(self) -> int:
        boards = super()._choose_boards_per_task()
        if not self.is_exact:
            return boards
        # Few enough boards that the kernels' sums, which are doubles, are exact.
        largest = int(self._numbers.max()) ** 2 * int(self.boards.orbit_sizes.max())
        return min(boards, _EXACT // (_QUARTERS * _MAX_PAIRS * largest))

    def _choose_kernel_boards_per_task(self) -> int:
        return _COMBOS_PER_TASK // (_count_heroes(self.spot.all_weights) + 1)

    def _compare(self, boards: CardArray, orbit_sizes: NDArray[np.uint8], combos: Combos) -> Sums:
        from holdem.odds.exact.three_ranges_pair_kernels import sweep_pairs

        sweep = interruptible(sweep_pairs if self.by_pairs else sweep_three)
        sums = np.zeros((_PLAYERS, *self._sums.shape[1:]))
        sweep(boards, orbit_sizes, combos, *self._arguments, sums)
        quarters: Sums = sums[self._rows] * _QUARTERS
        return quarters.astype(np.int64) if self.is_exact else quarters

    def _compute_totals(self, sums: Sums) -> tuple[ComboTotals, ...]:
        totals = {
            hero: self._compute_player_totals(hero, own)
            for hero, own in zip(self._heroes, sums, strict=True)
        }
        return tuple(totals[hero] for hero in self._first_with_range)

    def _compute_player_totals(self, player: int, sums: Sums) -> ComboTotals:
        """Convert a player's sums over all boards to wins, ties, losses and pot shares.

        `sums` are 4 F(0), 4 F(1/2) and 4 F(1) by combo, ``(3, 1326)``. The factor of 4 makes them
        integers if the weights are. By category, ``(4, 1326)``: the last row is four times the
        weight of all deals.
        """
        combos = self.spot.live[player]
        one, other = (opponent for opponent in range(_PLAYERS) if opponent != player)
        alone, half, at_top = sums[:3, combos]
        unit = self._units[one] * self._units[other]
        pairs = sum_unblocked_pairs(self._numbers[one], self._numbers[other])[combos]
        all_deals: Sums = float(_QUARTERS * self.spot.runouts) * pairs
        if self.is_exact:
            all_deals = _QUARTERS * self.spot.runouts * pairs.astype(np.int64)
        deals = sums[3, combos] if self.by_category else all_deals

        def divide(quarters: Sums, parts: int = 1) -> NDArray[np.float64]:
            if not self.is_exact:
                quarters = np.where(quarters < _ROUNDING * parts * all_deals, 0.0, quarters)
            result: NDArray[np.float64] = quarters / (_QUARTERS * parts * unit)
            return result

        # The share is the integral of F from 0 to 1; Simpson's rule is exact for quadratics.
        return ComboTotals(
            combos,
            wins=divide(alone),
            ties=divide(at_top - alone),
            losses=divide(deals - at_top),
            shares=divide(alone + 4 * half + at_top, parts=6),
        )


def _find_first_with_range(weights: NDArray[np.float64]) -> list[int]:
    """Find, for each player, the index of the first player with the same weights.

    `weights` is ``float64 (player, 1326)``.
    """
    return [next(n for n in range(_PLAYERS) if (weights[n] == own).all()) for own in weights]


def _count_heroes(weights: NDArray[np.float64]) -> int:
    """Count the combos of all players; those of a range that several players have count once.

    `weights` is ``float64 (player, 1326)``, 0 for combos that a player does not have.
    """
    return int(np.count_nonzero(weights[sorted(set(_find_first_with_range(weights)))]))


def _count_pairs(weights: NDArray[np.float64]) -> int:
    """Count the ways to choose one combo from each of the two smallest ranges.

    `weights` is ``float64 (player, 1326)``. Combos that share a card are not excluded.
    """
    small, medium, _ = sorted(np.count_nonzero(weights, axis=1).tolist())
    return int(small * medium)


# --- one pass per board -------------------------------------------------------------------

_CARDS = np.uint64(52)
_ALL = np.uint64(52)  # the index of the joint weight of all combos
_ONE = np.uint32(1)


class State(NamedTuple):
    """Sums over the combos added so far: W, C, M and J of the module docstring.

    J is computed for each contest: a player's range together with the ranges of the two opponents.
    """

    all: NDArray[np.float64]
    """W, the weight of all combos, ``float64 (range,)``."""
    by_card: NDArray[np.float64]
    """C, the weight of the combos that hold each card, ``float64 (range, card)``."""
    by_combo: NDArray[np.float64]
    """M, the weight of each combo, ``float64 (range, card, card)``."""
    joint: NDArray[np.float64]
    """J[c] for each card and, last, J, ``float64 (contest, 53)``."""


@reordered
def _sum_shared(state: State, j: np.uint64, k: np.uint64, a: np.uint32, b: np.uint32) -> float:
    """Compute the sum of B_j[c] B_k[c], as in the module docstring, over all cards c.

    For a card c other than a and b, the product is the weight of the pairs of opposing combos that
    both hold c and hold neither a nor b. `j` and `k` are the rows of the opponents' ranges in
    `state`; `a` is the higher card of the player's combo, `b` the lower.
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
    """Compute F of the combo {a, b}, as in the module docstring, from the weights added so far.

    F is the weight of the pairs of opposing combos that share no card with {a, b} or with each
    other. `contest` is the row of `State.joint` for the two opponents; the other arguments are
    those of `_sum_shared`.
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
    """Add a combo, packed as in `Combos.packed`, with a part of its weights to the sums in `state`.

    `part` is the fraction of its weights that is added to W, C and M, `joint_part` that of the
    product of two opponents' weights that is added to J, both 0..1. `weights` and `contests` are
    those of `sweep_three`.
    """
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
    """Reset all sums in `state` to 0; only the first `count` combos in `order` were added to it."""
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
    """Add F(0), F(1/2) and F(1) of each combo on one board to `sums`.

    F is defined in the module docstring. The board, which counts `orbit_size` times, is given by
    its `groups` groups of equal strength and the combos in `order`. The work arrays of `state` must
    be 0 before the call and are 0 again after it. The other arguments are those of `sweep_three`.
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
    """Add F(0), F(1/2) and F(1) of each combo, over boards ``uint8 (board, 5)``, to `sums`.

    F, the weight of the opposing pairs that a combo beats or ties, is defined in the module
    docstring. Each board counts as often as `orbit_sizes` says, ``uint8 (board,)``. `weights` is
    ``float64 (range, combo)``, of 1 to 3 ranges. `contests` has the rows of `weights` for a player
    and two opponents, ``uint64 (contest, 3)``.

    `sums` is ``float64 (contest, combo, 3)``, for the player's combos, not multiplied by their own
    weights. If `Combos.category_bounds` is not empty, it is ``float64 (contest, category * combo,
    4)``, also with the weight of all opposing pairs; `weights` then has the same number of columns.
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

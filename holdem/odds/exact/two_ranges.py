"""Exact method for two ranges: every combo's wins and ties against the other range.

On each board, one pass over the combos in order of strength finds the weight of the opposing combos
that each combo beats and ties. A combo beats the weight of all weaker combos, minus the weight of
those with its first card, minus the weight of those with its second card: two subtractions instead
of a comparison with every opposing combo. So the time grows with the number of combos, not with the
number of match-ups. All sums are integers (`holdem.odds.exact.integer_weights`), so they do not
depend on the order in which boards are added.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.kernels import inlined, kernel, kernel_or_numpy
from holdem.odds.card_removal import sum_unblocked
from holdem.odds.exact.integer_weights import IntegerWeights, Sums, express_as_integers
from holdem.odds.exact.method import COMBO_IN_NUMPY, ComboTotals, combine_outcomes
from holdem.odds.exact.ranked_combos import BLOCKED_16, rank_combos_in_numpy
from holdem.odds.exact.sweep import (
    BOARD,
    ORDER,
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
from holdem.ranges.combos import COMBO_COUNT, combo_numbers

_COMPARE = 3  # the cost of comparing a combo with an opponent's range, in evaluations
_MAX_SUM = 1 << 62
_EVALUATIONS_PER_TASK = 1 << 21  # take some 3 ms


def estimate_board(combos: int, rows: int) -> int:
    """Estimate the cost, in evaluations, of sweeping the combos on one board.

    Each of the `rows` of weights in `sweep_boards` takes a pass over the combos.
    """
    return BOARD + combos * (ORDER + _COMPARE * rows)


def choose_boards_per_task(combos: int, rows: int) -> int:
    """Choose the number of boards on which one task sweeps the combos."""
    return _EVALUATIONS_PER_TASK // estimate_board(combos, rows)


class TwoRanges(Sweep):
    """Exact method for two ranges, which compares all combos in one pass per board.

    Weights are expressed by one or more layers, each with one integer for each combo
    (`IntegerWeights`). `_sums` has a row for each layer of the opponents' weights, player 2's
    layers first; two equal ranges have the same rows. Its quantities are the sum of the integers
    of the opposing combos that a combo beats, and of those that it beats or ties.
    """

    players = (2,)

    @classmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        return _COMPARE * len(spot.live_combos) * (1 if _have_same_weights(spot) else 2)

    def prepare(self) -> None:
        super().prepare()
        spot = self.spot
        self._sweep_boards: Callable[..., None] = sweep_boards
        if self._ranker.tables:
            cost = estimate_rows(len(self.boards.cards), len(self.combos), self._categories)
            self._sweep_boards = kernel_or_numpy(sweep_boards, sweep_boards_in_numpy, cost)
        # The most weights that are added up for one combo over all boards.
        terms = COMBO_COUNT * comb(spot.cards_left, spot.to_come)
        # Equal ranges are stored once, for both players.
        distinct = spot.all_weights[: 1 if _have_same_weights(spot) else 2]
        self._weights = [express_as_integers(own, _MAX_SUM // terms) for own in distinct]
        opponents = self._weights[::-1]  # player 2's layers come first
        numbers = np.concatenate([weights.numbers[:, self.combos] for weights in opponents])
        self._numbers = self._repeat_by_category(numbers.astype(np.int64))
        self._sums = np.zeros((*self._numbers.shape, 2 + self.by_category), dtype=np.int64)

    def _choose_kernel_boards_per_task(self) -> int:
        return choose_boards_per_task(len(self.combos), len(self._numbers))

    def _compare(self, boards: CardArray, orbit_sizes: NDArray[np.uint8], combos: Combos) -> Sums:
        sums = np.zeros(self._sums.shape, dtype=np.int64)
        self._sweep_boards(boards, orbit_sizes, combos, self._numbers, sums)
        return sums

    def _compute_totals(self, sums: Sums) -> tuple[ComboTotals, ...]:
        if len(self._weights) == 1:
            both = self._compute_player_totals(0, self._weights[0], sums)
            return both, both
        first, second = self._weights
        layers = len(second.numbers)
        return (
            self._compute_player_totals(0, second, sums[:layers]),
            self._compute_player_totals(1, first, sums[layers:]),
        )

    def _compute_player_totals(
        self, player: int, against: IntegerWeights, sums: Sums
    ) -> ComboTotals:
        """Convert sums of the opponent's integer weights to a player's totals.

        `sums` has, for each layer of `against` and each combo of the player, the sum of the
        integers of the opposing combos that it beats, and of those that it beats or ties, ``(layer,
        2, 1326)``. By category, it is ``(layer, 3, 1326)``, also with the sum over all opposing
        combos that share no card with it.
        """
        combos = self.spot.live[player]
        beaten, not_lost = sums[:, 0, combos], sums[:, 1, combos]
        if self.by_category:
            deals = sums[:, 2, combos]
        else:
            unblocked = sum_unblocked(against.numbers)[:, combos]
            deals = unblocked.astype(np.int64) * self.spot.runouts
        outcome_sums = np.array([beaten, not_lost - beaten, deals - not_lost])
        return combine_outcomes(combos, against, outcome_sums)


def _have_same_weights(spot: Spot) -> bool:
    first, second = spot.live
    return np.array_equal(first, second) and np.array_equal(spot.weights(0), spot.weights(1))


# --- kernels -----------------------------------------------------------------------------


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
    """Add the opposing weight that each combo beats on a board, and beats or ties, to `sums`.

    `groups` and `order` are the result of `order_combos` on the board, which counts `orbit_size`
    times. `row` is that of `weights`, ``int64 (row, combo)``, and of `sums`, ``int64 (row, combo, 2
    or 3)``; the weight beaten is added to the first number, and the weight beaten or tied to the
    second. `by_card` is a work array, ``int64 (64,)``, which has, at the end, for each card the
    weight of the opposing combos that hold it.
    """
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
    """Add the weight of all opposing combos that each combo can face on a board to `sums`.

    This must follow `sweep_order` on the same board and row, which leaves the weights by card in
    `by_card`. The arguments are those of `sweep_order`, except `count`, the number of combos in
    `order`. The weights are added to the last of three numbers in `sums`, ``int64 (row, combo,
    3)``.
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
    """Add the opposing weight that each combo beats, and that it beats or ties, to `sums`.

    Each board, ``uint8 (board, 5)``, counts as often as `orbit_sizes` says, ``uint8 (board,)``.
    `weights` are those of the opponents as integers, with a row for each layer of their
    `IntegerWeights`, ``int64 (row, combo)``. `sums` is ``int64 (row, combo, 2)``; opposing combos
    that share a card with the combo don't count.

    If `Combos.category_bounds` is not empty, `weights` are repeated for each category of the
    combo's hand, ``int64 (row, category * combo)``, and `sums` is ``int64 (row, category * combo,
    3)``, also with the weight of all opposing combos.
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
    """Add the weights of the deals that a player wins, ties and loses on each board to `sums`.

    `boards` is ``uint8 (board, 5)``. `weights` has the integers of the opponent's `IntegerWeights`,
    with a row for each layer, ``int64 (row, combo)``. `own_weights` are the player's, multiplied in
    each row by the unit of the opponent's layer and divided by the opponent's divisor, ``float64
    (row, combo)``. `sums` is ``float64 (board, 3)``, exact if `own_weights` are small integers, and
    otherwise rounded.
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


_HIGHEST = np.int16(np.iinfo(np.int16).max)


def estimate_rows(boards: int, combos: int, categories: int) -> int:
    """Estimate the cost of `sweep_boards_in_numpy`, in evaluations of numpy, some 25 ns each.

    `categories` is 1 if there are no sums by category.
    """
    # Two combos are compared on 32 boards in the time of an evaluation, and summed in as much;
    # each further category adds a quarter.
    others = combos * (boards + 32) * (3 + categories) // 128
    return combos * (COMBO_IN_NUMPY + boards + others)


def sweep_boards_in_numpy(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    combos: Combos,
    weights: NDArray[np.int64],
    sums: NDArray[np.int64],
) -> None:
    """Compute the sums of `sweep_boards` in numpy, by comparing every combo with all others.

    The arguments are those of `sweep_boards`; `combos` must have a table of strengths.
    """
    count, bounds = len(combos.sets), combos.category_bounds
    cards = np.stack([combos.packed >> 6 & 63, combos.packed & 63], axis=1).astype(np.uint8)
    ranked = np.ascontiguousarray(
        rank_combos_in_numpy(combos.table, boards, combo_numbers(cards)).T
    )
    blocked = ranked == BLOCKED_16
    others = np.where(blocked, _HIGHEST, ranked)
    categories = np.searchsorted(bounds, ranked, side="right")
    categories[blocked] = -1
    by_category = np.arange(len(bounds) + 1)[:, None]
    for combo in range(count):
        met = np.flatnonzero(combos.sets & combos.sets[combo] == 0)
        # Counts of boards are exact in single precision.
        sizes = ((categories[combo] == by_category) * orbit_sizes).astype(np.float32)
        rivals, own = others[met], ranked[combo]
        outcomes = [rivals < own, rivals <= own, rivals < _HIGHEST]
        for quantity in range(sums.shape[2]):
            counts = outcomes[quantity].astype(np.float32) @ sizes.T
            sums[:, combo::count, quantity] += weights[:, met] @ counts.astype(np.int64)

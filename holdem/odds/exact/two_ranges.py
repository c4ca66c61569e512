"""Exact method for two ranges: every combo's wins and ties against the other range.

One pass over the combos in order of strength finds the weight that each one beats and ties
(`holdem.odds.exact.two_ranges_kernels`). Its time grows with the number of combos, not with the
number of match-ups. All sums are integers (`holdem.odds.exact.integer_weights`), so results of
tasks can be added in any order.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.numpy_first import kernel_or_numpy
from holdem.odds.card_removal import sum_unblocked
from holdem.odds.exact.integer_weights import IntegerWeights, Sums, express_as_integers
from holdem.odds.exact.sweep import BOARD, ORDER, Sweep
from holdem.odds.exact.sweep_kernels import Combos
from holdem.odds.exact.totals import ComboTotals, combine_outcomes
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_COUNT

_COMPARE = 3  # the cost of comparing a combo with an opponent's range
_MAX_SUM = 1 << 62
_EVALUATIONS_PER_TASK = 1 << 21  # take some 3 ms


def estimate_board(combos: int, rows: int) -> int:
    """Estimate the cost of comparing combos on a board with each row of weights."""
    return BOARD + combos * (ORDER + _COMPARE * rows)


def choose_boards_per_task(combos: int, rows: int) -> int:
    """Choose the number of boards on which a task compares combos with each row of weights."""
    return _EVALUATIONS_PER_TASK // estimate_board(combos, rows)


class TwoRanges(Sweep):
    """Exact method for two ranges, which compares all combos in one pass per board.

    `_sums` has a row for each layer of opponents' weights.
    """

    players = 2

    @classmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        return _COMPARE * len(spot.combos) * (1 if _have_same_weights(spot) else 2)

    def prepare(self) -> None:
        """Prepare the boards, the combos and the opponents' weights, converted to integers."""
        # Imported here and not in each task, where the statement would take 0.6 of 5 µs.
        from holdem.odds.exact.counting_in_numpy import estimate_rows, sweep_boards_in_numpy
        from holdem.odds.exact.two_ranges_kernels import sweep_boards

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
        """Compute the wins, ties, losses and pot shares of a player's combos from the weights that
        each combo beats and ties.

        Args:
            player: 0 or 1.
            against: the opponent's weights.
            sums: the weights beaten, and beaten or tied, ``(layer, 2, 1326)``; by category, also
                those of all deals.
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

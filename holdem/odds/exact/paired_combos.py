"""Exact method for small spots on a board: every combo of one player against each of the other.

Each combo is ranked once for each runout. There are no weights, and neither match-ups nor boards
are listed, so that a small spot takes some microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from holdem.jit.numpy_first import kernel_or_numpy
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.counting_in_numpy import compare_combos_in_numpy, estimate_pairs
from holdem.odds.exact.method import ExactMethod, require_table
from holdem.odds.exact.runout_kernels import compare_combos
from holdem.odds.exact.totals import ComboTotals, PlayerSums, convert_two_players
from holdem.odds.spot import Spot

_COMPARISONS = 4  # that take the time of an evaluation

#: The deals that the first player wins and ties, and all deals.
_Counts = tuple[int, int, int]


class PairedCombos(ExactMethod):
    """Exact method that compares every combo of one player with each of the other."""

    name = "combos compared in pairs"
    _counts: _Counts

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost; None unless there are two players without weights, on a board and
        with tables, or for categories.
        """
        if spot.players != 2 or not spot.board or by_category or not spot.evaluator.has_tables:
            return None
        if not spot.is_unweighted:
            return None
        first, second = map(len, spot.live)
        return spot.runouts * (first + second + first * second // _COMPARISONS)

    def prepare(self) -> None:
        """Load the table of strengths."""
        self._table = require_table(self.spot)

    def tasks(self) -> Iterator[Task[_Counts]]:
        """Create a single task, which compares all combos."""
        yield Task(self._compare, self.total)

    def _compare(self, workers: Workers) -> _Counts:  # noqa: ARG002
        spot = self.spot
        count, rivals = map(len, spot.live)
        cost = estimate_pairs(spot.runouts, count, rivals)
        compare: Callable[..., _Counts] = kernel_or_numpy(
            compare_combos, compare_combos_in_numpy, cost
        )
        self._sums = np.zeros((3, count + rivals), dtype=np.int64)
        boards = np.array([spot.board], dtype=np.uint8)
        combos = np.concatenate(spot.live)
        return compare(
            self._table, combos, count, boards, np.uint64(spot.gone), spot.runouts, self._sums
        )

    def add(self, part: _Counts) -> bool:
        """Keep the counts; return False, because every task is needed."""
        self._counts = part
        return False

    def player_sums(self) -> tuple[PlayerSums, ...]:
        """Convert the counts to both players' sums."""
        return convert_two_players(*self._counts)

    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the wins, ties, losses and pot shares of each player's combos."""
        first, second = self.spot.live
        split = np.split(self._sums.astype(np.float64), [len(first)], axis=1)
        return _make_totals(first, split[0]), _make_totals(second, split[1])


def _make_totals(combos: NDArray[np.intp], sums: NDArray[np.float64]) -> ComboTotals:
    wins, ties, deals = sums
    return ComboTotals(combos, wins, ties, deals - wins - ties, wins + ties / 2)

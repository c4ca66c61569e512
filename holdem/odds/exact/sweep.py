"""Sweeps: one pass over all live combos, in order of strength, on each board.

`Sweep` is the base class of `TwoRanges` and `ThreeRanges`, which differ in the sums that the pass
computes; `holdem.odds.exact.sweep_kernels` orders the combos. Boards that are equal up to suit
permutations are swept once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.evaluator import Ranker
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.integer_weights import Sums
from holdem.odds.exact.method import THROUGH_ARRAYS, ExactMethod, estimate_ranking
from holdem.odds.exact.ranked_combos import HANDS_PER_TASK, rank_combos
from holdem.odds.exact.sweep_kernels import Combos, lay_out_combos, sort_by_ranks
from holdem.odds.exact.totals import ComboTotals, PlayerSums, sum_over_combos
from holdem.odds.spot import Spot
from holdem.odds.symmetry import CanonicalBoards, list_canonical_boards, weight_fixing_permutations
from holdem.ranges.combos import COMBO_COUNT

# The cost of a board, and of ordering a combo on it, in evaluations of a kernel.
BOARD, ORDER = 300, 1


class Sweep(ExactMethod):
    """Base class of `TwoRanges` and `ThreeRanges`, which compare all combos in one pass per board.

    Attributes:
        boards: the boards to sweep; set by `prepare`.
        combos: the live combos in the order of the sums, ``intp (combo,)``; set by `prepare`.
    """

    name = "all combos swept over boards"
    players: ClassVar[int]

    boards: CanonicalBoards
    combos: NDArray[np.intp]
    _ranker: Ranker
    _sortable: Combos
    _sums: Sums
    """Sums over the boards swept so far, ``(row, combo, quantity)``; by category, ``(row,
    category * combo, quantity + 1)``: the last quantity is that of all deals."""

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:  # noqa: ARG003
        """Estimate the cost; None if the spot does not have `players` players."""
        if spot.players != cls.players:
            return None
        board = BOARD + ORDER * len(spot.combos) + cls._estimate_comparing(spot)
        if not spot.evaluator.has_tables:
            board = estimate_ranking(spot) + board // THROUGH_ARRAYS
        return spot.boards * board // len(weight_fixing_permutations(spot))

    @classmethod
    @abstractmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        """Estimate the cost of comparing the ordered combos on one board."""

    def prepare(self) -> None:
        """Load the evaluator, list the boards to sweep and lay out the combos for sorting."""
        spot = self.spot
        self._ranker = spot.evaluator.ranker
        # On the turn and the river there are too few boards for symmetry to save time.
        permutations = np.zeros(1, dtype=np.intp)
        if len(spot.board) < 4:
            permutations = weight_fixing_permutations(spot)
        self.boards = list_canonical_boards(spot.board, spot.free, permutations)
        self.combos = sort_by_ranks(spot.combos)
        self._sortable = lay_out_combos(self.combos, self._ranker.tables)
        if self.by_category:
            bounds = self._ranker.scale.category_bounds
            self._sortable = self._sortable._replace(category_bounds=bounds)

    def tasks(self) -> Iterator[Task[Sums]]:
        """Create tasks that each sweep one batch of boards."""
        return self.batches(self._sweep, len(self.boards.cards), self._choose_boards_per_task())

    def _choose_boards_per_task(self) -> int:
        if self._ranker.tables:
            return self._choose_kernel_boards_per_task()
        return HANDS_PER_TASK // len(self.combos)

    @abstractmethod
    def _choose_kernel_boards_per_task(self) -> int:
        """Choose the number of boards to sweep per task if tables rank the combos."""

    def _sweep(self, rows: slice, workers: Workers) -> Sums:
        boards, combos = self.boards.cards[rows], self._sortable
        if not self._ranker.tables:
            strengths = rank_combos(self._ranker, boards, self.combos, workers)
            combos = combos._replace(strengths=strengths, ranking=strengths.argsort(axis=1))
        return self._compare(boards, self.boards.orbit_sizes[rows], combos)

    @abstractmethod
    def _compare(self, boards: CardArray, orbit_sizes: NDArray[np.uint8], combos: Combos) -> Sums:
        """Compare all combos on a batch of boards; return the opposing weight that each beats or
        ties.
        """

    @property
    def _categories(self) -> int:
        """The number of categories to sum by; 1 if the method does not sum by category."""
        return len(self._sortable.category_bounds) + 1

    def _repeat_by_category(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Repeat weights, ``(row, combo)``, for each category, as ``(row, category * combo)``."""
        # In C order; columns chosen by index have the other, for which numba would compile the
        # kernels once more.
        return np.ascontiguousarray(np.concatenate([weights] * self._categories, axis=1))

    def _sum_by_combo(self) -> Sums:
        """Sum, over all boards, the opposing weight that each combo beats or ties.

        The shape is ``(category, row, quantity, 1326)``, with the rows and quantitys of `_sums`.
        """
        rows, columns, quantitys = self._sums.shape
        count = columns // self._categories
        sums = self._sums.reshape(rows, -1, count, quantitys).transpose(1, 0, 3, 2)
        by_combo = cast(Sums, np.zeros_like(sums, shape=(*sums.shape[:3], COMBO_COUNT)))
        by_combo[..., self.combos] = sums
        return self.boards.spread(by_combo)

    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the wins, ties, losses and pot shares of each player's combos."""
        (sums,) = self._sum_by_combo()
        return self._compute_totals(sums)

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Compute each player's sums by the category of the hand, the weakest category first."""
        by_category = [self._compute_totals(sums) for sums in self._sum_by_combo()]
        return tuple(
            tuple(sum_over_combos(self.spot, player, totals) for totals in own)
            for player, own in enumerate(zip(*by_category, strict=True))
        )

    @abstractmethod
    def _compute_totals(self, sums: Sums) -> tuple[ComboTotals, ...]:
        """Compute the totals from sums over all boards, ``(row, quantity, 1326)``."""

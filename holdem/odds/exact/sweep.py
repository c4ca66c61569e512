"""Base class of the exact methods that compare all live combos in one pass per board.

`TwoRanges` and `ThreeRanges` differ in the sums that the pass computes. Boards that are equal
up to suit permutations are swept once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.integer_weights import Sums
from holdem.odds.exact.method import THROUGH_ARRAYS, ExactMethod, cost_of_ranking
from holdem.odds.exact.ordering.ranked_combos import HANDS_PER_TASK
from holdem.odds.exact.ordering.sortable_combos import (
    sort_by_ranks,
    sortable_combos,
    with_strengths,
)
from holdem.odds.exact.totals import ComboTotals, PlayerSums, player_sums
from holdem.odds.spot import Spot
from holdem.odds.symmetry.canonical_boards import CanonicalBoards, canonical_boards
from holdem.odds.symmetry.matchups import weight_fixing_permutations
from holdem.ranges.combos import COMBO_COUNT

if TYPE_CHECKING:
    from holdem.odds.exact.ordering.kernels import Combos

# The cost of a board, and of ordering a combo on it, in evaluations of a fused loop.
_BOARD, _ORDER = 300, 1


class Sweep(ExactMethod):
    """Base class of `TwoRanges` and `ThreeRanges`, which compare all combos in one pass per board.

    Attributes:
        by_category: whether the sums are kept by the category of the hand, for
            `category_sums`.
        boards: the boards to sweep; set by `prepare`.
        combos: the live combos in the order of the sums, ``intp (combo,)``; set by `prepare`.
    """

    name = "all combos swept over boards"
    players: ClassVar[int]

    boards: CanonicalBoards
    combos: NDArray[np.intp]
    _sortable: Combos
    _sums: Sums
    """Sums over the boards swept so far, ``(row, combo, figure)``; by category, ``(row,
    category * combo, figure + 1)``: the last figure is that of all deals."""

    def __init__(self, spot: Spot, *, by_category: bool = False) -> None:
        super().__init__(spot)
        self.by_category = by_category

    @classmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:  # noqa: ARG003
        """Return the estimated cost, or None if the spot does not have `players` players."""
        if spot.players != cls.players:
            return None
        board = _BOARD + _ORDER * len(spot.combos) + cls._cost_of_comparing(spot)
        if not spot.evaluator.is_fused:
            board = cost_of_ranking(spot) + board // THROUGH_ARRAYS
        return spot.boards * board // len(weight_fixing_permutations(spot))

    @classmethod
    @abstractmethod
    def _cost_of_comparing(cls, spot: Spot) -> int:
        """Return the cost of comparing the ordered combos on one board."""

    def prepare(self) -> None:
        """Load the evaluator, list the boards to sweep and lay out the combos for sorting."""
        spot = self.spot
        if not spot.evaluator.is_fused:
            spot.evaluator.load()
        # On the turn and the river there are too few boards for symmetry to save time.
        permutations = np.zeros(1, dtype=np.intp)
        if len(spot.board) < 4:
            permutations = weight_fixing_permutations(spot)
        self.boards = canonical_boards(spot.board, spot.free, permutations)
        self.combos = sort_by_ranks(spot.combos)
        self._sortable = sortable_combos(self.combos)
        if self.by_category:
            bounds = spot.evaluator.scale.category_bounds
            self._sortable = self._sortable._replace(category_bounds=bounds)

    def tasks(self) -> Iterator[Task[Sums]]:
        """Yield tasks, each of which sweeps one batch of boards."""
        together = self._boards_per_task()
        starts = range(0, len(self.boards.cards), together)
        for start in starts:
            yield Task(partial(self._sweep, slice(start, start + together)), 1 / len(starts))

    def _boards_per_task(self) -> int:
        if self.spot.evaluator.is_fused:
            return self._fused_boards_per_task()
        return max(1, HANDS_PER_TASK // len(self.combos))

    @abstractmethod
    def _fused_boards_per_task(self) -> int:
        """Return the number of boards to sweep per task with the default evaluator."""

    def _sweep(self, rows: slice, workers: Workers) -> Sums:
        boards, combos = self.boards.cards[rows], self._sortable
        if not self.spot.evaluator.is_fused:
            combos = with_strengths(combos, self.combos, boards, self.spot.evaluator, workers)
        return self._compare(boards, self.boards.orbit_sizes[rows], combos)

    @abstractmethod
    def _compare(self, boards: CardArray, orbit_sizes: NDArray[np.uint8], combos: Combos) -> Sums:
        """Compare all combos on a batch of boards; return the opposing weight that each beats or
        ties.
        """

    def add(self, part: Sums) -> None:
        """Add the sums returned by a task."""
        self._sums += part

    @property
    def _categories(self) -> int:
        """The number of categories by which sums are kept; 1 if they are not."""
        return len(self._sortable.category_bounds) + 1

    def _by_category(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Repeat ``(row, combo)`` for each category, as ``(row, category * combo)``."""
        # In C order; columns chosen by index have the other, for which numba would compile the
        # kernels once more.
        return np.ascontiguousarray(np.tile(weights, (1, self._categories)))

    def _sums_by_combo(self) -> Sums:
        """Return the opposing weight that each combo beats or ties, summed over all boards.

        The shape is ``(category, row, figure, 1326)``, with the rows and figures of `_sums`.
        """
        rows, columns, figures = self._sums.shape
        count = columns // self._categories
        sums = self._sums.reshape(rows, -1, count, figures).transpose(1, 0, 3, 2)
        by_combo = cast(Sums, np.zeros_like(sums, shape=(*sums.shape[:3], COMBO_COUNT)))
        by_combo[..., self.combos] = sums
        return self.boards.spread(by_combo)

    def totals(self) -> tuple[ComboTotals, ...]:
        """Return the wins, ties, losses and pot shares of each player's combos."""
        (sums,) = self._sums_by_combo()
        return self._totals(sums)

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Return each player's sums by the category of the hand, the weakest category first.

        The result has a tuple for each player.
        """
        by_category = [self._totals(sums) for sums in self._sums_by_combo()]
        return tuple(
            tuple(player_sums(self.spot, player, totals) for totals in own)
            for player, own in enumerate(zip(*by_category, strict=True))
        )

    @abstractmethod
    def _totals(self, sums: Sums) -> tuple[ComboTotals, ...]:
        """Return the totals, given sums over all boards, ``(row, figure, 1326)``."""

"""Base class of the exact methods that compare all live combos in one pass per board.

`TwoRanges` and `ThreeRanges` differ in the sums that the pass computes. Boards that are equal
up to suit permutations are swept once. The kernels read the combos in the layout of `Combos`
and order them on each board (`holdem.odds.exact.ordering_kernels`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup_keys import RANK_KEYS
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.integer_weights import Sums
from holdem.odds.exact.method import THROUGH_ARRAYS, ExactMethod, estimate_ranking
from holdem.odds.exact.ranked_combos import COMBO_KEYS, COMBO_MASKS, HANDS_PER_TASK, rank_combos
from holdem.odds.exact.totals import ComboTotals, PlayerSums, sum_over_combos
from holdem.odds.spot import Spot
from holdem.odds.symmetry import CanonicalBoards, list_canonical_boards, weight_fixing_permutations
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS

# The cost of a board, and of ordering a combo on it, in evaluations of a fused loop.
BOARD, ORDER = 300, 1

_HIGH, _LOW = COMBO_CARDS.T.astype(np.uint32)
_CARDS = _HIGH << np.uint32(6) | _LOW
_RANK_PAIRS = (13 * (_HIGH >> 2) + (_LOW >> 2)).astype(np.intp)
_RANK_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_RANK_PAIR_KEYS = (_RANK_KEYS[:, None] + _RANK_KEYS).ravel()
# Adjacent combos of the same two ranks share no card, so a kernel that adds their weights by
# card does not wait for the previous addition.
_POSITIONS = np.lexsort((_HIGH & 3, (_HIGH - _LOW) & 3, _RANK_PAIRS)).argsort()


class Combos(NamedTuple):
    """Live combos, sorted so that those with the same two ranks are adjacent.

    Created by `lay_out_combos`.
    """

    sets: NDArray[np.uint64]
    """The card set of each combo, ``uint64 (combo,)``."""
    keys: NDArray[np.uint64]
    """The sum of the keys of its cards, ``uint64 (combo,)``."""
    masks: NDArray[np.uint64]
    """Its suit mask, ``uint64 (combo,)``."""
    packed: NDArray[np.uint32]
    """Its index and cards, ``index << 12 | high << 6 | low``, ``uint32 (combo,)``."""
    pair_keys: NDArray[np.uint32]
    """The key sum of each pair of ranks that occurs, ``uint32 (pair,)``."""
    pair_starts: NDArray[np.uint32]
    """The index of the first combo of each pair of ranks, and the end, ``uint32 (pair + 1,)``."""
    strengths: NDArray[np.int64]
    """Strengths by an evaluator other than the default one, `BLOCKED` for combos that share a
    card with the board, ``int64 (board, combo)``; empty with the default evaluator."""
    ranking: NDArray[np.intp]
    """The indices of the combos ordered by `strengths`, ``intp (board, combo)``; or empty."""
    category_bounds: NDArray[np.int64]
    """The lowest strength of each category but the weakest, ``int64 (category - 1,)``, if sums
    are kept by category; otherwise empty."""


def sort_by_ranks(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort combo numbers so that combos with the same two ranks are adjacent, ``intp (combo,)``."""
    ordered: NDArray[np.intp] = numbers[np.argsort(_POSITIONS[numbers])]
    return ordered


def lay_out_combos(numbers: NDArray[np.intp]) -> Combos:
    """Lay out combos in the arrays that `order_combos` reads.

    Args:
        numbers: ``intp (combo,)``, in the order of `sort_by_ranks`.
    """
    none = np.zeros((0, 0), dtype=np.int64)
    rank_pairs, starts = np.unique(_RANK_PAIRS[numbers], return_index=True)
    indices = np.arange(len(numbers), dtype=np.uint32)
    return Combos(
        COMBO_SETS[numbers],
        COMBO_KEYS[numbers],
        COMBO_MASKS[numbers],
        indices << np.uint32(12) | _CARDS[numbers],
        _RANK_PAIR_KEYS[rank_pairs],
        np.concatenate([starts, [len(numbers)]]).astype(np.uint32),
        strengths=none,
        ranking=none.astype(np.intp),
        category_bounds=none.ravel(),
    )


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
        if not spot.evaluator.is_fused:
            board = estimate_ranking(spot) + board // THROUGH_ARRAYS
        return spot.boards * board // len(weight_fixing_permutations(spot))

    @classmethod
    @abstractmethod
    def _estimate_comparing(cls, spot: Spot) -> int:
        """Estimate the cost of comparing the ordered combos on one board."""

    def prepare(self) -> None:
        """Load the evaluator, list the boards to sweep and lay out the combos for sorting."""
        spot = self.spot
        if not spot.evaluator.is_fused:
            spot.evaluator.load()
        # On the turn and the river there are too few boards for symmetry to save time.
        permutations = np.zeros(1, dtype=np.intp)
        if len(spot.board) < 4:
            permutations = weight_fixing_permutations(spot)
        self.boards = list_canonical_boards(spot.board, spot.free, permutations)
        self.combos = sort_by_ranks(spot.combos)
        self._sortable = lay_out_combos(self.combos)
        if self.by_category:
            bounds = spot.evaluator.scale.category_bounds
            self._sortable = self._sortable._replace(category_bounds=bounds)

    def tasks(self) -> Iterator[Task[Sums]]:
        """Make tasks that each sweep one batch of boards."""
        return self.batches(self._sweep, len(self.boards.cards), self._choose_boards_per_task())

    def _choose_boards_per_task(self) -> int:
        if self.spot.evaluator.is_fused:
            return self._choose_fused_boards_per_task()
        return HANDS_PER_TASK // len(self.combos)

    @abstractmethod
    def _choose_fused_boards_per_task(self) -> int:
        """Choose the number of boards to sweep per task with the default evaluator."""

    def _sweep(self, rows: slice, workers: Workers) -> Sums:
        boards, combos = self.boards.cards[rows], self._sortable
        if not self.spot.evaluator.is_fused:
            strengths = rank_combos(self.spot.evaluator, boards, self.combos, workers)
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

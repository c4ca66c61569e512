"""The categories of combos on all boards that can come, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.errors import BudgetError
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers
from holdem.odds.exact.ordering.ranked_combos import BLOCKED, HANDS_PER_TASK, rank_combos
from holdem.odds.plan import BATCH_BUDGET, FUSED_BUDGET
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.symmetry.canonical_boards import CanonicalBoards, canonical_boards
from holdem.odds.symmetry.matchups import card_fixing_permutations
from holdem.odds.symmetry.suit_permutations import permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT

# Counts cannot be sampled, so they may cost ten times as much as an exact answer of `auto`.
_BUDGET_FACTOR = 10
_FUSED_HANDS_PER_TASK = 1 << 22  # some 10 ms

#: Numbers of boards, ``int64 (combo, category)``.
Counts = NDArray[np.int64]


def count_categories(
    spot: Spot, to_come: int, workers: int, *, progress: bool, within: Workers | None
) -> Counts:
    """Count the boards on which each combo of a range has each category.

    Args:
        spot: a spot of one player.
        to_come: the number of cards dealt to the board: 0 or 1, or all that are missing.
        workers: the number of threads.
        progress: show a progress bar on standard error.
        within: as in `holdem.jobs.run.run`.

    Returns:
        ``int64 (combo, category)``, for the combos ``spot.live[0]`` and the categories of the
        rule set, weakest first.

    Raises:
        BudgetError: the evaluator would take too long.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.
    """
    return run(CategoryCount(spot, to_come), workers, progress=progress, within=within)


class CategoryCount(Job[Counts, Counts]):
    """The job that ranks each combo on each board.

    Before the flop, boards that are equal up to suit permutations are ranked once, together
    with all images of the combos. The weights need not be symmetric, because each combo is
    counted alone.
    """

    unit = "%"
    total = 100.0

    def __init__(self, spot: Spot, to_come: int) -> None:
        """Create the job; the arguments are those of `count_categories`.

        Raises:
            BudgetError: the evaluator would take too long.
        """
        self._spot = spot
        self._to_come = to_come
        self._permutations = np.zeros(1, dtype=np.intp)  # the identity
        if not spot.board:
            self._permutations = card_fixing_permutations(spot)
        self._combos = np.unique(permuted_combos()[self._permutations[:, None], spot.live[0]])
        self._require_affordable()

    def _require_affordable(self) -> None:
        evaluator = self._spot.evaluator
        boards = comb(len(self._spot.free), self._to_come) // len(self._permutations)
        cost = boards * len(self._combos) * evaluator.evaluations(7)
        budget = _BUDGET_FACTOR * (FUSED_BUDGET if evaluator.is_fused else BATCH_BUDGET)
        if cost > budget:
            raise BudgetError(
                f"{len(self._combos):,} combos on {boards:,} boards would take {cost:.1e}"
                f" evaluations, and the limit is {budget:.0e}: narrow the range, add board cards"
                " or use the default evaluator"
            )

    def prepare(self) -> None:
        """Load the evaluator and list the boards."""
        spot = self._spot
        self._scale = spot.evaluator.scale
        self._categories = len(spot.evaluator.rules.categories)
        self._boards = self._list_boards()
        self._counts = np.zeros((len(self._combos), self._categories), dtype=np.int64)

    def _list_boards(self) -> CanonicalBoards:
        spot, size = self._spot, len(self._spot.board) + self._to_come
        if size == BOARD_SIZE:
            return canonical_boards(spot.board, spot.free, self._permutations)
        cards = np.empty((len(spot.free) if self._to_come else 1, size), dtype=np.uint8)
        cards[:, : len(spot.board)] = spot.board
        if self._to_come:
            cards[:, -1] = spot.free
        return CanonicalBoards(cards, np.ones(len(cards), dtype=np.uint8), self._permutations)

    def tasks(self) -> Iterator[Task[Counts]]:
        """Yield tasks, each of which ranks all combos on one batch of boards."""
        boards = len(self._boards.cards)
        hands = _FUSED_HANDS_PER_TASK if self._is_fused else HANDS_PER_TASK
        together = max(1, hands // len(self._combos))
        for start in range(0, boards, together):
            rows = slice(start, min(start + together, boards))
            share = self.total * (rows.stop - rows.start) / boards
            yield Task(partial(self._count, rows), share)

    @property
    def _is_fused(self) -> bool:
        """Whether the default evaluator ranks complete boards, which it does in a kernel."""
        return self._spot.evaluator.is_fused and self._boards.cards.shape[1] == BOARD_SIZE

    def _count(self, rows: slice, workers: Workers) -> Counts:
        boards, sizes = self._boards.cards[rows], self._boards.orbit_sizes[rows]
        if not self._is_fused:
            return self._count_in_batch(boards, sizes, workers)
        from holdem.odds.hits.kernels import count_categories as count_fused

        strengths = np.arange(len(self._scale.strengths) + 1)
        categories = self._scale.categories(strengths).astype(np.uint8)
        counts = np.zeros_like(self._counts)
        count_fused(boards, sizes, COMBO_CARDS[self._combos], categories, counts)
        return counts

    def _count_in_batch(
        self, boards: CardArray, sizes: NDArray[np.uint8], workers: Workers
    ) -> Counts:
        strengths = rank_combos(self._spot.evaluator, boards, self._combos, workers)
        rows, columns = np.nonzero(strengths != BLOCKED)
        cells = columns * self._categories + self._scale.categories(strengths[rows, columns])
        counts = np.bincount(cells, weights=sizes[rows], minlength=self._counts.size)
        return counts.astype(np.int64).reshape(self._counts.shape)

    def add(self, part: Counts) -> bool:
        """Add the counts of a task; return False, because every task is needed."""
        self._counts += part
        return False

    def answer(self, end: End) -> Counts:  # noqa: ARG002 - there is no time limit
        """Return the counts of the range's combos over all boards."""
        by_combo = np.zeros((self._categories, COMBO_COUNT), dtype=np.int64)
        by_combo[:, self._combos] = self._counts.T
        return self._boards.spread(by_combo)[:, self._spot.live[0]].T

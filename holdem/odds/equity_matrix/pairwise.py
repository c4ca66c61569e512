"""The wins and ties of every combo of one range against every one of another.

Before the flop, without dead cards and with the default evaluator, they come from the preflop
table. Otherwise each combo is ranked once per board, and every two combos are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.errors import BudgetError
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers
from holdem.odds.exact.method import THROUGH_ARRAYS
from holdem.odds.exact.ordering.ranked_combos import BLOCKED, HANDS_PER_TASK, rank_combos
from holdem.odds.exact.preflop_table.method import PreflopTableMethod
from holdem.odds.exact.preflop_table.table import preflop_table
from holdem.odds.plan import BATCH_BUDGET, FUSED_BUDGET
from holdem.odds.spot import Spot
from holdem.odds.symmetry.canonical_boards import canonical_boards
from holdem.ranges.combos import COMBO_CARDS
from holdem.rules import STANDARD

#: Wins and ties, each ``(row, column)``: numbers of runouts, of any type.
Counts: TypeAlias = tuple[NDArray[Any], NDArray[Any]]

# Comparisons of two combos that take as long as an evaluation of a fused loop.
_COMPARISONS = 16
# A matrix cannot be sampled, so it may cost ten times as much as an exact answer of `auto`:
# about a minute on one core.
_BUDGET_FACTOR = 10

# The sizes of a task. The first keeps its counts in 16 bits, the second limits its strengths to
# 8 MB, and the third its time to some 30 ms.
_MAX_BOARDS, _MAX_HANDS, _MAX_COMPARISONS = 1 << 14, 1 << 22, 1 << 28

_BLOCKED = np.int16(np.iinfo(np.int16).max)


def count_pairwise(
    spot: Spot,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    workers: int,
    *,
    progress: bool,
) -> Counts:
    """Count the runouts that each combo wins and ties against each one of another range.

    Args:
        spot: a spot of two players.
        rows: live combos of the first, ``intp (row,)``.
        columns: live combos of the second, ``intp (column,)``.
        workers: the number of threads.
        progress: show a progress bar on standard error.

    Returns:
        Wins and ties, 0 for combos that share a card.

    Raises:
        BudgetError: the computation would take too long.
        Interrupted: Ctrl-C was pressed; ``finished`` is None.
    """
    if PreflopTableMethod.cost(spot, None) is not None:
        return preflop_table().match_ups(rows, columns)
    job = PairwiseComparison(spot, rows, columns)
    return run(job, workers, progress=progress)


class PairwiseComparison(Job[Counts, Counts]):
    """The job that ranks all combos on each board and compares every two."""

    unit = "%"
    total = 100.0

    def __init__(self, spot: Spot, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> None:
        """Create the job; the arguments are those of `count_pairwise`.

        Raises:
            BudgetError: the computation would take too long.
        """
        _require_affordable(spot, len(rows) * len(columns))
        self._spot = spot
        self._rows = np.searchsorted(spot.combos, rows)
        self._columns = np.searchsorted(spot.combos, columns)

    def prepare(self) -> None:
        """Load the evaluator and list the boards."""
        spot = self._spot
        if not spot.evaluator.is_fused:
            spot.evaluator.load()
        identity = np.zeros(1, dtype=np.intp)
        self._boards = canonical_boards(spot.board, spot.board_cards, identity).cards
        shape = len(self._rows), len(self._columns)
        self._wins, self._ties = np.zeros(shape, np.int32), np.zeros(shape, np.int32)

    def tasks(self) -> Iterator[Task[Counts]]:
        """Yield tasks, each of which compares all combos on one batch of boards."""
        together, boards = self._boards_per_task(), len(self._boards)
        for start in range(0, boards, together):
            batch = self._boards[start : start + together]
            share = self.total * len(batch) / boards
            yield Task(partial(self._compare, batch), share)

    def _boards_per_task(self) -> int:
        combos = len(self._spot.combos)
        if not self._spot.evaluator.is_fused:
            return max(1, min(_MAX_BOARDS, HANDS_PER_TASK // combos))
        pairs = len(self._rows) * len(self._columns)
        return max(1, min(_MAX_BOARDS, _MAX_HANDS // combos, _MAX_COMPARISONS // pairs))

    def _compare(self, boards: CardArray, workers: Workers) -> Counts:
        """Return the wins and ties of every two combos on a batch of boards."""
        from holdem.odds.equity_matrix.kernels import count_wins_and_ties

        strengths = self._rank(boards, workers)
        columns = strengths.take(self._columns, axis=1)
        rows = strengths.take(self._rows, axis=1)
        rows[rows == _BLOCKED] = -1
        wins, ties = np.zeros((2, len(self._rows), len(self._columns)), dtype=np.int16)
        count_wins_and_ties(rows, columns, wins, ties)
        return wins, ties

    def _rank(self, boards: CardArray, workers: Workers) -> NDArray[np.int16]:
        """Rank all combos on a batch of boards, which is filled up to a multiple of 4.

        The result is ``int16 (board, combo)``, `_BLOCKED` for combos that share a card with the
        board and for all combos on the boards added.
        """
        spot = self._spot
        strengths = np.full((-(-len(boards) // 4) * 4, len(spot.combos)), _BLOCKED)
        if spot.evaluator.is_fused:
            from holdem.odds.equity_matrix.kernels import rank_on_boards

            rank_on_boards(boards, COMBO_CARDS[spot.combos], strengths)
            return strengths
        found = rank_combos(spot.evaluator, boards, spot.combos, workers)
        free = found != BLOCKED
        scale = spot.evaluator.scale
        strengths[: len(boards)][free] = len(scale.strengths) - scale.classes(found[free])
        return strengths

    def add(self, part: Counts) -> bool:
        """Add the counts of a task; return False, because every task is needed."""
        self._wins += part[0]
        self._ties += part[1]
        return False

    def answer(self, end: End) -> Counts:  # noqa: ARG002 - there is no time limit
        """Return the wins and ties."""
        return self._wins, self._ties


def _require_affordable(spot: Spot, pairs: int) -> None:
    fused = spot.evaluator.is_fused
    comparing = pairs // (_COMPARISONS if fused else _COMPARISONS * THROUGH_ARRAYS)
    ranking = len(spot.combos) * spot.evaluator.evaluations(7)
    boards = spot.boards
    cost = boards * (ranking + comparing)
    budget = _BUDGET_FACTOR * (FUSED_BUDGET if fused else BATCH_BUDGET)
    if cost > budget:
        advice = "narrow the ranges"
        if not spot.board:
            advice += " or add board cards"
            if spot.evaluator.rules is STANDARD:
                needed = "no dead cards" if fused else "the default evaluator and no dead cards"
                advice += f"; with {needed}, a table before the flop has the answer"
        raise BudgetError(
            f"a matrix of {pairs:,} pairs of combos over {boards:,} boards would take {cost:.1e}"
            f" evaluations, and the limit is {budget:.0e}: {advice}"
        )

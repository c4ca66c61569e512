"""The job that answers many spots: batches for the common kinds, single queries for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import BudgetError, SpotError
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.run import End, Job, Stopwatch, Task
from holdem.jobs.workers import Workers
from holdem.odds.api import Query
from holdem.odds.bounds import Bounds
from holdem.odds.many_spots import batches
from holdem.odds.many_spots.batches import Rows
from holdem.odds.many_spots.columns import SpotColumns, as_index
from holdem.odds.many_spots.equal_spots import equal_spots
from holdem.odds.many_spots.equity_table import EquityTable
from holdem.odds.many_spots.validity import error_of
from holdem.odds.plan import Method, make_plan
from holdem.odds.spot import canonical_text, make_spot

# Groups of equal spots that no batch answers: so many in a task at most, and in each task one more
# for every so many of them all.
_MOST_GROUPS, _MANY_GROUPS = 8, 1000


@attrs.frozen(eq=False)
class Answers:
    """Answers of some spots: figures that broadcast to ``(spot, player)``, or a message."""

    rows: Rows
    figures: tuple[NDArray[np.float64], ...] | None
    """Equity, win, tie, lose and standard error."""
    exact: NDArray[np.bool_] | bool = True
    deals: NDArray[np.int64] | int = 0
    error: str = ""
    """The message for spots whose validation raises no error."""


class SpotsJob(Job[list[Answers], EquityTable]):
    """Job that answers the valid spots of some columns."""

    unit = "spots"
    total: int

    def __init__(
        self,
        spots: SpotColumns,
        wrong: dict[int, str],
        evaluator: Evaluator,
        method: Method,
        bounds: Bounds,
        seed: int,
    ) -> None:
        """Create the job.

        Args:
            spots: the spots.
            wrong: the messages of invalid spots, by spot number.
            evaluator: ranks the hands.
            method: as in `holdem.equity`.
            bounds: when sampled spots end.
            seed: of sampled spots.
        """
        count, players = spots.codes.shape
        self.total = count - len(wrong)
        self._spots = spots
        self._evaluator = evaluator
        self._method: Method = method
        self._bounds = bounds
        self._seed = seed
        self._stopwatch = Stopwatch()
        self._figures = tuple(np.full((count, players), np.nan) for _ in range(5))
        self._exact = np.zeros(count, dtype=np.bool_)
        self._deals = np.zeros(count, dtype=np.int64)
        self._errors = dict(wrong)
        self._is_left = np.ones(count, dtype=np.bool_)
        self._is_left[list(wrong)] = False

    def tasks(self) -> Iterator[Task[list[Answers]]]:
        """Yield the tasks for each kind of spot."""
        left = self._is_left.copy()
        if self._evaluator.is_fused and self._method != "monte-carlo":
            for kind in batches.kinds(self._spots, left):
                left[kind.rows] = False
                for start in range(0, len(kind.rows), kind.rows_per_task):
                    rows = kind.rows[start : start + kind.rows_per_task]
                    yield self._task(
                        rows, partial(self._answer_batch, kind, rows), kind.rows_per_task
                    )
        groups = equal_spots(self._spots, np.flatnonzero(left))
        step = min(_MOST_GROUPS, 1 + len(groups) // _MANY_GROUPS)
        for start in range(0, len(groups), step):
            some = groups[start : start + step]
            rows = np.sort(np.concatenate(some))
            yield self._task(rows, partial(self._answer_groups, some), 1)

    def _task(
        self,
        rows: Rows,
        answer: Callable[[Workers], list[Answers]],
        together: int,  # noqa: ARG002
    ) -> Task[list[Answers]]:
        """Return the task that answers some spots.

        Args:
            rows: the spots, in ascending order.
            answer: answers them.
            together: about how many such spots take 20 ms; 1 if that is not known.
        """
        return Task(answer, len(rows))

    def _answer_batch(self, kind: batches.Kind, rows: Rows, workers: Workers) -> list[Answers]:
        workers.require_open()
        counts = kind.count(self._spots.part(rows))
        deals = (counts.wins + counts.ties + counts.losses)[:, :1]
        is_possible = deals[:, 0] > 0
        found = []
        sums: list[NDArray[Any]] = [counts.shares, counts.wins, counts.ties, counts.losses]
        if not is_possible.all():
            found = [Answers(rows[~is_possible], None)]
            rows, deals = rows[is_possible], deals[is_possible]
            sums = [figure[is_possible] for figure in sums]
        figures = (*(figure / deals for figure in sums), np.zeros((1, 1)))
        return [*found, Answers(rows, figures, True, deals[:, 0])]

    def _answer_groups(self, groups: list[Rows], workers: Workers) -> list[Answers]:
        found: list[Answers] = []
        for group in groups:
            workers.require_open()
            found += self._answer_group(group, workers)
        return found

    def _answer_group(self, group: Rows, workers: Workers) -> Iterator[Answers]:
        """Yield the answers of spots that are equal up to suit permutations.

        An exact answer is that of all of them. Sampled ones are drawn from the stream of each
        spot's canonical text, so that they do not depend on the other spots.
        """
        try:
            query = self._query(int(group[0]))
        except (BudgetError, SpotError) as error:
            yield Answers(group, None, error=str(error))
            return
        if query.plan.method == "exact":
            yield self._answer(group, query, workers)
            return
        by_text: dict[tuple[str, ...], tuple[Query, list[int]]] = {}
        for row in group.tolist():
            query = self._query(row)
            by_text.setdefault(query.stream, (query, []))[1].append(row)
        for query, rows in by_text.values():
            yield self._answer(np.array(rows), query, workers)

    def _query(self, row: int) -> Query:
        spots = self._spots
        players = tuple(spots.player(row, player) for player in range(spots.codes.shape[1]))
        spot = make_spot(players, spots.board(row), spots.dead_cards(row), self._evaluator)
        plan = make_plan(spot, self._method)
        return Query(
            spot,
            plan,
            self._bounds,
            self._seed,
            workers=1,
            limits_exact=self._method == "exact",
            stream=(canonical_text(spot),),
        )

    def _answer(self, rows: Rows, query: Query, workers: Workers) -> Answers:
        try:
            result = query.answer(within=workers)
        except (BudgetError, SpotError) as error:
            return Answers(rows, None, error=str(error))
        if result.method == "exact" and not result.exact:
            return Answers(rows, None, error="stopped by time")
        names = ("equity", "win", "tie", "lose", "stderr")
        figures = tuple(
            np.array([[getattr(player, name) for player in result.players]]) for name in names
        )
        return Answers(rows, figures, result.exact, result.deals)

    def add(self, part: list[Answers]) -> bool:
        """Write the answers of some spots into the table."""
        for found in part:
            if found.figures is None:
                for row in found.rows.tolist():
                    error = error_of(self._spots, row, self._evaluator)
                    self._errors[row] = error or found.error
            else:
                index = as_index(found.rows)
                for column, figure in zip(self._figures, found.figures, strict=True):
                    column[index] = figure
                self._exact[index] = found.exact
                self._deals[index] = found.deals
            self._is_left[found.rows] = False  # last, in case Ctrl-C interrupts this
        return False

    def answer(self, end: End) -> EquityTable:  # noqa: ARG002
        """Return the table of all spots."""
        equity, win, tie, lose, stderr = self._figures
        is_sampled = ~self._exact
        is_sampled[list(self._errors)] = False
        return EquityTable(
            spots=self._spots,
            equity=equity,
            win=win,
            tie=tie,
            lose=lose,
            stderr=stderr,
            exact=self._exact,
            deals=self._deals,
            errors=dict(sorted(self._errors.items())),
            seed=self._seed if is_sampled.any() else None,
            evaluator=self._evaluator.label,
            elapsed=self._stopwatch.elapsed,
        )

    def partial_answer(self) -> EquityTable:
        """Return the table with the answers so far; the others are NaN."""
        left = np.flatnonzero(self._is_left)
        self._errors |= dict.fromkeys(left.tolist(), "interrupted")
        for column in self._figures:
            column[left] = np.nan
        self._exact[left], self._deals[left] = False, 0
        return self.answer("complete")

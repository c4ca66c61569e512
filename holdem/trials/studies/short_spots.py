"""Job that computes many short exact spots of a study, one in each task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from holdem.errors import EvaluatorError
from holdem.jobs.run import End, Job, run
from holdem.jobs.workers import Task, Workers
from holdem.odds.api import Query
from holdem.odds.result import EquityResult
from holdem.trials.studies.study import StudySpot


def compute_short_spots(
    queries: Iterator[tuple[int, StudySpot, Query]],
    add: Callable[[int, EquityResult], None],
    workers: int,
) -> None:
    """Compute exact spots of a few milliseconds, several at the same time.

    Args:
        queries: the number of each spot, the spot and its query, whose `Query.is_short` is true.
        add: called with the number and the result of each spot, in the same order.
        workers: the number of threads.

    Raises:
        EvaluatorError: the evaluator failed; the message has the spot.
    """
    job = _ShortSpots(queries, add)
    try:
        run(job, workers)
    except EvaluatorError as error:
        number, spot = job.pending[0]
        raise spot.error(number, error) from error


class _ShortSpots(Job[EquityResult, None]):
    """Job that computes a spot in each task.

    Attributes:
        pending: the spots whose results are still to come, in order.
    """

    unit = "spots"

    def __init__(
        self,
        queries: Iterator[tuple[int, StudySpot, Query]],
        add: Callable[[int, EquityResult], None],
    ) -> None:
        self.pending = deque[tuple[int, StudySpot]]()
        self._queries = queries
        self._add = add

    def tasks(self) -> Iterator[Task[EquityResult]]:
        """Yield a task for each spot."""
        for number, spot, query in self._queries:
            self.pending.append((number, spot))
            yield Task(partial(_answer, query), 1)

    def add(self, part: EquityResult) -> bool:
        """Pass on the result of the next spot."""
        number, _ = self.pending.popleft()
        self._add(number, part)
        return False

    def answer(self, end: End) -> None:
        """Return nothing, because the results are passed on one by one."""


def _answer(query: Query, workers: Workers) -> EquityResult:
    workers.require_open()
    return query.answer()

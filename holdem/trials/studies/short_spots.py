"""Computation of many short exact spots of a study, one in each task."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers
from holdem.odds.api import Query
from holdem.odds.result import EquityResult


def compute_short_spots(
    queries: Iterator[tuple[int, Query]], add: Callable[[int, EquityResult], None], workers: int
) -> None:
    """Compute exact spots of a few milliseconds each, several at the same time.

    Args:
        queries: the number of each spot and its query, whose `Query.is_short` is true.
        add: called with the number and the result of each spot, in the same order.
        workers: the number of threads.
    """
    run(_ShortSpots(queries, add), workers)


class _ShortSpots(Job[EquityResult, None]):
    """Job that computes a spot in each task."""

    unit = "spots"

    def __init__(
        self, queries: Iterator[tuple[int, Query]], add: Callable[[int, EquityResult], None]
    ) -> None:
        self._queries = queries
        self._add = add
        self._pending = deque[int]()  # the numbers of the spots under way, in order

    def tasks(self) -> Iterator[Task[EquityResult]]:
        """Yield a task for each spot."""
        for number, query in self._queries:
            self._pending.append(number)
            yield Task(partial(_answer, query), 1)

    def add(self, part: EquityResult) -> bool:
        """Pass on the result of the next spot."""
        self._add(self._pending.popleft(), part)
        return False

    def answer(self, end: End) -> None:
        """Return nothing, because the results were passed on one by one."""


def _answer(query: Query, workers: Workers) -> EquityResult:
    workers.require_open()
    return query.answer()

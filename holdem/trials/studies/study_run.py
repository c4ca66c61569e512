"""`run_study`, which computes the spots of a study and saves the results in a store.

A run may end at any time, by Ctrl-C, a kill or a power cut, and is resumed from the blocks that
are stored. Results depend only on the study: on its spots, seeds and bounds.
"""

from __future__ import annotations

import os
import time as clock
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache, partial
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError, HoldemRuntimeError, Interrupted, quoted
from holdem.evaluation.registry import versions_of
from holdem.jobs.run import ProgressBar, Task, run_each
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.api import Query
from holdem.odds.dask_tasks import DaskTasks, Request, open_tasks
from holdem.odds.sampling.run import RunState, explain_no_deal
from holdem.odds.sampling.sampler import BLOCK
from holdem.odds.tally import deals_in
from holdem.trials.studies.block_spans import (
    DaskBlocks,
    LocalBlocks,
    RunningSpot,
    estimate_blocks,
    schedule_spans,
)
from holdem.trials.studies.results import StudyResults, make_results
from holdem.trials.studies.store import Store, StoredSpot, make_empty_tally
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.study_file import read_study

#: Seconds between two commits to the store.
COMMIT_SECONDS = 1.0

_NAME_WIDTH = 20
# Fits into 80 columns. Used only if the number of deals is known, and with it the time left.
_FORMAT = "{desc} {percentage:3.0f} % |{bar}| {rate_fmt}, {remaining} left{postfix}"


def run_study(
    study: str | os.PathLike[str] | Mapping[str, Any],
    store: str | os.PathLike[str],
    *,
    workers: int | None = None,
    dask: Any = None,
    progress: bool = False,
) -> StudyResults:
    """Compute the spots of a study, save finished work in a store, and return the results.

    The same call resumes a run that has ended early, for whatever reason. The results are bit
    for bit those of an uninterrupted run.

    Args:
        study: a TOML file, or a mapping of the same structure.
        store: the file that keeps finished work; created if it does not exist.
        workers: the number of threads; all cores if None. The results do not depend on it.
        dask: a `distributed.Client`, or the address of a Dask scheduler, to compute the spots on
            the workers of that cluster, exact ones first. The results do not depend on it.
        progress: show a progress bar on standard error.

    Raises:
        StudyError: the study cannot be read, or a spot has no answer.
        StoreError: the store is in use, damaged, or belongs to another study.
        EvaluatorError: an evaluator failed; finished work is kept.
        ClusterError: the cluster cannot be reached, or has no suitable worker.
        Interrupted: Ctrl-C; a `KeyboardInterrupt`. Its ``finished`` is the results so far.
    """
    threads = count_workers(workers)
    parsed = read_study(study)
    versions = versions_of(parsed.evaluators)
    with ExitStack() as stack:
        tasks: DaskTasks | None = None
        if dask is not None:  # before the store is created: the cluster may be unusable
            tasks = stack.enter_context(open_tasks(dask, versions["evaluators"]))
        opened = stack.enter_context(Store(store, parsed, versions))
        shown = StudyProgress(progress, opened)
        try:
            with shown.bar:
                _Session(opened, threads, shown, tasks).run()
        except KeyboardInterrupt:  # also while a cluster computes
            raise Interrupted(make_results(opened.read(), opened.path)) from None
        return make_results(opened.read(), opened.path)


class _Session:
    """One call of `run_study`, which starts a study or resumes it."""

    def __init__(
        self, store: Store, workers: int, progress: StudyProgress, tasks: DaskTasks | None
    ) -> None:
        self._store = store
        self._dask = tasks
        self._source = LocalBlocks(workers) if tasks is None else DaskBlocks(tasks)
        self._workers = workers
        self._progress = progress
        self._left = deque(np.flatnonzero(~store.is_finished).tolist())
        self._exact_query = lru_cache(1)(self._make_query)  # planning takes some milliseconds
        self._added_at = self._committed_at = clock.monotonic()

    def run(self) -> None:
        """Compute the unfinished spots in the order of the study; on Dask, exact spots first."""
        if self._dask is not None:
            requests = (Task(request_exact(*each), 1) for each in self._maybe_exact())
            run_each(requests, self._add_exact, 1, results=self._dask.results)
            self._left = deque(np.flatnonzero(~self._store.is_finished).tolist())
        while self._left:
            query = self._exact_query(self._left[0])
            if query is not None and query.plan.is_quick:
                quick = (
                    Task(partial(_answer_query, *each), 1) for each in self._quick_exact_queries()
                )
                run_each(quick, self._add_exact, self._workers)
                continue
            number = self._left.popleft()
            if query is not None:
                self._compute_exactly(number, query)
            else:
                running = self._start(number)
                if running.state.stop is None:
                    self._sample(running)
        self._store.flush()
        if not self._store.is_finished.all():
            name = self._store.study.spots[int(self._store.is_finished.argmin())].name
            raise HoldemRuntimeError(
                f"blocks of the deals of {quoted(name)} were lost, so that it is not finished;"
                " the same call continues the run"
            )

    def _maybe_exact(self) -> Iterator[tuple[int, StudySpot]]:
        """Yield the unfinished spots that may have an exact result, without planning the spots."""
        for number in self._left:
            stored = self._store.spot(number)
            if stored.spot.method != "monte-carlo" and not stored.blocks:
                yield number, stored.spot

    def _make_query(self, number: int) -> Query | None:
        """Plan a spot; return the query if its result is exact and computed here, else None."""
        spot = self._store.study.spots[number]
        if self._dask is not None or spot.method == "monte-carlo":
            return None
        query = spot.query(self._workers)
        return query if query.plan.method == "exact" else None

    def _compute_exactly(self, number: int, query: Query) -> None:
        spot = self._store.study.spots[number]
        self._progress.exact(number, spot.name)
        try:
            result = query.answer()
        except EvaluatorError as error:
            raise spot.error(number, error) from error
        self._add_exact((number, result.to_dict()))

    def _quick_exact_queries(self) -> Iterator[tuple[int, Query]]:
        """Yield the next spots and their queries, while queries are quick and exact."""
        while self._left and (query := self._exact_query(self._left[0])) and query.plan.is_quick:
            number = self._left.popleft()
            self._progress.exact(number, self._store.study.spots[number].name)
            yield number, query

    def _add_exact(self, answer: tuple[int, dict[str, Any] | None]) -> None:
        """Store a spot's exact result, given the spot's number, unless the spot is sampled."""
        number, record = answer
        if record is None:
            return
        self._store.finish(number, record["stop"], record, record["elapsed"])
        self._commit()

    def _start(self, number: int) -> RunningSpot:
        """Start or resume a sampled spot; record its end if a limit has already been reached."""
        stored = self._store.spot(number)
        state = RunState(stored.spot.bounds, stored.counts, stored.blocks)
        limit = stored.spot.time
        if state.stop is None and limit is not None and stored.blocks and stored.elapsed >= limit:
            state.end("time")
        running = RunningSpot(number, stored.spot, state, stored.blocks)
        self._finish(running)
        return running

    def _sample(self, first: RunningSpot) -> None:
        """Sample a spot, together with the following spots that can be sampled at the same time."""
        seconds = first.spot.time
        if seconds is not None:
            seconds -= self._store.spot(first.number).elapsed
        spans = schedule_spans(self._spots_from(first), self._source.blocks_per_span)
        self._added_at = clock.monotonic()
        rest = self._source.compute(spans, self._add, seconds)
        if first.state.stop is None and seconds is not None:
            self._end_by_time(first, rest)

    def _spots_from(self, first: RunningSpot) -> Iterator[RunningSpot]:
        """Yield a spot, and the following spots that can be sampled at the same time."""
        yield first
        while self._left and self._are_compatible(
            first.spot, self._store.study.spots[self._left[0]]
        ):
            if self._exact_query(self._left[0]) is not None:
                return
            running = self._start(self._left.popleft())
            if running.state.stop is None:
                yield running

    def _are_compatible(self, first: StudySpot, other: StudySpot) -> bool:
        """Test whether two spots can be sampled at the same time.

        A time limit applies to a spot that runs alone. On this machine, all spans of blocks of a
        call must have the same evaluator.
        """
        if first.time is not None or other.time is not None:
            return False
        return self._dask is not None or first.evaluator == other.evaluator

    def _add(self, running: RunningSpot, tallies: NDArray[np.int64]) -> None:
        """Add the tallies of the next blocks of a spot's deals, unless its sampling has ended."""
        seconds = self._seconds_since_last()
        if running.state.stop is None:
            added = running.state.add(tallies)
            self._store_blocks(running, tallies[:added].sum(axis=0), added, seconds)

    def _end_by_time(self, running: RunningSpot, rest: NDArray[np.int64] | None) -> None:
        """End the sampling of a spot out of time; add the deals since the last complete block.

        Raises:
            EvaluatorError: no deal was finished in time.
        """
        spot, state = running.spot, running.state
        if rest is None and not state.blocks:
            raise spot.error(running.number, explain_no_deal(spot.bounds, spot.evaluator))
        state.end("time", rest)
        counts = make_empty_tally(len(spot.players)) if rest is None else rest
        blocks = 0 if rest is None else 1
        self._store_blocks(running, counts, blocks, self._seconds_since_last())

    def _store_blocks(
        self, running: RunningSpot, counts: NDArray[np.int64], blocks: int, seconds: float
    ) -> None:
        self._store.add(running.number, counts, blocks, seconds)
        self._finish(running)
        self._progress.sampled(running, deals_in(counts))
        self._commit()

    def _finish(self, running: RunningSpot) -> None:
        """Record in the store why the sampling of a spot ended, if it has ended."""
        if running.state.stop is not None:
            self._store.finish(running.number, running.state.stop)

    def _seconds_since_last(self) -> float:
        """Measure the seconds since the previous call, or since sampling began."""
        before, self._added_at = self._added_at, clock.monotonic()
        return self._added_at - before

    def _commit(self) -> None:
        """Write new results to disk, at most once per second."""
        if clock.monotonic() - self._committed_at >= COMMIT_SECONDS:
            self._store.flush()
            self._committed_at = clock.monotonic()


def _answer_query(number: int, query: Query, workers: Workers) -> tuple[int, dict[str, Any]]:
    workers.require_open()
    return number, query.answer().to_dict()


def request_exact(number: int, spot: StudySpot) -> Request[tuple[int, dict[str, Any] | None]]:
    """Build the request for a spot's exact result, which is None if the spot is sampled."""
    return Request(
        lambda _: (number, _answer_exactly(spot)),
        lambda: {"spot": spot.to_dict()},
        answer_spot,
        lambda answer: (number, answer),
        partial(spot.error, number),
        "exact spots",
    )


def answer_spot(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Compute a spot's exact result on a Dask worker; None if the spot is sampled."""
    return _answer_exactly(StudySpot.from_dict(record["spot"]))


def _answer_exactly(spot: StudySpot) -> dict[str, Any] | None:
    query = spot.query(workers=1)
    return query.answer().to_dict() if query.plan.method == "exact" else None


class StudyProgress:
    """A progress bar that shows speed, time left, and the current spot with its standard error."""

    def __init__(self, shown: bool, store: Store) -> None:
        self._count = len(store.deals)
        self._shown_spot = -1
        self._expected = store.deals.astype(np.float64)
        if shown:
            for number in np.flatnonzero(~store.is_finished).tolist():
                self._expected[number] = _estimate_deals(store.spot(number))
        self.bar = ProgressBar(
            shown,
            "deals",
            self._total(),
            initial=int(store.deals.sum()),
            delay=0,
            bar_format=None if self._total() is None else _FORMAT,
        )

    def sampled(self, running: RunningSpot, deals: int) -> None:
        """Update the progress bar after more deals of a spot have been sampled."""
        if self.bar.shown:
            state = running.state
            expected: float = state.deals
            if state.stop is None:
                expected = max(BLOCK * running.expected_blocks, expected)
            note = f"error {state.stderr:.6f}"
            self._show(running.number, running.spot.name, note, expected)
            self.bar.advance(deals)

    def exact(self, number: int, name: str) -> None:
        """Show in the progress bar that a spot is being computed exactly."""
        if self.bar.shown:
            self._show(number, name, "exact", 0)

    def _show(self, number: int, name: str, note: str, expected: float) -> None:
        self._expected[number] = expected
        self.bar.set_total(self._total())
        self.bar.note(note)
        if number != self._shown_spot:
            short = name if len(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1] + "…"
            self.bar.describe(f"{number + 1}/{self._count} {short}")
            self._shown_spot = number

    def _total(self) -> float | None:
        total = float(self._expected.sum())
        return total if isfinite(total) else None


def _estimate_deals(spot: StoredSpot) -> float:
    if spot.spot.method == "exact":
        return spot.deals
    bounds = spot.spot.bounds
    return max(bounds.deals or BLOCK * estimate_blocks(bounds), spot.deals)

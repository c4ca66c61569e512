"""`run_study`, which computes the spots of a study and saves the results in a store.

A run may end at any time, by Ctrl-C, a kill or a power cut, and is resumed from the blocks that
are stored. Results depend only on the study: on its spots, seeds and bounds.
"""

from __future__ import annotations

import os
import time as clock
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from math import isfinite
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError, Interrupted
from holdem.evaluation.registry import versions_of
from holdem.jobs.run import Task, progress_bar, run, run_each
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.api import Query
from holdem.odds.dask_tasks import DaskTasks, Request, open_tasks
from holdem.odds.sampling.run import RunState, explain_no_deal
from holdem.odds.sampling.sampler import BLOCK
from holdem.odds.tally import deals_in
from holdem.trials.studies.block_spans import BlocksJob, RunningSpot, estimate_blocks
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


#: An unfinished spot with its number, and its query if it is computed exactly on this machine.
_Planned: TypeAlias = tuple[int, StudySpot, Query | None]


class _Session:
    """One call of `run_study`, which starts a study or resumes it."""

    def __init__(
        self, store: Store, workers: int, progress: StudyProgress, dask: DaskTasks | None
    ) -> None:
        self._store = store
        self._dask = dask
        self._workers = workers
        self._progress = progress
        self._added_at = self._committed_at = clock.monotonic()

    def run(self) -> None:
        """Compute the unfinished spots in the order of the study; on Dask, exact spots first."""
        if self._dask is not None:
            requests = (Task(request_exact(*each), 1) for each in self._maybe_exact())
            run_each(requests, self._add_exact, 1, results=self._dask.results)
        for kind, some in groupby(self._plan_unfinished(), self._find_kind):
            if kind == "quick":
                tasks = (Task(partial(_answer_query, *each), 1) for each in self._exact(some))
                run_each(tasks, self._add_exact, self._workers)
            elif kind == "exact":
                for each in self._exact(some):
                    self._add_exact(_answer_query(*each))
            else:
                self._sample(self._start_each(some))
        self._store.flush()

    def _maybe_exact(self) -> Iterator[tuple[int, StudySpot]]:
        """Yield the unfinished spots that may have an exact result, without planning the spots."""
        for number in self._store.unfinished:
            stored = self._store.spot(number)
            if stored.spot.method != "monte-carlo" and not stored.blocks:
                yield number, stored.spot

    def _plan_unfinished(self) -> Iterator[_Planned]:
        """Yield the unfinished spots, with their queries if they are computed exactly here."""
        for number in self._store.unfinished:
            spot, query = self._store.study.spots[number], None
            if self._dask is None and spot.method != "monte-carlo":
                query = spot.query(self._workers)
            is_exact = query is not None and query.plan.method == "exact"
            yield number, spot, query if is_exact else None

    def _find_kind(self, planned: _Planned) -> str:
        """Find what consecutive spots that are computed at the same time have in common.

        A time limit applies to a spot that is sampled alone. On this machine, all spots of a job
        that samples must have the same evaluator.
        """
        number, spot, query = planned
        if query is not None:
            return "quick" if query.plan.is_quick else "exact"
        if spot.time is not None:
            return f"sampled alone: {number}"
        return "sampled" if self._dask is not None else f"sampled by {spot.evaluator}"

    def _exact(self, planned: Iterator[_Planned]) -> Iterator[tuple[int, StudySpot, Query]]:
        """Yield spots that are computed exactly here, and show them in the progress bar."""
        for number, spot, query in planned:
            assert query is not None
            self._progress.exact(number, spot.name)
            yield number, spot, query

    def _add_exact(self, answer: tuple[int, dict[str, Any] | None]) -> None:
        """Store a spot's exact result, given the spot's number, unless the spot is sampled."""
        number, record = answer
        if record is not None:
            self._store.finish(number, record["stop"], record, record["elapsed"])
            self._commit()

    def _start_each(self, planned: Iterator[_Planned]) -> Iterator[RunningSpot]:
        """Start or resume sampled spots; record the end of those that have reached a limit."""
        for number, spot, _ in planned:
            stored = self._store.spot(number)
            state = RunState(spot.bounds, stored.counts, stored.blocks)
            limit = spot.time
            if state.stop is None and limit and stored.blocks and stored.elapsed >= limit:
                state.end("time")
            running = RunningSpot(number, spot, state, stored.blocks)
            self._finish(running)
            if state.stop is None:
                yield running

    def _sample(self, spots: Iterator[RunningSpot]) -> None:
        """Sample spots at the same time; one with a time limit alone."""
        first = next(spots, None)
        if first is None:
            return
        seconds = first.spot.time
        if seconds is not None:
            seconds -= self._store.spot(first.number).elapsed
        job = BlocksJob(first, spots, self._add, self._dask)
        self._added_at = clock.monotonic()
        results = None if self._dask is None else self._dask.results
        rest = run(job, self._workers, seconds=seconds, results=results)
        if first.state.stop is None and seconds is not None:
            self._end_by_time(first, rest)

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


def _answer_query(
    number: int, spot: StudySpot, query: Query, within: Workers | None = None
) -> tuple[int, dict[str, Any]]:
    """Compute a spot's exact result, and return it with the spot's number.

    Raises:
        EvaluatorError: the evaluator failed; the message has the spot.
    """
    try:
        return number, query.answer(within=within).to_dict()
    except EvaluatorError as error:
        raise spot.error(number, error) from error


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
        self._shown = shown
        self._count = len(store.deals)
        self._shown_spot = -1
        self._expected = store.deals.astype(np.float64)
        if shown:
            for number in store.unfinished:
                self._expected[number] = _estimate_deals(store.spot(number))
        self.bar = progress_bar(
            shown,
            "deals",
            self._total(),
            initial=int(store.deals.sum()),
            delay=0,
            bar_format=None if self._total() is None else _FORMAT,
        )

    def sampled(self, running: RunningSpot, deals: int) -> None:
        """Update the progress bar after more deals of a spot have been sampled."""
        if self._shown:
            state = running.state
            expected: float = state.deals
            if state.stop is None:
                expected = max(BLOCK * running.expected_blocks, expected)
            note = f"error {state.stderr:.6f}"
            self._show(running.number, running.spot.name, note, expected)
            self.bar.update(deals)

    def exact(self, number: int, name: str) -> None:
        """Show in the progress bar that a spot is being computed exactly."""
        if self._shown:
            self._show(number, name, "exact", 0)

    def _show(self, number: int, name: str, note: str, expected: float) -> None:
        self._expected[number] = expected
        self.bar.total = self._total()
        self.bar.set_postfix_str(note, refresh=False)
        if number != self._shown_spot:
            short = name if len(name) <= _NAME_WIDTH else name[: _NAME_WIDTH - 1] + "…"
            self.bar.set_description_str(f"{number + 1}/{self._count} {short}")
            self._shown_spot = number

    def _total(self) -> float | None:
        total = float(self._expected.sum())
        return total if isfinite(total) else None


def _estimate_deals(spot: StoredSpot) -> float:
    if spot.spot.method == "exact":
        return spot.deals
    bounds = spot.spot.bounds
    return max(bounds.deals or BLOCK * estimate_blocks(bounds), spot.deals)

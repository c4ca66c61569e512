"""`run_study`, which computes the spots of a study and saves the results in a store.

A run may end at any time, by Ctrl-C, a kill or a power cut. The next run continues with the blocks
of deals that are stored. Results depend only on the spots, seeds and limits of the study.

Deals are sampled in blocks of `BLOCK` deals. How many blocks a spot needs for its standard error is
not known in advance, so the number is estimated, and this many are scheduled. Threads or Dask
workers then go on with the next spot instead of waiting until the spot is finished. Blocks that
turn out to be unnecessary are dropped. Results do not depend on the schedule, because the blocks of
a spot are added in order.
"""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache, partial
from itertools import chain, groupby
from math import ceil, inf, isfinite
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cached_property import cached_property
from holdem.dask_tasks import DaskTasks, open_tasks
from holdem.errors import EvaluatorError, Interrupted
from holdem.evaluation.registry import get_evaluator, versions_of
from holdem.jobs.requests import Request, decode_array, encode_array
from holdem.jobs.run import BatchSize, EachTask, End, Job, Task, progress_bar, run
from holdem.jobs.workers import Workers, count_workers, in_worker_thread
from holdem.odds.bounds import Bounds
from holdem.odds.equity import Query
from holdem.odds.sampling.run import (
    MIN_BLOCKS,
    BlockPart,
    BlockSums,
    RunState,
    explain_no_deal,
    make_block_tasks,
)
from holdem.odds.sampling.sampler import BLOCK, BLOCKS_PER_TASK, Sampler
from holdem.plugins.given_files import given_digests
from holdem.trials.studies.results import StudyResults, make_results
from holdem.trials.studies.store import Store, StoredSpot
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.study_file import read_study

#: Seconds between two commits to the store.
COMMIT_SECONDS = 1.0

_NAME_WIDTH = 20
_VARIANCE = 0.2  # assumed for a pot share before it is estimated; it is at most 0.25
_MOST_BLOCKS = 1 << 12  # of a span on a Dask cluster: their tallies are kept separately
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

    The same call resumes a run that has ended early, for whatever reason. The results are the same,
    to the last bit, as those of an uninterrupted run.

    Args:
        study: the path of a TOML file, or a mapping of the same structure.
        store: the file in which finished work is saved; created if it does not exist.
        workers: the number of threads; None means one per core. The results do not depend on it.
        dask: a `distributed.Client`, or the address of a Dask scheduler, to compute the spots on
            the workers of that cluster, exact ones first; None to compute them in threads. The
            results do not depend on it.
        progress: show a progress bar on standard error.

    Raises:
        StudyError: the study cannot be read or is invalid, or a spot cannot be computed.
        StoreError: the store is in use, damaged, or belongs to another study.
        EvaluatorError: an evaluator failed; finished work is kept.
        ClusterError: the cluster cannot be reached, or a worker has other versions of evaluators
            or packages.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception has the results
            so far.
    """
    threads = count_workers(workers)
    parsed = read_study(study)
    versions = versions_of(parsed.evaluators)
    with ExitStack() as stack:
        tasks: DaskTasks | None = None
        if dask is not None:  # before the store is created: the cluster may be unusable
            tasks = stack.enter_context(open_tasks(dask, versions["evaluators"]))
        versions["plugins"] = given_digests()  # workers get those with evaluators of the run
        opened = stack.enter_context(Store(store, parsed, versions))
        shown = StudyProgress(progress, opened)
        try:
            with shown.bar:
                _Session(opened, threads, shown, tasks).run()
        except KeyboardInterrupt:  # also while a cluster computes
            raise Interrupted(make_results(opened.read(), opened.path)) from None
        return make_results(opened.read(), opened.path)


#: The index of an unfinished spot in the study, the spot, and the query to compute it exactly on
#: this machine; None if the spot is to be sampled.
_Planned: TypeAlias = tuple[int, StudySpot, Query | None]


class _Session:
    """One call of `run_study`, which starts or resumes a study and writes to its store."""

    def __init__(
        self, store: Store, workers: int, progress: StudyProgress, dask: DaskTasks | None
    ) -> None:
        self._store = store
        self._dask = dask
        self._workers = workers
        self._progress = progress
        self._added_at = self._committed_at = clock.monotonic()

    def run(self) -> None:
        """Compute the unfinished spots and store their results.

        They are computed in the order of the study but, on Dask, exact spots come first.
        """
        if self._dask is not None:
            requests = (
                Task(request_exact(number, self._store.study.spots[number]), 1)
                for number in filter(self._may_be_exact, self._store.unfinished)
            )
            run(EachTask(requests, self._add_exact), 1, results=self._dask.results)
        for kind, some in groupby(self._plan_unfinished(), self._find_kind):
            if kind == "quick":
                tasks = (Task(partial(_answer_query, *each), 1) for each in self._exact(some))
                run(EachTask(tasks, self._add_exact), self._workers)
            elif kind == "exact":
                for each in self._exact(some):
                    self._add_exact(_answer_query(*each))
            else:
                self._sample(self._start_each(some))
        self._store.flush()

    def _may_be_exact(self, number: int) -> bool:
        """Test whether an unfinished spot, given by its index in the study, may turn out exact.

        It may if its method allows it and no deals have been sampled. Its plan then decides.
        """
        stored = self._store.spot(number)
        return stored.spot.method != "monte-carlo" and not stored.blocks

    def _plan_unfinished(self) -> Iterator[_Planned]:
        """Yield the index in the study, the spot and a query for each unfinished spot.

        The query computes the exact result; it is None if the spot is to be sampled. With Dask, it
        is always None, because the exact results are already in the store.
        """
        for number in self._store.unfinished:
            spot, query = self._store.study.spots[number], None
            if self._dask is None and self._may_be_exact(number):
                query = spot.query(self._workers)
            is_exact = query is not None and query.plan.method == "exact"
            yield number, spot, query if is_exact else None

    def _find_kind(self, planned: _Planned) -> str:
        """Name how to compute a spot; consecutive spots with the same name are computed together.

        A sampled spot with a time limit has a name of its own, so that it is sampled alone and the
        time counts for this spot only. On this machine, spots that are sampled together must have
        the same evaluator.

        The name is ``"quick"`` for an exact result that takes a few milliseconds, ``"exact"`` for
        any other exact result, or begins with ``"sampled"``.
        """
        number, spot, query = planned
        if query is not None:
            return "quick" if query.plan.is_quick else "exact"
        if spot.time is not None:
            return f"sampled alone: {number}"
        return "sampled" if self._dask is not None else f"sampled by {spot.evaluator}"

    def _exact(self, planned: Iterator[_Planned]) -> Iterator[tuple[int, StudySpot, Query]]:
        """Yield planned spots, all with a query; show each in the progress bar first."""
        for number, spot, query in planned:
            assert query is not None
            self._progress.exact(number, spot.name)
            yield number, spot, query

    def _add_exact(self, answer: tuple[int, dict[str, Any] | None]) -> None:
        """Store the exact result of a spot, which is then finished; None if it is to be sampled."""
        number, record = answer
        if record is not None:
            stop, seconds = record["stop"], record["elapsed"]
            before = self._store.spot(number)
            after = attrs.evolve(before, elapsed=before.elapsed + seconds, stop=stop, answer=record)
            self._put(number, after)

    def _start_each(self, planned: Iterator[_Planned]) -> Iterator[RunningSpot]:
        """Yield the spots to sample, and mark the others as finished in the store.

        The others had already reached a limit in an earlier run.
        """
        for number, spot, _ in planned:
            stored = self._store.spot(number)
            state = RunState(spot.bounds, stored.counts, stored.blocks)
            limit = spot.time
            if state.stop is None and limit and stored.blocks and stored.elapsed >= limit:
                state.end("time")
            if state.stop is None:
                yield RunningSpot(number, spot, state, stored.blocks)
            else:
                self._put(number, attrs.evolve(stored, stop=state.stop))

    def _sample(self, spots: Iterator[RunningSpot]) -> None:
        """Sample spots of one kind until all are finished; one with a time limit comes alone."""
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
        """Add tallies ``int64 (block, size)`` of a spot's next blocks, unless it is finished."""
        seconds = self._seconds_since_last()
        if running.state.stop is None:
            running.state.add(tallies)
            self._put_state(running, seconds)

    def _end_by_time(self, running: RunningSpot, rest: NDArray[np.int64] | None) -> None:
        """End the sampling of a spot whose time limit is reached.

        `rest` is the tally of the deals counted so far in an unfinished block, ``int64 (size,)``.
        """
        spot, state = running.spot, running.state
        if rest is not None:
            state.blocks += 1
        elif not state.blocks:
            raise spot.error(running.number, explain_no_deal(spot.bounds, spot.evaluator))
        state.end("time", rest)
        self._put_state(running, self._seconds_since_last())

    def _put_state(self, running: RunningSpot, seconds: float) -> None:
        """Store the state of a sampled spot, add `seconds` to its time, and show the progress."""
        before, state = self._store.spot(running.number), running.state
        after = attrs.evolve(
            before,
            counts=state.counts.copy(),  # not a view of the counts after each block
            blocks=state.blocks,
            elapsed=before.elapsed + seconds,
            stop=state.stop,
        )
        self._progress.sampled(running, after.deals - before.deals)
        self._put(running.number, after)

    def _put(self, number: int, spot: StoredSpot) -> None:
        """Store a spot's state under its index in the study; write to disk about once a second."""
        self._store.put(number, spot)
        if clock.monotonic() - self._committed_at >= COMMIT_SECONDS:
            self._store.flush()
            self._committed_at = clock.monotonic()

    def _seconds_since_last(self) -> float:
        """Return the seconds since the previous call or, if later, since the last job began."""
        before, self._added_at = self._added_at, clock.monotonic()
        return self._added_at - before


def _answer_query(
    number: int, spot: StudySpot, query: Query, within: Workers | None = None
) -> tuple[int, dict[str, Any]]:
    """Compute the exact result of a spot, as from `EquityResult.to_dict`, in this process."""
    try:
        return number, query.answer(within=within).to_dict()
    except EvaluatorError as error:
        raise spot.error(number, error) from error


def request_exact(number: int, spot: StudySpot) -> Request[tuple[int, dict[str, Any] | None]]:
    """Build the request to compute a spot exactly, on a Dask worker or in this process.

    Its result is `number` with the dictionary of `EquityResult.to_dict`; None if the plan of the
    spot is to sample it.
    """
    return Request(
        lambda _: (number, _answer_exactly(spot)),
        lambda: {"spot": spot.to_dict()},
        answer_spot,
        lambda answer: (number, answer),
        partial(spot.error, number),
        "exact spots",
    )


def answer_spot(record: Mapping[str, Any]) -> dict[str, Any] | None:
    """Compute the exact result of the ``spot`` in a record on a Dask worker.

    It is a dictionary of `EquityResult.to_dict`; None if the plan is to sample the spot.
    """
    return _answer_exactly(StudySpot.from_dict(record["spot"]))


def _answer_exactly(spot: StudySpot) -> dict[str, Any] | None:
    query = spot.query(workers=1)
    return query.answer().to_dict() if query.plan.method == "exact" else None


class StudyProgress:
    """The progress bar of a study: speed, time left, the current spot and its standard error."""

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
        """Show that `deals` more deals of a spot have been sampled."""
        if self._shown:
            state = running.state
            blocks = running.expected_blocks if state.stop is None else 0
            note = f"error {state.stderr:.6f}"
            self._show(running.number, running.spot.name, note, max(BLOCK * blocks, state.deals))
            self.bar.update(deals)

    def exact(self, number: int, name: str) -> None:
        """Show that the exact result of a spot is being computed."""
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


@attrs.define(eq=False)
class RunningSpot:
    """A spot that is being sampled, with its tally so far."""

    number: int
    """The index of the spot in the study."""
    spot: StudySpot
    state: RunState
    """The tally so far, also of earlier runs, and why sampling ended, if it has."""
    scheduled: int
    """The number of blocks of deals scheduled so far, including the stored ones of earlier runs."""

    @cached_property
    def sampler(self) -> Sampler:
        """The sampler that draws the deals of the spot on this machine, created on first use."""
        return in_worker_thread(self.spot.sampler)

    @property
    def expected_blocks(self) -> float:
        """The estimated number of blocks that the spot needs in all; infinite if unknown."""
        return estimate_blocks(self.spot.bounds, self.state)

    def tally(
        self, call: Callable[[Workers], BlockPart], workers: Workers
    ) -> tuple[RunningSpot, BlockPart]:
        """Return the spot with the tallies of its deals from `call`; name the spot in errors."""
        try:
            return self, call(workers)
        except EvaluatorError as error:
            raise self.spot.error(self.number, error) from error


#: Consecutive blocks of deals of one spot that are tallied together: the spot, the number of the
#: first block, and the number of deals of each block.
Span: TypeAlias = tuple[RunningSpot, int, tuple[int, ...]]


def estimate_blocks(bounds: Bounds, state: RunState | None = None) -> float:
    """Estimate how many blocks of deals the sampling of a spot needs in all; infinite if unknown.

    Only the time limit is not considered. The standard error of the tally so far shows how many
    deals are needed; `state` is None before any deals.
    """
    blocks = inf if bounds.deals is None else ceil(bounds.deals / BLOCK)
    if bounds.stderr is not None:
        if state is not None and state.blocks >= MIN_BLOCKS:
            needed = ceil(state.blocks * (state.stderr / bounds.stderr) ** 2 * 1.01)
        else:
            needed = ceil(_VARIANCE / bounds.stderr**2 / BLOCK)
        blocks = min(blocks, max(needed, MIN_BLOCKS))
    return blocks


def schedule_spans(
    spots: Iterator[RunningSpot], blocks_per_span: Callable[[StudySpot], int]
) -> Iterator[Span]:
    """Yield the next consecutive blocks to tally (a span), until no spot can need more blocks.

    Which blocks come next depends on the states of the spots, which the caller updates meanwhile.
    The next spot is taken when, for each earlier one, as many blocks as it is expected to need are
    scheduled. A span is a spot, the number of the first block from 0, and the deals of each block.
    """
    running: list[RunningSpot] = []
    while True:
        running = [each for each in running if each.state.stop is None]
        chosen = next((each for each in running if each.scheduled < each.expected_blocks), None)
        if chosen is None and (started := next(spots, None)) is not None:
            running.append(started)
            continue
        if chosen is None:  # no spots are left: too many blocks are better than idle workers
            chosen = next(
                (each for each in running if each.scheduled * BLOCK < (each.spot.deals or inf)),
                None,
            )
        if chosen is None:
            return
        first, expected = chosen.scheduled, chosen.expected_blocks
        # Beyond the expected end only a few at a time, because most of them will be dropped.
        limit = expected - first if first < expected else max(first // 8, BLOCKS_PER_TASK)
        chosen.scheduled += int(min(blocks_per_span(chosen.spot), limit))
        end = min(chosen.scheduled * BLOCK, chosen.spot.deals or inf)
        yield chosen, first, divide_into_blocks(int(end) - first * BLOCK)


def divide_into_blocks(deals: int) -> tuple[int, ...]:
    """Divide deals into blocks of `BLOCK`, the last of which may be smaller; return their sizes."""
    blocks, rest = divmod(deals, BLOCK)
    return (BLOCK,) * blocks + (rest,) * bool(rest)


#: Called with a spot and the tallies of its next blocks, ``int64 (block, size)``.
AddTallies: TypeAlias = Callable[[RunningSpot, NDArray[np.int64]], None]


class BlocksJob(Job[tuple[RunningSpot, BlockPart], NDArray[np.int64] | None]):
    """Job that samples one or more spots, in threads or on a Dask cluster.

    A callback gets the tallies of the blocks of deals. The answer of the job is the tally of a
    block that was unfinished when the time was over, if any.
    """

    unit = "deals"
    batch_size: BatchSize

    def __init__(
        self,
        first: RunningSpot,
        others: Iterator[RunningSpot],
        add: AddTallies,
        dask: DaskTasks | None,
    ) -> None:
        """Create the job; without a cluster, all spots must have the same evaluator.

        The calls of `add` for a spot are in the order of the spot's blocks.
        """
        self.batch_size = BatchSize()
        self._first = first
        self._others = others
        self._add = add
        self._dask = dask
        self._sums = BlockSums()

    def prepare(self) -> None:
        """Load the spots' evaluator and the first spot's sampler, unless a cluster is used."""
        if self._dask is None:
            self._first.sampler.spot.evaluator.load()

    def tasks(self) -> Iterator[Task[tuple[RunningSpot, BlockPart]]]:
        spots = chain([self._first], self._others)
        for running, first, sizes in schedule_spans(spots, self._choose_blocks):
            if self._dask is not None:
                yield Task(request_blocks(running, first, sizes), len(sizes))
                continue
            for task in make_block_tasks(running.sampler, first, sizes, self.batch_size):
                yield Task(partial(running.tally, task.call), task.size)

    def _choose_blocks(self, spot: StudySpot) -> int:
        """Choose how many blocks of a spot's deals to tally in one task.

        On this machine, a task takes some milliseconds if hands are ranked by tables. On a cluster
        whose speed is known, it takes half a second at most, unless a single block takes longer.
        """
        least = BLOCKS_PER_TASK if get_evaluator(spot.evaluator).has_tables else 1
        if self._dask is None:
            return least
        return max(
            least, min(int(self._dask.estimate_batch_size(_describe_kind(spot))), _MOST_BLOCKS)
        )

    def add(self, part: tuple[RunningSpot, BlockPart]) -> bool:
        """Pass the tallies of the blocks that a task completes to the callback."""
        running, tallied = part
        tallies = self._sums.add(tallied)
        if tallies is not None:
            self._add(running, tallies)
        return False

    def answer(self, end: End) -> NDArray[np.int64] | None:
        """Return the tally of an unfinished block, ``int64 (size,)``, if the time is over."""
        return self._sums.rest if end == "time" else None


def request_blocks(
    running: RunningSpot, first: int, sizes: tuple[int, ...]
) -> Request[tuple[RunningSpot, BlockPart]]:
    """Build the request to tally a spot's blocks of deals, on a Dask worker or in this process.

    `first` is the number of the first block, from 0; `sizes` are the deals of each block.
    """
    spot = running.spot

    def read(tallies: NDArray[np.int64]) -> tuple[RunningSpot, BlockPart]:
        return running, BlockPart(tallies, is_last=True)

    return Request(
        lambda _: read(_get_sampler(spot).count(first, sizes)),
        lambda: {"spot": spot.to_dict(), "first": first, "deals": sum(sizes)},
        answer_blocks,
        lambda answer: read(decode_array(answer).astype(np.int64)),
        partial(spot.error, running.number),
        _describe_kind(spot),
        is_needed=lambda: running.state.stop is None,
    )


def answer_blocks(record: Mapping[str, Any]) -> dict[str, Any]:
    """Tally consecutive blocks of a spot's deals, sent by `request_blocks`, on a Dask worker.

    The tallies, ``int64 (block, size)``, are encoded by `encode_array`.
    """
    sampler = _get_sampler(StudySpot.from_dict(record["spot"]))
    return encode_array(sampler.count(record["first"], divide_into_blocks(record["deals"])))


def _describe_kind(spot: StudySpot) -> str:
    return f"blocks of {len(spot.players)} players by {spot.evaluator}"


@lru_cache(maxsize=8)
def _get_sampler(spot: StudySpot) -> Sampler:
    return spot.sampler()

"""Long runs: a study worked through spot by spot, kept in a store, and taken up again.

A run can end at any moment, by Ctrl-C, by a kill, by a power cut, and goes on from the blocks
that were kept. The answers depend on the study alone: on its questions, seeds and bounds.
"""

from __future__ import annotations

import os
import time as clock
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack, closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.errors import EvaluatorError, Interrupted
from holdem.jobs.ordered import count_workers
from holdem.odds.api import answer
from holdem.odds.plan import Plan, make_plan
from holdem.odds.sampling.run_state import RunState, no_deal_finished
from holdem.odds.spot import Spot
from holdem.odds.tally import deals_in
from holdem.trials.studies.local_blocks import Crew, LocalCrew
from holdem.trials.studies.results import StudyResults, results_of
from holdem.trials.studies.run_progress import RunProgress
from holdem.trials.studies.schedule import Part, Schedule, Underway
from holdem.trials.studies.store import Store
from holdem.trials.studies.store_rows import Kept, no_counts
from holdem.trials.studies.study import StudySpot
from holdem.trials.studies.study_file import read_study
from holdem.trials.studies.versions import versions_of

_SECONDS_A_COMMIT = 1.0


def run_study(
    study: str | os.PathLike[str] | Mapping[str, Any],
    store: str | os.PathLike[str],
    *,
    workers: int | None = None,
    dask: Any = None,
    progress: bool = False,
) -> StudyResults:
    """Work through a study, keeping what is finished in a file, and return the answers.

    The same call goes on where an earlier one ended, however it ended, and the answers are
    bit for bit those of a run that was never cut.

    Args:
        study: a TOML file, or a mapping of the same shape.
        store: the file that keeps what is finished; made if it is not there.
        workers: how many threads or processes; all cores if None. The answers do not depend
            on it.
        dask: a `distributed.Client`, or the address of a Dask scheduler: the workers of that
            cluster then compute what is sampled, and this machine what is exact. The answers
            do not depend on it.
        progress: show a progress bar on standard error.

    Raises:
        StudyError: the study cannot be read, or asks what has no answer.
        StoreError: the store is in use, damaged, or was made for something else.
        EvaluatorError: an evaluator failed; what was finished is kept.
        ClusterError: the cluster cannot be reached, or has no worker that is fit.
        Interrupted: Ctrl-C, a `KeyboardInterrupt` that carries the results so far as
            ``finished``.
    """
    threads = count_workers(workers)
    asked = read_study(study)
    versions = versions_of(spot.evaluator for spot in asked.spots)
    with ExitStack() as opened:
        # The cluster first: one that cannot be used leaves no store behind.
        crew: Crew = LocalCrew(threads)
        if dask is not None:
            from holdem.trials.studies.cluster import ClusterCrew
            from holdem.trials.studies.cluster_client import connected

            crew = ClusterCrew(opened.enter_context(connected(dask)), versions)
        kept = opened.enter_context(Store(store, asked, versions))
        with RunProgress(progress, kept.spots) as shown:
            try:
                _Run(kept, crew, threads, shown).go()
            except KeyboardInterrupt:
                raise Interrupted(results_of(Kept(versions, kept.spots))) from None
        return results_of(Kept(versions, kept.spots))


class _Run:
    """One session of a run."""

    def __init__(self, store: Store, crew: Crew, workers: int, progress: RunProgress) -> None:
        self._store = store
        self._crew = crew
        self._workers = workers
        self._progress = progress
        self._left = deque(n for n, spot in enumerate(store.spots) if spot.stop is None)
        self._planned: tuple[int, Spot, Plan] | None = None
        self._written = clock.monotonic()

    def go(self) -> None:
        """Answer every spot that has no answer yet, in the order of the study."""
        while self._left:
            number = self._left[0]
            spot, plan = self._plan(number)
            if plan.method == "exact":
                self._answer_exactly(number, spot, plan)
                self._left.popleft()
            else:
                self._left.popleft()
                begun = self._begin(number)
                if begun.course.stop is None:
                    self._sample(begun)
        assert all(spot.stop is not None for spot in self._store.spots), "a crew lost blocks"
        self._store.flush()

    def _plan(self, number: int) -> tuple[Spot, Plan]:
        """Return a spot and how it is answered; kept for the next call, for it costs some time."""
        if self._planned is None or self._planned[0] != number:
            asked = self._store.spots[number].asked
            spot = asked.spot()
            self._planned = (number, spot, make_plan(spot, asked.method))
        return self._planned[1:]

    def _answer_exactly(self, number: int, spot: Spot, plan: Plan) -> None:
        asked = self._store.spots[number].asked
        self._progress.exactly(number, asked.name)
        try:
            result = answer(
                spot,
                plan,
                asked.bounds,
                asked.seed or 0,
                self._workers,
                limited=asked.method == "exact",
                progress=False,
            )
        except EvaluatorError as error:
            raise EvaluatorError(f"spot {number + 1} ({asked.name}): {error}") from error
        self._store.add(number, no_counts(len(asked.players)), 0, result.elapsed)
        self._store.finish(number, result.stop, result.to_dict())
        self._write()

    def _sample(self, first: Underway) -> None:
        """Sample a spot, and those after it that can go together with it."""
        waiting = [first]

        def next_spot() -> Underway | None:
            if waiting:
                return waiting.pop()
            while self._left:
                number = self._left[0]
                asked = self._store.spots[number].asked
                if not _go_together(first.asked, asked):
                    return None
                if self._plan(number)[1].method == "exact":
                    return None
                self._left.popleft()
                begun = self._begin(number)
                if begun.course.stop is None:
                    return begun
            return None

        before = clock.monotonic()
        seconds = first.asked.time
        if seconds is not None:
            seconds -= self._store.spots[first.number].elapsed
        schedule = Schedule(next_spot, self._crew.together)
        with closing(self._crew.count(schedule.parts(), seconds)) as counted:
            for part, tallies in counted:
                now = clock.monotonic()
                self._take(part, tallies, now - before)
                before = now
        if first.course.stop is None and seconds is not None:
            if not first.course.blocks:
                told = no_deal_finished(first.asked.bounds, first.asked.evaluator)
                raise EvaluatorError(f"spot {first.number + 1} ({first.asked.name}): {told}")
            first.course.end("time")
            # What was under way when the time was over took some, too.
            nothing, spent = no_counts(len(first.asked.players)), clock.monotonic() - before
            self._store.add(first.number, nothing, 0, spent)
            self._end(first)

    def _begin(self, number: int) -> Underway:
        """Take a spot up where it was left; it may have reached its end by that."""
        kept = self._store.spots[number]
        course = RunState(kept.asked.bounds, kept.counts, kept.blocks)
        limit = kept.asked.time
        if course.stop is None and limit is not None and kept.blocks and kept.elapsed >= limit:
            course.end("time")
        spot = Underway(number, kept.asked, course, kept.blocks)
        self._end(spot)
        return spot

    def _take(self, part: Part, tallies: NDArray[np.int64], seconds: float) -> None:
        spot = part.spot
        if spot.course.stop is not None:
            return  # beyond the end of the spot
        if deals_in(tallies) < sum(part.sizes):  # its time is over
            spot.course.end("time", tallies.sum(axis=0))
            taken = len(tallies)
        else:
            taken = spot.course.add(tallies)
        counts = tallies[:taken].sum(axis=0)
        self._store.add(spot.number, counts, taken, seconds)
        self._end(spot)
        self._progress.sampled(spot, deals_in(counts))
        self._write()

    def _end(self, spot: Underway) -> None:
        """Say so if a spot has ended."""
        if spot.course.stop is not None:
            self._store.finish(spot.number, spot.course.stop)

    def _write(self) -> None:
        if clock.monotonic() - self._written >= _SECONDS_A_COMMIT:
            self._store.flush()
            self._written = clock.monotonic()


def _go_together(first: StudySpot, other: StudySpot) -> bool:
    """Whether two spots can be under way at once: time is measured for one alone."""
    return first.time is None and other.time is None and first.evaluator == other.evaluator

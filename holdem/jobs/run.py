"""The loop that runs every long computation of the engine.

A *job* is divided into tasks whose results are accumulated in order. Workers, order, deadlines,
batch sizes, progress and Ctrl-C are handled by this loop alone. A job defines its tasks, how
their results are added, and its answer.
"""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from holdem.errors import Interrupted
from holdem.jobs.batch_size import BatchSize
from holdem.jobs.deadline import Deadline
from holdem.jobs.progress import ProgressBar
from holdem.jobs.threads import in_worker_thread
from holdem.jobs.workers import Task, TimeOverError, Workers, ordered_results

_Part = TypeVar("_Part")
_Answer = TypeVar("_Answer")

#: Why a run ended: enough tasks were done, or its time was up.
End = Literal["complete", "time"]

#: Runs tasks and yields their results in order, like `ordered_results`.
Results: TypeAlias = Callable[
    [Iterable[Task[Any]], Workers, Deadline | None],
    Generator[tuple[Task[Any], Any, float], None, None],
]

#: Called with partial answers of a job.
OnPartial: TypeAlias = Callable[[Any], None]

_PARTIAL_SECONDS = 0.1  # at least, between two partial answers

# For short jobs, which start no threads; creating `Workers` takes 5 µs.
_NO_WORKERS = Workers(1)


class Job(ABC, Generic[_Part, _Answer]):
    """A computation divided into tasks."""

    unit: ClassVar[str]
    """The unit of task sizes, in the plural; shown by the progress bar."""

    total: float | None = None
    """The sum of the sizes of all tasks; None if it is not known."""

    batch_size: BatchSize | None = None
    """The batch size, adapted to the time that tasks take; None if tasks have fixed sizes."""

    def prepare(self) -> None:
        """Load and compile what the tasks need; this does not count toward the time limit."""

    @abstractmethod
    def tasks(self) -> Iterator[Task[_Part]]:
        """Yield the tasks; there may be infinitely many."""

    @abstractmethod
    def add(self, part: _Part) -> bool:
        """Accumulate the next task's result; return whether the job is complete.

        Results come in the order of the tasks. Ctrl-C may interrupt this method anywhere, so
        the new state must take effect in one assignment, or be unused after an interruption.
        """

    def status(self) -> str:
        """Return the text to show after the progress bar."""
        return ""

    @abstractmethod
    def answer(self, end: End) -> _Answer:
        """Return the answer from the accumulated results."""

    def partial_answer(self) -> object:
        """Return the answer from the results added so far, or None if they are too few.

        Called after Ctrl-C. A job that runs with `on_partial` must be able to go on after it.
        """
        return None


def run(
    job: Job[_Part, _Answer],
    workers: int,
    *,
    seconds: float | None = None,
    progress: bool = False,
    within: Workers | None = None,
    results: Results | None = None,
    on_partial: OnPartial | None = None,
) -> _Answer:
    """Run a job and return its answer.

    Args:
        job: the job.
        workers: the number of threads.
        seconds: the time limit; None for no limit.
        progress: show a progress bar on standard error.
        within: the workers of another run, in a task of which this is called; None in other
            calls. This run ends when they are closed.
        results: runs the tasks elsewhere, such as on a cluster; None to run them here.
        on_partial: called in this thread with the job's partial answer, first after the first
            task and at most ten times a second; None to compute no partial answers.

    Raises:
        Interrupted: Ctrl-C; carries the job's partial answer as ``finished``.
        WorkersClosedError: `within` was closed.
    """
    try:
        end = _accumulate(
            job, workers, seconds, progress, within, results or ordered_results, on_partial
        )
        return in_worker_thread(lambda: job.answer(end))
    except KeyboardInterrupt:
        raise Interrupted(job.partial_answer()) from None


def run_inline(job: Job[_Part, _Answer]) -> _Answer:
    """Run a short job, of a few milliseconds, in the current thread.

    Starting a thread would take a tenth of a millisecond.
    """
    try:
        job.prepare()
        for task in job.tasks():
            job.add(task.call(_NO_WORKERS))
        return job.answer("complete")
    except KeyboardInterrupt:
        raise Interrupted(job.partial_answer()) from None


def _accumulate(
    job: Job[_Part, _Answer],
    workers: int,
    seconds: float | None,
    progress: bool,
    within: Workers | None,
    results: Results,
    on_partial: OnPartial | None,
) -> End:
    in_worker_thread(job.prepare)
    deadline = None if seconds is None else Deadline(seconds)
    next_partial = clock.monotonic()
    with (
        Workers(workers) as pool,
        ProgressBar(progress, job.unit, job.total) as bar,
        closing(results(job.tasks(), pool, deadline)) as in_order,
    ):
        try:
            for task, part, elapsed in in_order:
                if within is not None:
                    within.require_open()
                is_complete = job.add(part)
                if job.batch_size is not None:
                    job.batch_size.update(int(task.size), elapsed)
                if progress:
                    bar.note(job.status())
                    bar.advance(task.size)
                if is_complete:
                    return "complete"
                if on_partial is not None and clock.monotonic() >= next_partial:
                    on_partial(job.partial_answer())
                    next_partial = clock.monotonic() + _PARTIAL_SECONDS
        except TimeOverError:
            return "time"
    return "complete"

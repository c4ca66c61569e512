"""The loop that runs every long computation of the engine.

A *job* is divided into tasks, whose results are added up in order. The loop handles workers, the
order of results, deadlines, batch sizes, progress and Ctrl-C for all jobs. A job only defines its
tasks, how to add their results, and how to build the answer.
"""

from __future__ import annotations

import builtins
import sys
import time as clock
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import attrs

from holdem.errors import Interrupted
from holdem.jobs.stopwatch import Deadline, Stopwatch
from holdem.jobs.workers import Future, Workers, in_worker_thread

_Result = TypeVar("_Result")
_Result_co = TypeVar("_Result_co", covariant=True)
_Part = TypeVar("_Part")
_Answer = TypeVar("_Answer")

#: Why a run ended: enough tasks were done, or its time was up.
End = Literal["complete", "time"]

_GRACE_SECONDS = 1.0  # after the deadline, for the first result
_PARTIAL_SECONDS = 0.1  # at least, between two partial answers

# For short jobs, which start no threads; creating `Workers` takes 5 µs.
_NO_WORKERS = Workers(1)

#: The size of the first batch: some 0.3 s for all 21 choices of five cards at a millisecond each.
FIRST_BATCH = 16

# Batches faster than `_SHORT` are followed by larger ones, batches slower than `_LONG` by
# smaller ones. Equal hands in a batch are ranked once (on a flop one hand in twenty is
# distinct), so small batches cost more per hand.
_SHORT, _LONG = 1.0, 8.0  # seconds

#: Called with partial answers of a job.
OnPartial: TypeAlias = Callable[[Any], None]


class BatchSize:
    """A batch size that adapts to the time that batches take.

    An evaluator may rank a million hands per second, or one. Runs therefore begin with small
    batches, and make them larger as long as they take little time. Use this class only for work
    whose result does not depend on the batch sizes.
    """

    def __init__(self, least: int = FIRST_BATCH) -> None:
        """Start with batches of `least` items, which is also the minimum."""
        self.size = least
        self._least = least

    def update(self, items: int, seconds: float) -> None:
        """Adapt `size` to the time in seconds that the last batch, of `items` items, took."""
        if seconds < _SHORT:
            self.size = max(self.size, (8 if seconds < _SHORT / 16 else 2) * items)
        elif seconds > _LONG:
            self.size = max(min(self.size, items // 2), self._least)


def progress_bar(shown: bool, unit: str, total: float | None = None, **options: Any) -> Any:
    """Create a progress bar of tqdm or, if it can't be shown, an object that does nothing.

    That object has the same methods, and tqdm is not imported for it. `unit` is in the plural, e.g.
    ``"deals"``; `total` is None if unknown; other options are those of tqdm.
    """
    if not shown or sys.stderr is None:  # tqdm fails without, and keeps its lock
        return _HiddenBar()
    if hasattr(builtins, "__IPYTHON__"):  # set by IPython
        from tqdm.auto import tqdm  # in a notebook, a widget
    else:  # a tenth of a second faster
        from tqdm import tqdm

    unit = unit if unit == "%" else f" {unit}"
    options = {"unit_scale": True, "leave": False, "delay": 0.5, "dynamic_ncols": True, **options}
    return tqdm(total=total, unit=unit, **options)


class _HiddenBar:
    def __enter__(self) -> _HiddenBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


class TimeOverError(Exception):
    """Raised if the deadline passes before all tasks are done. Results so far remain valid."""


@attrs.frozen
class Task(Generic[_Result_co]):
    """A part of a job: a call that any worker can make at any time."""

    call: Callable[[Workers], _Result_co]
    """The call. Its argument is the `Workers` of the run, by which a long call can notice that the
    run has ended."""
    size: float
    """The size of the task, in units of `Job.unit`."""


#: A function that runs tasks and yields their results in order, as `ordered_results` does.
Results: TypeAlias = Callable[
    [Iterable[Task[Any]], Workers, Deadline | None],
    Generator[tuple[Task[Any], Any, float], None, None],
]


class Job(ABC, Generic[_Part, _Answer]):
    """Base class of computations that are divided into tasks; see the module docstring."""

    unit: ClassVar[str]
    """The unit of task sizes, in the plural; shown by the progress bar."""

    total: float | None = None
    """The sum of the sizes of all tasks; None if it is not known."""

    batch_size: BatchSize | None = None
    """The batch size, adapted to the time that tasks take; None if tasks have fixed sizes."""

    stopwatch: Stopwatch
    """The stopwatch of the run, which `run` sets at the beginning."""

    def prepare(self) -> None:
        """Load and compile what the tasks need; this does not count toward the time limit."""

    @abstractmethod
    def tasks(self) -> Iterator[Task[_Part]]:
        """Yield the tasks; there may be infinitely many."""

    @abstractmethod
    def add(self, part: _Part) -> bool:
        """Add the result of the next task; return whether the job needs no further results.

        Results come in the order of the tasks. Ctrl-C may interrupt this method anywhere. So if the
        state is used afterwards, as by `partial_answer`, a single assignment must change it.
        """

    def status(self) -> str:
        """Return the text to show after the progress bar."""
        return ""

    @abstractmethod
    def answer(self, end: End) -> _Answer:
        """Build the answer from the results that were added; `end` says why the run ended."""

    def partial_answer(self) -> object:
        """Build the answer from the results so far; return None if there are too few of them.

        This is called after Ctrl-C and, if the job runs with `on_partial`, between tasks. In the
        latter case, the job must be able to go on afterwards.
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
    """Run a job on a number of threads and return the job's answer.

    `seconds` is the time limit, None for none. `within` are the `Workers` of another run in whose
    task this is called: this run ends when they are closed. `results` runs the tasks elsewhere,
    such as `DaskTasks.results` on a cluster; None runs them here. `on_partial` is called in this
    thread with the job's partial answer, first after the first task and at most ten times a second.
    """
    end: End = "time"
    job.stopwatch = Stopwatch()
    try:
        in_worker_thread(job.prepare)
        deadline = None if seconds is None else Deadline(seconds, job.stopwatch)
        next_partial = clock.monotonic()
        with (
            suppress(TimeOverError),
            Workers(workers) as pool,
            progress_bar(progress, job.unit, job.total) as bar,
            closing((results or ordered_results)(job.tasks(), pool, deadline)) as in_order,
        ):
            for task, part, elapsed in in_order:
                if within is not None:
                    within.require_open()
                is_complete = job.add(part)
                if job.batch_size is not None:
                    job.batch_size.update(int(task.size), elapsed)
                if progress:
                    bar.total = job.total
                    bar.set_postfix_str(job.status(), refresh=False)
                    bar.update(task.size)
                if is_complete:
                    break
                if on_partial is not None and clock.monotonic() >= next_partial:
                    on_partial(job.partial_answer())
                    next_partial = clock.monotonic() + _PARTIAL_SECONDS
            end = "complete"
        return in_worker_thread(lambda: job.answer(end))
    except KeyboardInterrupt:
        raise Interrupted(job.partial_answer()) from None


def run_inline(job: Job[_Part, _Answer]) -> _Answer:
    """Run a job of a few milliseconds in the current thread, and return the job's answer.

    Starting a thread would take a tenth of a millisecond.
    """
    job.stopwatch = Stopwatch()
    try:
        job.prepare()
        for task in job.tasks():
            if job.add(task.call(_NO_WORKERS)):
                break
        return job.answer("complete")
    except KeyboardInterrupt:
        raise Interrupted(job.partial_answer()) from None


class EachTask(Job[_Part, None]):
    """Job without an answer, which passes the result of each task to a callback, in order."""

    unit = "tasks"

    def __init__(self, tasks: Iterator[Task[_Part]], add: Callable[[_Part], None]) -> None:
        """Create the job; `add` is the callback. There may be infinitely many tasks."""
        self._tasks = tasks
        self._add = add

    def tasks(self) -> Iterator[Task[_Part]]:
        return self._tasks

    def add(self, part: _Part) -> bool:
        self._add(part)
        return False

    def answer(self, end: End) -> None:
        """Return None, because each result has already been passed to the callback."""


def ordered_results(
    tasks: Iterable[Task[_Result]], workers: Workers, deadline: Deadline | None = None
) -> Generator[tuple[Task[_Result], _Result, float], None, None]:
    """Run tasks and yield each with its result and the seconds that it took, in their order.

    At most two tasks per worker are under way, so `tasks` may be infinite. The calling thread only
    waits, so that Ctrl-C is noticed at once. Results that are ready by the deadline are still
    yielded; the first result is waited for one second longer.
    """
    waiting = iter(tasks)

    def submit(some: int) -> list[tuple[Task[_Result], Future[tuple[_Result, float]]]]:
        return [
            (task, workers.submit(partial(_call_timed, task, workers)))
            for task in islice(waiting, some)
        ]

    under_way = deque(submit(2 * workers.count))
    grace = _GRACE_SECONDS
    while under_way:
        task, future = under_way[0]
        if not _wait_in_time(future, deadline, grace):
            raise TimeOverError
        grace = 0.0
        result, seconds = future.result()
        under_way.popleft()
        is_over = deadline is not None and deadline.seconds_left() <= 0
        under_way.extend(submit(0 if is_over else 1))
        yield task, result, seconds
    if next(waiting, None) is not None:
        raise TimeOverError


def _call_timed(task: Task[_Result], workers: Workers) -> tuple[_Result, float]:
    started = clock.monotonic()
    return task.call(workers), clock.monotonic() - started


def _wait_in_time(future: Future[Any], deadline: Deadline | None, grace: float) -> bool:
    """Wait for a call until `grace` seconds after the deadline, if any; return whether it ended."""
    if deadline is None:
        return future.wait()
    while not future.wait(clock.monotonic() + max(deadline.seconds_left() + grace, 0.0)):
        if deadline.seconds_left() + grace <= 0:  # compilation may have extended it
            return False
    return True

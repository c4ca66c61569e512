"""The worker threads of a run, and the results of its tasks in order."""

from __future__ import annotations

import os
import time as clock
from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

import attrs

from holdem.arguments import checked_integer
from holdem.errors import SpotError
from holdem.jobs.deadline import Deadline
from holdem.jobs.threads import Future, ThreadPool

_Result = TypeVar("_Result")
_Result_co = TypeVar("_Result_co", covariant=True)

_GRACE_SECONDS = 1.0  # after the deadline, for the first result


class WorkersClosedError(Exception):
    """Raised in threads that are still working for a run that has ended."""


class TimeOverError(Exception):
    """Raised when the deadline passes before all tasks are done; earlier results stay valid."""


@attrs.frozen
class Task(Generic[_Result_co]):
    """A part of a job: a call that any worker can make at any time."""

    call: Callable[[Workers], _Result_co]
    """Called with the workers of the run, so that a long call can notice the end of the run."""
    size: float
    """The size of the task, in the units of the progress bar and of the batch size."""


class Workers:
    """The worker threads of one run.

    Close them at the end of the run, or use them in a ``with`` statement.
    """

    def __init__(self, count: int) -> None:
        """Create the workers without starting any threads."""
        self.count = count
        self._threads = ThreadPool(count)
        self._is_closed = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, call: Callable[[], _Result]) -> Future[_Result]:
        """Submit a call to the worker threads and return its future."""
        return self._threads.submit(call)

    def require_open(self) -> None:
        """Raise `WorkersClosedError` if the workers are closed, to end an abandoned task early.

        Raises:
            WorkersClosedError: the workers are closed.
        """
        if self._is_closed:
            raise WorkersClosedError

    def close(self) -> None:
        """Cancel tasks that have not begun; do not wait for the threads."""
        self._is_closed = True
        self._threads.close()


def count_workers(workers: int | None) -> int:
    """Validate and return a number of workers; None means one worker per available core.

    Raises:
        SpotError: not 1 to 1024.
        HoldemTypeError: not an integer.
    """
    if workers is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return checked_integer(workers, "workers", 1, 1024, SpotError)


def ordered_results(
    tasks: Iterable[Task[_Result]], workers: Workers, deadline: Deadline | None = None
) -> Generator[tuple[Task[_Result], _Result, float], None, None]:
    """Run tasks and yield their results in the order of the tasks.

    At most two tasks per worker are under way, so `tasks` may be infinite. The calling thread
    only waits, so that Ctrl-C is noticed at once.

    Args:
        tasks: the tasks to run.
        workers: the workers that run them.
        deadline: when to end. Results that are ready by then are still yielded, and the first
            result may be a second late.

    Yields:
        The task, its result and the seconds that it took.

    Raises:
        TimeOverError: the deadline has passed and tasks are left.
    """
    waiting = iter(tasks)

    def submit(some: int) -> list[tuple[Task[_Result], Future[tuple[_Result, float]]]]:
        return [
            (task, workers.submit(partial(_timed, task, workers))) for task in islice(waiting, some)
        ]

    under_way = deque(submit(2 * workers.count))
    grace = _GRACE_SECONDS
    while under_way:
        task, future = under_way[0]
        if not _in_time(future, deadline, grace):
            raise TimeOverError
        grace = 0.0
        result, seconds = future.result()
        under_way.popleft()
        is_over = deadline is not None and deadline.seconds_left() <= 0
        under_way.extend(submit(0 if is_over else 1))
        yield task, result, seconds
    if next(waiting, None) is not None:
        raise TimeOverError


def _timed(task: Task[_Result], workers: Workers) -> tuple[_Result, float]:
    started = clock.monotonic()
    return task.call(workers), clock.monotonic() - started


def _in_time(future: Future[Any], deadline: Deadline | None, grace: float) -> bool:
    """Wait for a future and return True, or False if the deadline and grace period pass first."""
    if deadline is None:
        return future.is_done()
    while not future.is_done(clock.monotonic() + max(deadline.seconds_left() + grace, 0.0)):
        if deadline.seconds_left() + grace <= 0:  # compilation may have extended it
            return False
    return True

"""Work in blocks: run on several threads, handed back in order."""

from __future__ import annotations

import os
import time as clock
from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from holdem.arguments import checked_integer
from holdem.errors import SpotError
from holdem.evaluation.processes import HERE, ranking_crew
from holdem.jobs.old_deadline import Deadline
from holdem.jobs.old_threads import Task, Team

_Done = TypeVar("_Done")

_PATIENCE = 1.0  # seconds that a first result may be late


class TimeOverError(Exception):
    """The time that work had is over; what was handed back until then stays."""


def count_workers(workers: int | None) -> int:
    """Return the number of threads to use: all cores this process may use for None.

    Raises:
        SpotError: not 1 to 1024.
        HoldemTypeError: not an integer.
    """
    if workers is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return checked_integer(workers, "workers", 1, 1024, SpotError)


def in_order(
    tasks: Iterable[Callable[[], _Done]], workers: int, until: Deadline | None = None
) -> Generator[_Done, None, None]:
    """Run tasks on `workers` threads and yield their results in the order of the tasks.

    At most two tasks a worker are under way, so an endless iterable is welcome. The calling
    thread only waits, so that Ctrl-C is heard at once. Closing the iterator drops what is under
    way. With more than one worker, each thread has a process of its own for what a slow
    evaluator ranks.

    Args:
        tasks: what to do.
        workers: how many threads.
        until: when to end. What is finished by then is still yielded, and the first result is
            waited for a second longer.

    Raises:
        TimeOverError: there is more to do, and it is `until`.
    """
    waiting = iter(tasks)
    with ranking_crew(processes=workers > 1) as crew:
        team = Team(workers, partial(setattr, HERE, "crew", crew))
        try:
            under_way: deque[Task[_Done]] = deque(
                team.submit(task) for task in islice(waiting, 2 * workers)
            )
            patience = _PATIENCE
            while under_way:
                if not _in_time(under_way[0], until, patience):
                    raise TimeOverError
                patience = 0.0
                result = under_way.popleft().result()
                over = until is not None and until.left() <= 0
                under_way.extend(team.submit(task) for task in islice(waiting, 0 if over else 1))
                yield result
            if next(waiting, None) is not None:
                raise TimeOverError
        finally:
            team.dismiss()


def _in_time(task: Task[Any], until: Deadline | None, patience: float) -> bool:
    """Wait for a task; False if its time is over, and so much more."""
    if until is None:
        return task.is_done()
    while not task.is_done(clock.monotonic() + max(until.left() + patience, 0.0)):
        if until.left() + patience <= 0:
            return False
    return True

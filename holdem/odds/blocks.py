"""Work in blocks: run on several threads, handed back in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from holdem.errors import HoldemTypeError, SpotError, shown
from holdem.evaluation.processes import HERE, ranking_crew

if TYPE_CHECKING:
    from concurrent.futures import Future

_Done = TypeVar("_Done")


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run; `finished` is what was computed until then."""

    def __init__(self, finished: object) -> None:
        super().__init__()
        self.finished = finished


def count_workers(workers: int | None) -> int:
    """Return the number of threads to use: all cores this process may use for None."""
    if workers is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if isinstance(workers, bool) or not isinstance(workers, int):
        raise HoldemTypeError(f"workers is a whole number, not {shown(workers)}")
    if not 1 <= workers <= 1024:
        raise SpotError(f"workers is a number from 1 to 1024, not {workers}")
    return workers


def in_order(tasks: Iterable[Callable[[], _Done]], workers: int) -> Generator[_Done, None, None]:
    """Run tasks on `workers` threads and yield their results in the order of the tasks.

    At most two tasks a worker are under way, so an endless iterable is welcome. Closing the
    iterator drops what has not begun. With one worker, or one task, everything runs in this
    thread. With more, each thread has a process of its own for what a slow evaluator ranks.
    """
    waiting = iter(tasks)
    begun = list(islice(waiting, 2))
    if workers == 1 or len(begun) < 2:
        for task in chain(begun, waiting):
            yield task()
        return
    from concurrent.futures import ThreadPoolExecutor

    waiting = chain(begun, waiting)
    with ranking_crew() as crew:
        pool = ThreadPoolExecutor(
            workers, thread_name_prefix="holdem", initializer=partial(setattr, HERE, "crew", crew)
        )
        try:
            under_way: deque[Future[_Done]] = deque(
                pool.submit(task) for task in islice(waiting, 2 * workers)
            )
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(pool.submit(task) for task in islice(waiting, 1))
                yield result
        finally:
            # Not waited for: what still runs is dropped, and Ctrl-C is to be answered at once.
            pool.shutdown(wait=False, cancel_futures=True)

"""Calls in several processes, since what is plain Python gains nothing from threads."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TypeVar

from holdem.errors import HoldemRuntimeError
from holdem.jobs.workers import Workers

_Given = TypeVar("_Given")
_Answer = TypeVar("_Answer")

_AT_ONCE = 50  # items sent to a process: some 10 ms of work with PHH, and 100 ms with PokerStars


def map_in_processes(
    call: Callable[[_Given], _Answer], items: Iterable[_Given], workers: int
) -> Iterator[_Answer]:
    """Yield the answer to each item, in their order. A few hundred items are in memory at once.

    A script that has no ``if __name__ == "__main__"`` would be run again by each process, so this
    is offered on the command line only.

    Args:
        call: a function at the top of a module.
        items: what it is called with.
        workers: the number of processes.

    Raises:
        HoldemRuntimeError: a process has ended, or cannot be started.
    """
    iterator = iter(items)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _end_with_parent)
    waiting: deque[Future[list[_Answer]]] = deque()

    def find_next() -> list[_Answer]:
        # What starts here ignores Ctrl-C, which in a terminal reaches all processes.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        while len(waiting) < 2 * workers and (some := list(islice(iterator, _AT_ONCE))):
            waiting.append(pool.submit(_call_with_each, call, some))
        return waiting.popleft().result() if waiting else []

    # The main thread has no part in the pool, whose locks Ctrl-C could leave held.
    with Workers(1) as thread:
        try:
            while answers := thread.submit(find_next).result():
                yield from answers
        except BrokenProcessPool:
            raise HoldemRuntimeError("a process that reads hands has ended") from None
        except OSError as error:
            message = f"the system cannot start a process: use fewer workers ({error.strerror})"
            raise HoldemRuntimeError(message) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _call_with_each(call: Callable[[_Given], _Answer], items: list[_Given]) -> list[_Answer]:
    return [call(item) for item in items]


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, in whatever way."""

    def wait() -> None:
        parent = parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()

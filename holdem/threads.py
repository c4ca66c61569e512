"""Work in threads that nobody has to wait for.

Ctrl-C reaches the main thread only, and only between two instructions of Python's own: while
compiled code runs there, or numba compiles, it is not heard, or lost. So whatever may take
long runs in another thread, and the main thread does nothing but wait for it. What it waits
for no longer goes on to the end of its task unheeded: the threads are daemons, which the end
of the program does not wait for.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    _Task = tuple[Future[Any], Callable[[], Any]]

_Done = TypeVar("_Done")

#: Threads that work for the engine have names that begin so.
THREAD_NAME = "holdem"

_LISTEN = 0.25  # seconds: on some systems Ctrl-C does not end a wait, but is heard after it


class Team:
    """Threads that take tasks one after the other."""

    def __init__(self, most: int, prepare: Callable[[], None] | None = None) -> None:
        """Begin without a thread; they are started as tasks come.

        Args:
            most: how many threads there are in the end.
            prepare: called by each thread before its first task.
        """
        self._most = most
        self._prepare = prepare
        self._started = 0
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()

    def submit(self, task: Callable[[], _Done]) -> Future[_Done]:
        """Have a task done, once a thread is free."""
        from concurrent.futures import Future  # which brings the logging of Python along

        future: Future[_Done] = Future()
        self._tasks.put((future, task))
        if self._started < self._most:
            self._started += 1
            threading.Thread(
                target=_work, args=(self._tasks, self._prepare), name=THREAD_NAME, daemon=True
            ).start()
        return future

    def dismiss(self) -> None:
        """Drop what has not begun, and let the threads end; they are not waited for."""
        with suppress(Exception):
            while True:  # until it is empty
                dropped = self._tasks.get_nowait()
                if dropped is not None:
                    dropped[0].cancel()
        for _ in range(self._started):
            self._tasks.put(None)


def _work(tasks: SimpleQueue[_Task | None], prepare: Callable[[], None] | None) -> None:
    if prepare is not None:
        prepare()
    while (taken := tasks.get()) is not None:
        future, task = taken
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(task())
            except BaseException as error:
                future.set_exception(error)
        del taken, future, task  # nothing is kept while it waits


def is_done(future: Future[Any], until: float | None = None) -> bool:
    """Wait for a future, so that Ctrl-C is heard; False if it is `until` by the monotonic clock."""
    while not future.done():
        left = _LISTEN if until is None else min(_LISTEN, until - clock.monotonic())
        if left <= 0:
            return False
        with suppress(TimeoutError):
            future.exception(timeout=left)
    return True


def apart(task: Callable[[], _Done]) -> _Done:
    """Do a task in a thread of its own if this is the main one, so that Ctrl-C is heard."""
    if threading.current_thread() is not threading.main_thread():
        return task()
    team = Team(1)
    try:
        future = team.submit(task)
        is_done(future)
        return future.result()
    finally:
        team.dismiss()

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
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from holdem.errors import HoldemError

_Done = TypeVar("_Done")

#: Threads that work for the engine have names that begin so.
THREAD_NAME = "holdem"

_LISTEN = 0.25  # seconds: on some systems Ctrl-C does not end a wait, but is heard after it


class Task(Generic[_Done]):
    """Something that a thread of a team does, and what came of it.

    The futures of the standard library wait on a condition, which Ctrl-C can leave in disorder:
    it is then answered by another error. A bare lock it cannot.
    """

    def __init__(self, work: Callable[[], _Done]) -> None:
        """Take what is to be done."""
        self.is_dropped = False
        self._work: Callable[[], _Done] | None = work
        self._found: list[_Done] = []
        self._error: BaseException | None = None
        self._has_ended = False
        self._running = threading.Lock()
        self._running.acquire()

    def run(self) -> None:
        """Do it, in this thread."""
        assert self._work is not None, "a task is done once"
        try:
            self._found.append(self._work())
        except BaseException as error:
            self._error = error
        self._work = None  # nothing is kept of it
        self._has_ended = True
        self._running.release()

    def is_done(self, until: float | None = None) -> bool:
        """Wait for its end, so that Ctrl-C is heard; False if it is `until`, monotonic clock."""
        while not self._has_ended:
            left = _LISTEN if until is None else min(_LISTEN, until - clock.monotonic())
            if left <= 0:
                return False
            if self._running.acquire(timeout=left):
                self._running.release()
        return True

    def result(self) -> _Done:
        """Wait for its end and return what it returned, or raise what it raised."""
        self.is_done()
        if self._error is not None:
            raise self._error
        return self._found[0]


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
        self._tasks: SimpleQueue[Task[Any] | None] = SimpleQueue()

    def submit(self, work: Callable[[], _Done]) -> Task[_Done]:
        """Have something done, once a thread is free.

        Raises:
            HoldemError: the system has no thread for it, and this team has none yet.
        """
        task = Task(work)
        self._tasks.put(task)
        if self._started < self._most:
            thread = threading.Thread(
                target=_work, args=(self._tasks, self._prepare), name=THREAD_NAME, daemon=True
            )
            try:
                thread.start()
            except RuntimeError as error:  # no more to be had: those that there are do the work
                if not self._started:
                    told = "the system has no thread left to work in: ask for fewer workers"
                    raise HoldemError(told) from error
                self._most = self._started
            else:
                self._started += 1
        return task

    def dismiss(self) -> None:
        """Drop what has not begun, and let the threads end; they are not waited for."""
        with suppress(Empty):
            while True:
                dropped = self._tasks.get_nowait()
                if dropped is not None:
                    dropped.is_dropped = True
        for _ in range(self._started):
            self._tasks.put(None)


def _work(tasks: SimpleQueue[Task[Any] | None], prepare: Callable[[], None] | None) -> None:
    if prepare is not None:
        prepare()
    while (task := tasks.get()) is not None:
        task.run()
        del task  # nothing is kept while it waits


def apart(work: Callable[[], _Done]) -> _Done:
    """Do something in a thread of its own if this is the main one, so that Ctrl-C is heard."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    team = Team(1)
    try:
        return team.submit(work).result()
    finally:
        team.dismiss()

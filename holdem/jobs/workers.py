"""Worker threads that leave the main thread responsive to Ctrl-C.

Ctrl-C reaches the main thread only, and only between two Python instructions: while compiled
code runs there it is delayed or lost. So work that may take long runs in other threads, and
the main thread waits in short intervals. The threads are daemons, so an abandoned one does not
keep the program from ending.
"""

from __future__ import annotations

import os
import threading
import time as clock
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from holdem.errors import HoldemRuntimeError, SpotError

_Result = TypeVar("_Result")

#: The prefix of the names of the engine's threads.
THREAD_NAME = "holdem"

_POLL_SECONDS = 0.25  # on some systems Ctrl-C does not end a wait and is noticed only after it


class Future(Generic[_Result]):
    """A call made in a worker thread, and its result once the call has ended.

    Futures of the standard library wait on a condition variable, which a `KeyboardInterrupt`
    can leave inconsistent; the next operation on it then fails with another error. A plain
    lock has no such state.
    """

    def __init__(self, call: Callable[[], _Result]) -> None:
        self._call: Callable[[], _Result] | None = call
        self._results: list[_Result] = []
        self._error: BaseException | None = None
        self._has_ended = False
        self._running = threading.Lock()
        self._running.acquire()

    def run(self) -> None:
        """Make the call in the current thread."""
        assert self._call is not None, "a future runs once"
        try:
            self._results.append(self._call())
        except BaseException as error:
            self._error = error
        self._call = None  # frees the objects that the call refers to
        self._has_ended = True
        self._running.release()

    def wait(self, until: float | None = None) -> bool:
        """Wait until the call ends or the time `until` is reached; return whether the call ended.

        The time is by `time.monotonic`; None is no limit.
        """
        while not self._has_ended:
            left = _POLL_SECONDS if until is None else min(_POLL_SECONDS, until - clock.monotonic())
            if left <= 0:
                return False
            if self._running.acquire(timeout=left):
                self._running.release()
        return True

    def result(self) -> _Result:
        """Wait for the call to end, then return its result or raise its exception."""
        self.wait()
        if self._error is not None:
            raise self._error
        return self._results[0]


class WorkersClosedError(Exception):
    """Raised by `Workers.require_open` to end work for a run that has ended."""


class Workers:
    """A pool of daemon threads, which are started as calls are submitted.

    Close it at the end of the run, or use it in a ``with`` statement.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._most = count  # threads; fewer if the system starts no more
        self._started = 0
        self._queue: SimpleQueue[Future[Any] | None] = SimpleQueue()
        self._is_closed = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, call: Callable[[], _Result]) -> Future[_Result]:
        """Queue a call for the threads, and return its future."""
        future = Future(call)
        self._queue.put(future)
        if self._started < self._most:
            thread = threading.Thread(
                target=_run_queue, args=(self._queue,), name=THREAD_NAME, daemon=True
            )
            try:
                thread.start()
            except RuntimeError as error:  # no more threads: the started ones do the work
                # Ctrl-C interrupted the wait for the thread's start; see `Future`.
                if isinstance(error.__context__, KeyboardInterrupt):
                    raise error.__context__ from None
                if not self._started:
                    message = "the system cannot start a thread: use fewer workers"
                    raise HoldemRuntimeError(message) from error
                self._most = self._started
            else:
                self._started += 1
        return future

    def require_open(self) -> None:
        """Raise `WorkersClosedError` if the pool is closed; long tasks call this to end early."""
        if self._is_closed:
            raise WorkersClosedError

    def close(self) -> None:
        """Discard the calls that have not begun, and let the threads end without waiting for them.

        No call can be submitted afterwards.
        """
        self._is_closed = True
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        self._queue.put(None)  # each thread passes it on


def _run_queue(queue: SimpleQueue[Future[Any] | None]) -> None:
    while (future := queue.get()) is not None:
        future.run()
        del future  # frees the result while the thread waits
    # Pass it on: Ctrl-C during a start may have left more threads than the pool has counted.
    queue.put(None)


def count_workers(workers: int | None) -> int:
    """Validate and return the number of workers; None means one per available core."""
    from holdem.arguments import checked_integer  # and numpy, which the command line starts without

    if workers is None:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    return checked_integer(workers, "workers", 1, 1024, SpotError)


def in_worker_thread(call: Callable[[], _Result]) -> _Result:
    """Make a call and wait for its result; use a worker thread if called from the main thread.

    Ctrl-C then interrupts the wait at once, even while the call compiles or runs a kernel.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    with Workers(1) as workers:
        return workers.submit(call).result()

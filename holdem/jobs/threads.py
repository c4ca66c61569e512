"""Worker threads that leave the main thread responsive to Ctrl-C.

Ctrl-C reaches the main thread only, and only between two Python instructions: while compiled
code runs there it is delayed or lost. So work that may take long runs in other threads, and
the main thread waits in short intervals. The threads are daemons, so an abandoned one does not
keep the program from ending.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

from holdem.errors import HoldemRuntimeError

_Result = TypeVar("_Result")

#: The prefix of the names of the engine's threads.
THREAD_NAME = "holdem"

_POLL_SECONDS = 0.25  # on some systems Ctrl-C does not end a wait and is noticed only after it


class Future(Generic[_Result]):
    """The result of a call made in a worker thread.

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

    def is_done(self, until: float | None = None) -> bool:
        """Wait for the call to end and return True, or False if the monotonic clock reaches `until`
        first.
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
        self.is_done()
        if self._error is not None:
            raise self._error
        return self._results[0]


class ThreadPool:
    """A fixed-size pool of daemon threads, which are started as calls are submitted."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._started = 0
        self._queue: SimpleQueue[Future[Any] | None] = SimpleQueue()

    def submit(self, call: Callable[[], _Result]) -> Future[_Result]:
        """Queue a call.

        Raises:
            HoldemRuntimeError: the system cannot start even one thread.
        """
        future = Future(call)
        self._queue.put(future)
        if self._started < self._size:
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
                self._size = self._started
            else:
                self._started += 1
        return future

    def close(self) -> None:
        """Discard the calls that have not begun and let the threads end; do not wait for them.

        No call can be submitted afterwards.
        """
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


def in_worker_thread(call: Callable[[], _Result]) -> _Result:
    """Make a call, in a worker thread if the caller is the main thread, and wait for its result.

    Ctrl-C then interrupts the wait at once, even while the call compiles or runs a kernel.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    pool = ThreadPool(1)
    try:
        return pool.submit(call).result()
    finally:
        pool.close()

"""Worker processes that call functions.

A worker is a new interpreter, because forking a process with threads is unsafe. It does not
import the caller's script, so scripts need no ``if __name__ == "__main__"``. Calls and results
are pickled through its standard input and output.

The executors of `concurrent.futures` and loky were tried. The former imports the caller's
script; both hang at the end of the program while a call runs, both lose all workers when one
dies, and neither shields workers from Ctrl-C while they start.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import threading
import time
import warnings
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, TypeVar

from holdem.messages import listeners

if TYPE_CHECKING:
    from subprocess import Popen

_Result = TypeVar("_Result")

_COMMAND = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import serve; serve()"
# Ctrl-C does not reach a worker in a separate process group.
_OWN_GROUP: Any = {"process_group": 0} if os.name == "posix" else {"creationflags": 0x200}


class WorkersClosedError(Exception):
    """Raised in threads that are still working for a run that has ended."""


class WorkerDiedError(Exception):
    """Raised when a worker process ends during a call; the message is its exit code or signal."""


class ProcessPool:
    """A pool of worker processes, which are started on demand.

    Attributes:
        started: the number of processes started so far.
    """

    def __init__(self, size: int) -> None:
        """Create a pool of up to `size` processes without starting any."""
        self.started = 0
        self._slots = threading.Semaphore(size)
        self._lock = threading.Lock()
        self._idle: list[Popen[bytes]] = []
        self._alive: set[Popen[bytes]] = set()
        self._is_closed = False

    def call(self, function: Callable[..., _Result], *arguments: Any) -> _Result:
        """Return ``function(*arguments)``, computed by a worker. Any thread may call this.

        Args:
            function: a module-level function; the worker imports it by name.
            *arguments: its arguments. They, the result and exceptions must be picklable.

        Raises:
            WorkersClosedError: the pool is closed.
            WorkerDiedError: the process ended.
            OSError, TypeError: no process can be started, as in programs that embed Python.
        """
        request = pickle.dumps((function, arguments))
        with self._slots:
            process = self._take()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(request)
                process.stdin.flush()
                succeeded, result = pickle.load(process.stdout)  # noqa: S301 - our own process
            except (OSError, EOFError, ValueError, pickle.UnpicklingError):
                self._end(process)
                if self._is_closed:
                    raise WorkersClosedError from None
                raise WorkerDiedError(_exit_text(process.returncode)) from None
            self._idle.append(process)
        if succeeded:
            return result  # type: ignore[no-any-return]
        raise result

    def close(self) -> None:
        """Kill all processes. Current and later calls raise `WorkersClosedError`."""
        with self._lock:
            self._is_closed = True
        for process in list(self._alive):
            process.kill()
        while self._idle:
            self._end(self._idle.pop())

    def _take(self) -> Popen[bytes]:
        import subprocess  # takes some milliseconds

        with self._lock:
            if self._is_closed:
                raise WorkersClosedError
            if self._idle:
                return self._idle.pop()
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-c", _COMMAND, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                **_OWN_GROUP,
            )
            self.started += 1
            self._alive.add(process)
            return process

    def _end(self, process: Popen[bytes]) -> None:
        process.kill()
        with contextlib.suppress(OSError), process:  # waits for it and closes its pipes
            self._alive.discard(process)


def _exit_text(code: int) -> str:
    import signal

    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"exit code {code}"


def serve() -> None:
    """Run calls read from standard input, in a worker process, until the parent process ends."""
    requests, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # called functions may read input and print
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    warnings.simplefilter("ignore")  # the parent shows them, as it does messages
    listeners.append(lambda _: None)
    queue: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_answer, args=(queue, results), daemon=True).start()
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), daemon=True).start()
    try:
        # Calls run in another thread, so that the end of the parent is noticed during a call.
        while True:
            queue.put(pickle.load(requests))  # noqa: S301 - from the parent
    finally:
        os._exit(0)


def _answer(queue: SimpleQueue[Any], results: IO[bytes]) -> None:
    try:
        while True:
            function, arguments = queue.get()
            try:
                answer = True, function(*arguments)
            except BaseException as error:
                answer = False, error
            results.write(pickle.dumps(answer))
            results.flush()
    finally:  # the parent has ended, or the result cannot be pickled
        os._exit(1)


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:  # a forked sibling may keep the pipe open
        time.sleep(1)
    os._exit(0)

"""Reading hands in several processes, since plain Python gains nothing from threads.

A process gets hands as text on its standard input, and answers on its standard output, in turn. It
ends when its input does, so none is left when the program ends, in whatever way. It has a session
of its own, which Ctrl-C in a terminal does not reach. Threads of the program wait for the
processes, and the main thread waits for these, as everywhere (see `holdem.jobs.workers`).
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import IO, Any, Generic, TypeVar

from holdem.errors import HoldemError, HoldemRuntimeError
from holdem.jobs.workers import Workers

_Given = TypeVar("_Given")
_Answer = TypeVar("_Answer")

_AT_ONCE = 100  # hands sent to a process: some 20 ms of work

# A process that multiprocessing spawns would run the program's script once more.
_CODE = """import sys
sys.path[:] = {path!r}
from holdem.histories.processes import answer
from {module} import {name}
answer({name})
"""


def map_in_processes(
    call: Callable[[_Given], _Answer], items: Iterable[_Given], count: int
) -> Iterator[_Answer]:
    """Yield the answer of each item in order, computed in some processes.

    Only some hundred items are in memory at once.

    Args:
        call: a function at the top of a module.
        items: what it is called with.
        count: the number of processes.

    Raises:
        HoldemError: as `call` raises it.
        HoldemRuntimeError: a process has ended or could not be started.
    """
    iterator = iter(items)
    with _Processes(call, count) as processes, Workers(count) as workers:
        waiting = deque(
            workers.submit(processes.ask(some))
            for _ in range(2 * count)
            if (some := list(islice(iterator, _AT_ONCE)))
        )
        while waiting:
            answers = waiting.popleft().result()
            if some := list(islice(iterator, _AT_ONCE)):
                waiting.append(workers.submit(processes.ask(some)))
            yield from answers


class _Processes(Generic[_Given, _Answer]):
    """Processes that compute answers; those at work are not in the list of idle ones."""

    def __init__(self, call: Callable[[_Given], _Answer], count: int) -> None:
        code = _CODE.format(path=sys.path, module=call.__module__, name=call.__name__)
        try:
            self._all = [
                subprocess.Popen(  # noqa: S603 - the code is that above
                    [sys.executable, "-c", code],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
                for _ in range(count)
            ]
        except OSError as error:
            message = f"the system cannot start a process: use fewer workers ({error.strerror})"
            raise HoldemRuntimeError(message) from error
        self._idle = list(self._all)

    def __enter__(self) -> _Processes[_Given, _Answer]:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._all:
            process.kill()
        for process in self._all:
            with suppress(OSError):  # what was not yet sent
                process.communicate()

    def ask(self, items: list[_Given]) -> Callable[[], list[_Answer]]:
        """Return a function that has an idle process compute the answers."""

        def wait() -> list[_Answer]:
            process = self._idle.pop()  # there are as many threads as processes
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                _send(process.stdin, items)
                answers = pickle.load(process.stdout)  # noqa: S301 - of our own process
            except (OSError, EOFError, pickle.UnpicklingError) as error:
                raise HoldemRuntimeError("a process that reads hands has ended") from error
            self._idle.append(process)
            if isinstance(answers, HoldemError):
                raise answers
            found: list[_Answer] = answers
            return found

        return wait


def answer(call: Callable[[Any], Any]) -> None:
    """Answer on standard output what comes on standard input, until that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints is no answer
    with suppress(EOFError, OSError):
        while True:
            items = pickle.load(stdin)  # noqa: S301 - of the program that started this one
            try:
                answers: object = [call(item) for item in items]
            except HoldemError as error:
                answers = error
            _send(stdout, answers)


def _send(stream: IO[bytes], message: object) -> None:
    pickle.dump(message, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()

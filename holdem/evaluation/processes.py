"""Slow evaluators asked in processes of their own, so that several workers help them too.

Python code of two threads takes turns, so an evaluator in plain Python is no faster on eight
threads than on one. Each thread that works through blocks (`holdem.jobs.ordered`) therefore
has, for such an evaluator, a process that ranks for it: hands go over as bytes, strengths come
back. Only where hands are ranked differs, never what they are worth, so nothing in an answer
depends on it; nor does it on when the processes were started, which goes by the clock.

A process finds the evaluator by its name among the installed ones. What the running script
registered is known to no other process and stays in threads.

A process is a new interpreter, never a fork, which is not safe where threads run. It ends when
its input does, and so with its parent, however that ended.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.errors import EvaluatorError

if TYPE_CHECKING:
    from holdem.evaluation.evaluator import Evaluator

#: Seconds that a crew ranks in its threads before it starts processes: a start takes half a
#: second of a core, and most runs are shorter than what that could save.
PATIENCE = 0.5

# What is ranked in a thread is ranked in pieces, to hear of an end soon; not in small ones, for
# equal hands of a piece are ranked once.
_PIECE_SECONDS = 0.5
_START = (
    "import sys, json; given = json.loads(sys.argv[1]); sys.path[:] = given['path'];"
    " from holdem.evaluation.process_main import main; main(given['evaluator'])"
)
FRAME = struct.Struct("<BIQ")  # kind, cards a hand, bytes that follow
HANDS, STRENGTHS, FAILED, READY = range(4)


class CrewEndedError(Exception):
    """The crew has ended: nobody waits for the answer any more."""


class Crew:
    """The processes of the threads that work together; ended with them."""

    def __init__(self, processes: bool = True) -> None:
        """Begin without a process; without `processes` it stays so."""
        self._processes = processes
        self.started = 0
        """How many processes were started."""
        self._begun = time.monotonic()
        self._lock = threading.Lock()
        self._of_thread: dict[tuple[int, int], RankingProcess] = {}
        self._in_threads: dict[int, Evaluator] = {}  # by id: those that no process can rank
        self._ended = False

    def rank(self, evaluator: Evaluator, hands: CardArray) -> NDArray[Any]:
        """Rank hands for the calling thread, in its process once it has one.

        Args:
            evaluator: a slow one, loaded.
            hands: C-contiguous ``uint8 (hand, card)``, trusted.

        Raises:
            EvaluatorError: the evaluator failed, or ended its process.
        """
        if not self._processes:
            if self._ended:
                raise CrewEndedError
            return evaluator.rank_here(hands)
        ranked: list[NDArray[np.int64]] = []
        done, size = 0, 16
        while done < len(hands):
            process = self._process(evaluator)
            if process is not None:
                ranked.append(process.rank(hands[done:]))
                break
            begun = time.monotonic()
            ranked.append(evaluator.rank_here(hands[done : done + size]).astype(np.int64))
            done += size
            if time.monotonic() - begun < _PIECE_SECONDS:
                size *= 2
        return np.concatenate(ranked) if ranked else evaluator.rank_here(hands)

    def end(self) -> None:
        """End all processes; whoever waits for one is told that the crew has ended."""
        with self._lock:
            self._ended = True
            processes = list(self._of_thread.values())
        for process in processes:
            process.kill()
        for process in processes:
            process.close()

    def _process(self, evaluator: Evaluator) -> RankingProcess | None:
        """Return the calling thread's process; None while, or where, there is to be none."""
        if self._ended:
            raise CrewEndedError
        if id(evaluator) in self._in_threads or time.monotonic() - self._begun < PATIENCE:
            return None
        key = (threading.get_ident(), id(evaluator))
        process = self._of_thread.get(key)
        if process is None:
            try:
                distribution = _distribution(evaluator)
                with self._lock:
                    if self._ended:
                        raise CrewEndedError
                    process = RankingProcess(evaluator, distribution)
                    self._of_thread[key] = process
                    self.started += 1
                process.await_ready()
            except _NotFitError:
                self._in_threads[id(evaluator)] = evaluator
                return None
        return process


class _NotFitError(Exception):
    """No process can rank for this evaluator as it is here."""


def _distribution(evaluator: Evaluator) -> str:
    """Return the distribution that an evaluator was installed with."""
    from holdem.evaluation.registry import REGISTRY

    for record in REGISTRY.records():
        if record.name == evaluator.name == REGISTRY.key_of(evaluator) and record.distribution:
            return record.distribution
    raise _NotFitError


def scale_digest(evaluator: Evaluator) -> str:
    """Return a digest of the strengths of all classes: the same for the same evaluator."""
    import hashlib

    return hashlib.sha256(evaluator.scale.strengths.tobytes()).hexdigest()


class RankingProcess:
    """One process, used by one thread."""

    def __init__(self, evaluator: Evaluator, distribution: str) -> None:
        import json
        import subprocess

        self._evaluator = evaluator
        self._killed = False
        environment = dict(os.environ)
        if distribution == "holdem":  # it needs no plugin, and none may be wanted
            environment["HOLDEM_DISABLE_PLUGINS"] = "1"
        given = json.dumps({"path": sys.path, "evaluator": evaluator.name})
        # In a group of its own, so that Ctrl-C reaches this process alone.
        group: dict[str, Any] = (
            {"process_group": 0}
            if os.name == "posix"
            else {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
        )
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-c", _START, given],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                **group,
            )
        except (OSError, ValueError, TypeError) as error:  # embedded: no interpreter to start
            raise _NotFitError from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._hands: BinaryIO = cast(BinaryIO, self._process.stdin)
        self._answers: BinaryIO = cast(BinaryIO, self._process.stdout)

    def await_ready(self) -> None:
        """Wait until it has loaded the evaluator, and found it to be the same as here."""
        try:
            kind, answer = self._read()
        except EvaluatorError:
            kind, answer = FAILED, b""
        if kind != READY or answer.decode() != scale_digest(self._evaluator):
            self.kill()
            raise _NotFitError

    def rank(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank ``uint8 (hand, card)`` -> ``int64 (hand,)``."""
        try:
            write_frame(self._hands, HANDS, hands.tobytes(), hands.shape[1])
        except (OSError, ValueError):
            raise self._gone() from None
        kind, answer = self._read()
        if kind == FAILED:
            raise EvaluatorError(answer.decode())
        return np.frombuffer(answer, dtype=np.int64)

    def kill(self) -> None:
        """End it at once."""
        self._killed = True
        self._process.kill()

    def close(self) -> None:
        """Wait until a killed one is gone, and leave nothing of it."""
        self._process.wait()
        for pipe in (self._hands, self._answers):
            with contextlib.suppress(OSError, ValueError):
                pipe.close()

    def _read(self) -> tuple[int, bytes]:
        try:
            kind, _, answer = read_frame(self._answers)
        except (OSError, EOFError, ValueError):
            raise self._gone() from None
        return kind, answer

    def _gone(self) -> Exception:
        if self._killed:
            return CrewEndedError()
        code = self._process.wait()
        how = f"exit code {code}"
        if code < 0:
            import signal

            with contextlib.suppress(ValueError):
                how = signal.Signals(-code).name
        return EvaluatorError(f"evaluator {self._evaluator.name!r} ended its process ({how})")


def write_frame(stream: BinaryIO, kind: int, content: bytes, cards: int = 0) -> None:
    """Send one message."""
    stream.write(FRAME.pack(kind, cards, len(content)) + content)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[int, int, bytes]:
    """Receive one message: its kind, the cards of a hand, what it says.

    Raises:
        EOFError: the other side has gone.
    """
    head = stream.read(FRAME.size)
    if len(head) < FRAME.size:
        raise EOFError
    kind, cards, size = FRAME.unpack(head)
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return kind, cards, content


class _Here(threading.local):
    """The crew that the running thread belongs to, if it does to one."""

    crew: Crew | None = None


#: Asked by `Evaluator.rank`; set by threads that work through blocks.
HERE = _Here()


@contextlib.contextmanager
def ranking_crew(processes: bool = True) -> Iterator[Crew]:
    """Give threads that join it processes for slow evaluators, and end those with the block.

    A thread joins with ``HERE.crew = crew``. Without `processes` it ranks itself, and no
    longer than the block lasts.
    """
    crew = Crew(processes)
    try:
        yield crew
    finally:
        crew.end()

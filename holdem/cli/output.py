"""Standard output is for answers: what evaluators print goes to standard error.

An evaluator is code by others. A forgotten `print` in one, or a line from a C library, would
stand in the middle of a JSON answer.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any, TextIO

from holdem.evaluation.plugin_guard import FOREIGN


class OutputError(Exception):
    """An answer cannot be written, as on a disk that is full."""


@contextlib.contextmanager
def _written() -> Iterator[None]:
    """Tell what fails while an answer is written from all other trouble with files."""
    try:
        yield
    except BrokenPipeError:
        raise  # who read it has gone, and misses nothing
    except OSError as error:
        told = error.strerror or error
        raise OutputError(f"the answer cannot be written to standard output: {told}") from None


class _Answers:
    """Standard output, to which only the engine's own main thread can write."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def _target(self) -> TextIO:
        own = not FOREIGN.active and threading.current_thread() is threading.main_thread()
        return self._stream if own else sys.stderr

    def write(self, text: str) -> int:
        with _written():
            return self._target().write(text)

    def writelines(self, lines: Any) -> None:
        with _written():
            self._target().writelines(lines)

    def flush(self) -> None:
        with _written():
            self._stream.flush()

    def end(self) -> None:
        """Send whatever is still printed to standard error, and let go of the stream."""
        stream, self._stream = self._stream, sys.stderr
        with contextlib.suppress(OSError):  # who read our answers has gone
            stream.flush()

    @property
    def buffer(self) -> Any:
        return self._target().buffer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def answers_only(for_good: bool = False) -> Iterator[None]:
    """Keep standard output for answers, in Python and, as far as it is file descriptor 1, in C.

    Args:
        for_good: what is printed afterwards, as by an evaluator at exit or in a thread that
            was given up, is no answer either. Where such threads may be, nothing else will do:
            `print` holds on to `sys.stdout` without a reference of its own (gh-130163), and
            to put another there takes it away from under one that is running.

    Raises:
        OutputError: it was closed before the program began.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed, and answers go there")
    stream = sys.stdout
    own = _own_descriptor(stream)
    answers = _Answers(stream if own is None else own)
    sys.stdout = answers
    try:
        yield
    finally:
        answers.end()
        if not for_good:
            sys.stdout = stream
        if own is not None:
            if not for_good:
                os.dup2(own.fileno(), 1)
            with contextlib.suppress(OSError):
                own.close()


def _own_descriptor(stream: TextIO) -> TextIO | None:
    """Point file descriptor 1 at standard error, and return a stream to where it pointed."""
    try:
        if stream.fileno() != 1:
            return None
        stream.flush()
        own = os.fdopen(
            os.dup(1),
            "w",
            encoding=stream.encoding,
            errors=stream.errors,
            buffering=1 if stream.isatty() else -1,
        )
        os.dup2(2, 1)
    except (OSError, ValueError):  # no descriptor, or one of the two is closed
        return None
    return own

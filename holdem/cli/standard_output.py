"""Protection of standard output against stray output from evaluators.

Evaluators are other people's code. A `print` in one, or a line from a C library, would end up in
the middle of a JSON result. It goes to standard error instead.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any, TextIO

from holdem.evaluation.plugin_guard import in_guarded_call


class OutputError(Exception):
    """Raised when a result cannot be written, for example because the disk is full."""


@contextlib.contextmanager
def _write_errors() -> Iterator[None]:
    """Convert write errors, other than a closed pipe, to `OutputError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot write to standard output: {reason}") from None


class _ResultStream:
    """Standard output for the engine, which redirects evaluators' output to standard error.

    Output from threads other than the main thread goes to standard error as well.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def _target(self) -> TextIO:
        is_own = not in_guarded_call() and threading.current_thread() is threading.main_thread()
        return self._stream if is_own else sys.stderr

    def write(self, text: str) -> int:
        with _write_errors():
            return self._target().write(text)

    def writelines(self, lines: Any) -> None:
        with _write_errors():
            self._target().writelines(lines)

    def flush(self) -> None:
        with _write_errors():
            self._stream.flush()

    def end(self) -> None:
        """Flush the stream, and send all further output to standard error."""
        stream, self._stream = self._stream, sys.stderr
        with contextlib.suppress(OSError):  # a closed pipe
            stream.flush()

    @property
    def buffer(self) -> Any:
        return self._target().buffer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def results_only(*, permanently: bool = False) -> Iterator[None]:
    """Reserve `sys.stdout` and file descriptor 1 for the engine's results.

    Args:
        permanently: do not restore standard output at the end, so that later output, as from an
            evaluator at exit or in an abandoned thread, goes to standard error. `sys.stdout`
            must not be replaced while such a thread may run: `print` uses it without holding
            a reference (gh-130163).

    Raises:
        OutputError: standard output is closed.
    """
    if sys.stdout is None:
        raise OutputError("cannot write to standard output: it is closed")
    stream = sys.stdout
    duplicate = _redirect_descriptor(stream)
    results = _ResultStream(stream if duplicate is None else duplicate)
    sys.stdout = results
    try:
        yield
    finally:
        results.end()
        if not permanently:
            sys.stdout = stream
        if duplicate is not None:
            if not permanently:
                os.dup2(duplicate.fileno(), 1)
            with contextlib.suppress(OSError):
                duplicate.close()


def _redirect_descriptor(stream: TextIO) -> TextIO | None:
    """Redirect file descriptor 1 to standard error and return a stream to its original target.

    Returns None, and changes nothing, if `stream` does not use file descriptor 1.
    """
    try:
        if stream.fileno() != 1:
            return None
        stream.flush()
        duplicate = os.fdopen(
            os.dup(1),
            "w",
            encoding=stream.encoding,
            errors=stream.errors,
            buffering=1 if stream.isatty() else -1,
        )
        os.dup2(2, 1)
    except (OSError, ValueError):  # no descriptor, or a closed one
        return None
    return duplicate

"""A guard for calls of plugins' code, which may raise any exception and print anything.

The command line sends what plugins print to standard error, so that standard output has results
only; see `holdem.cli.output`.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TextIO

from holdem.errors import EvaluatorError, error_text

#: If this environment variable is set, exceptions from code of plugins are printed to standard
#: error with their traceback. The option ``--traceback`` sets it.
TRACEBACK_VARIABLE = "HOLDEM_TRACEBACK"

_MAX_OUTPUT = 200  # characters of a plugin's output that are kept

_printed: set[str] = set()  # messages of the exceptions printed


class _Depth(threading.local):
    calls = 0


_depth = _Depth()


class GuardedCall:
    """Context manager that converts exceptions from plugins' code to `EvaluatorError`.

    Entering and leaving it takes less than a microsecond.

    Args:
        prefix: text to put before the message of the exception.
        suffix: text to put after the message.

    Raises:
        EvaluatorError: the code raised any exception but Ctrl-C.
    """

    __slots__ = ("_prefix", "_suffix")

    def __init__(self, prefix: str = "", suffix: str = "") -> None:
        self._prefix, self._suffix = prefix, suffix

    def __enter__(self) -> None:
        _depth.calls += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _depth.calls -= 1
        if error is not None and not is_ctrl_c(error):
            text = error_text(error)
            if os.environ.get(TRACEBACK_VARIABLE):
                _print_once(error)
            elif text.endswith("…"):
                text += " (--traceback shows all of it)"
            raise EvaluatorError(f"{self._prefix}{text}{self._suffix}") from error


def _print_once(error: BaseException) -> None:
    """Print the traceback of an exception and of its causes, unless it was printed before.

    Nothing is printed if the first cause is an `EvaluatorError`: the engine itself has raised it,
    and its message is sufficient.
    """
    from traceback import print_exception

    cause = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    text = error_text(cause)
    if not isinstance(cause, EvaluatorError) and text not in _printed:
        _printed.add(text)
        print_exception(error)


def in_guarded_call() -> bool:
    """Test whether the current thread is running a plugin's code."""
    return _depth.calls > 0


class _PluginOutput(io.TextIOBase):
    """A stream that keeps what plugins' code prints, and passes on what other code prints.

    `sys.stdout` belongs to all threads: what others print meanwhile is not the plugin's.

    Attributes:
        text: the first 200 characters that were printed in guarded calls.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.text = ""
        self._stream = stream

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if in_guarded_call():
            self.text += text[: max(0, _MAX_OUTPUT - len(self.text))]
        elif self._stream is not None:
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        if self._stream is not None:
            self._stream.flush()


@contextmanager
def captured_output() -> Iterator[_PluginOutput]:
    """Context manager that keeps what plugins' code prints to standard output.

    The attribute `text` of the yielded object has the first 200 characters.
    """
    before, output = sys.stdout, _PluginOutput(sys.stdout)
    sys.stdout = output
    try:
        yield output
    finally:
        if sys.stdout is output:  # another thread may have redirected it meanwhile
            sys.stdout = before


def is_ctrl_c(error: BaseException) -> bool:
    """Test whether an exception raised in a plugin's code was caused by Ctrl-C.

    Ctrl-C raises `KeyboardInterrupt` in the main thread only. In another thread the code itself
    raised it, which is a fault like any other.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and isinstance(error, KeyboardInterrupt)

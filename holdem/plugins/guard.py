"""A guard for calls of plugins' code, which may raise any exception."""

from __future__ import annotations

import os
import threading
from types import TracebackType

from holdem.errors import EvaluatorError, error_text

#: If this environment variable is set, exceptions from code of plugins are printed to standard
#: error with their traceback. The option ``--traceback`` sets it.
TRACEBACK_VARIABLE = "HOLDEM_TRACEBACK"

_printed: set[str] = set()  # messages of the exceptions printed


class GuardedCall:
    """Context manager that converts exceptions from plugins' code, but Ctrl-C, to `EvaluatorError`.

    `prefix` and `suffix` stand before and after the message of the exception. Entering and leaving
    it takes less than a microsecond.
    """

    __slots__ = ("_prefix", "_suffix")

    def __init__(self, prefix: str = "", suffix: str = "") -> None:
        self._prefix, self._suffix = prefix, suffix

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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


def is_ctrl_c(error: BaseException) -> bool:
    """Test whether an exception raised in a plugin's code was caused by Ctrl-C.

    Ctrl-C raises `KeyboardInterrupt` in the main thread only. In another thread the code itself
    raised it, which is a fault like any other.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and isinstance(error, KeyboardInterrupt)

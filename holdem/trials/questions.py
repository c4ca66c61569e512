"""Calls of a user's function with a table of hands, and errors that say what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, one_line, quoted
from holdem.jobs.workers import WorkersClosedError
from holdem.trials.hand_table import HandTable

_FLUSHES = 'table.category()[:, 0] == table.code("flush")'
#: By name of the argument, what its function may be.
_EXAMPLES = dict.fromkeys(("ask", "given"), f"lambda table: {_FLUSHES}")
_EXAMPLES["of"] = f"lambda table: ({_FLUSHES}).sum()"


def ask_table(ask: Callable[[HandTable], Any], table: HandTable, name: str) -> Any:
    """Call a function that a user gave with a table.

    Args:
        ask: the function.
        table: its argument.
        name: the name of the function for messages.

    Raises:
        HoldemTypeError: it cannot be called.
        HoldemValueError: it raised an exception.
    """
    if not callable(ask):
        raise HoldemTypeError(
            f"{name} must be a function of a table of hands, as in {_EXAMPLES[name]}, not"
            f" {quoted(ask)}"
        )
    try:
        return ask(table)
    except (HoldemError, WorkersClosedError):
        raise
    except Exception as error:
        raise HoldemValueError(
            f"{name} raised {type(error).__name__}: {one_line(str(error))}"
        ) from error

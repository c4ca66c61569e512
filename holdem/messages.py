"""Messages to the user that are not part of a result; by default, they go to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

#: If this environment variable is set, messages are not printed.
QUIET_VARIABLE = "HOLDEM_QUIET"

#: Called with each message. The command line adds a printer. Without any, as in a script, messages
#: are printed if `is_watched`.
listeners: list[Callable[[str], None]] = []

#: Messages sent so far.
sent: set[str] = set()


def notify_once(text: str) -> None:
    """Send a message to all `listeners`, unless the same message was sent before.

    Without listeners, the message is printed on standard error if `is_watched`.
    """
    if text not in sent:
        sent.add(text)
        for listener in listeners or [_print_if_watched]:
            listener(text)


def is_watched() -> bool:
    """Tell whether somebody waits: on a terminal or in a notebook, and not in a worker process.

    With the environment variable ``HOLDEM_QUIET``, nobody does.
    """
    if os.environ.get(QUIET_VARIABLE) or sys.stderr is None:
        return False
    in_notebook = type(sys.stderr).__module__.partition(".")[0] == "ipykernel"
    if not in_notebook and not sys.stderr.isatty():
        return False
    from multiprocessing.process import parent_process  # 10 ms

    return parent_process() is None


def _print_if_watched(text: str) -> None:
    if is_watched():
        print(f"holdem: {text}", file=sys.stderr)


def callers_level() -> int:
    """Compute the ``stacklevel`` that attributes a warning to the first caller outside `holdem`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "holdem":
        level, frame = level + 1, frame.f_back
    return level

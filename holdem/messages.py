"""Messages to the user that are not part of a result; by default, they go to standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

#: If this environment variable is set, messages are not printed.
QUIET_VARIABLE = "HOLDEM_QUIET"

#: Called with each message. The command line adds a printer. Without any, as in a script, messages
#: are printed if standard error is a terminal.
listeners: list[Callable[[str], None]] = []

#: Messages sent so far.
sent: set[str] = set()


def notify_once(text: str) -> None:
    """Send a message to all `listeners`, unless the same message was sent before.

    Without listeners, the message is printed if standard error is a terminal and the environment
    variable ``HOLDEM_QUIET`` is not set.
    """
    if text not in sent:
        sent.add(text)
        for listener in listeners or [_print_on_terminal]:
            listener(text)


def _print_on_terminal(text: str) -> None:
    if not os.environ.get(QUIET_VARIABLE) and sys.stderr is not None and sys.stderr.isatty():
        print(f"holdem: {text}", file=sys.stderr)


def callers_level() -> int:
    """Compute the ``stacklevel`` that attributes a warning to the first caller outside `holdem`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "holdem":
        level, frame = level + 1, frame.f_back
    return level

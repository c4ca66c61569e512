"""Messages to the user other than results."""

from __future__ import annotations

import sys
from collections.abc import Callable

#: Called with each message. Empty in a library call; the command line adds a printer.
listeners: list[Callable[[str], None]] = []

#: Messages sent so far.
sent: set[str] = set()


def notify_once(text: str) -> None:
    """Send a message to all listeners unless it has been sent before."""
    if text not in sent:
        sent.add(text)
        for listener in listeners:
            listener(text)


def callers_level() -> int:
    """Return the ``stacklevel`` that attributes a warning to the first caller outside `holdem`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "holdem":
        level, frame = level + 1, frame.f_back
    return level

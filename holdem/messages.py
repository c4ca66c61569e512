"""Messages to the user other than results."""

from __future__ import annotations

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

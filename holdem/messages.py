"""What there is to say besides an answer, for whoever listens: the command line does."""

from __future__ import annotations

from collections.abc import Callable

#: Each is handed a line of text. A library stays quiet: nobody listens unless he joins.
listeners: list[Callable[[str], None]] = []

_said: set[str] = set()


def say_once(text: str) -> None:
    """Tell a line to all who listen, the first time that it is to be said."""
    if text not in _said:
        _said.add(text)
        for listener in listeners:
            listener(text)

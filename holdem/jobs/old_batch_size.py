"""Pieces of work that take a noticeable time each, whoever ranks the hands.

How long an evaluator takes is known once it has answered, and may be a second for a hand. So
work is cut as it goes: few deals at first, more while a piece takes next to no time. Only what
is the sum of its pieces, however it is cut, can be cut so.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import TypeVar

_Done = TypeVar("_Done")

#: Deals of a first piece: half a second where an evaluator takes a millisecond a hand.
LEAST = 16
# A piece shorter than the first is followed by longer ones, one longer than the second by
# shorter ones. Not less: equal hands of a piece are ranked once, on a flop one of twenty.
_SHORT, _LONG = 1.0, 8.0  # seconds


class Pace:
    """How many deals the next piece is to have.

    Attributes:
        size: so many, if there are as many left.
    """

    def __init__(self, least: int = LEAST) -> None:
        """Begin with pieces of so many deals, which are never made smaller."""
        self.size = least
        self._least = least

    def heed(self, deals: int, seconds: float) -> None:
        """Let the next pieces be longer, or shorter, by how long one of so many deals took."""
        if seconds < _SHORT:
            self.size = max(self.size, (8 if seconds < _SHORT / 16 else 2) * deals)
        elif seconds > _LONG:
            self.size = max(min(self.size, deals // 2), self._least)


def timed(task: Callable[[], _Done]) -> tuple[_Done, float]:
    """Do a task, and say how many seconds it took."""
    begun = clock.monotonic()
    return task(), clock.monotonic() - begun

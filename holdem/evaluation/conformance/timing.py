"""Estimates of an evaluator's ranking time per hand."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from holdem.cards import CardArray

_SAMPLE = 0.3  # seconds
_MIN_CALLS = 3


def seconds_per_hand(rank: Callable[[CardArray], object], hands: CardArray) -> float:
    """Measure the ranking time per hand with batches of increasing size.

    Args:
        rank: ranks hands.
        hands: a block of typical hands.

    Returns:
        Seconds per hand in the fastest call, which other programs delayed least.
    """
    rank(hands[:1])  # may compile
    count, calls, spent, least = 1, 0, 0.0, math.inf
    while True:
        started = time.perf_counter()
        rank(hands[:count])
        seconds = time.perf_counter() - started
        calls, spent, least = calls + 1, spent + seconds, min(least, seconds / count)
        if calls >= _MIN_CALLS and (spent >= _SAMPLE or count == len(hands)):
            return least
        if spent < _SAMPLE:
            count = min(len(hands), count * 8)

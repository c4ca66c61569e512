"""How long an evaluator takes for a hand, from as few hands as that can be told by."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from holdem.cards import CardArray
from holdem.evaluation.conformance.hands import BLOCK

_SAMPLE = 0.3  # seconds
_LEAST_CALLS = 3


def seconds_a_hand(ask: Callable[[CardArray], object], hands: Callable[[int], CardArray]) -> float:
    """Time a few hands, and more of them until the time is worth something.

    Args:
        ask: does with hands what is to be timed.
        hands: returns so many of them; its time counts.

    Returns:
        Seconds by the fastest call: one that waits for a busy machine takes longer than the
        hands do, and none takes less.
    """
    ask(hands(1))  # compiles what is not yet
    count, calls, spent, least = 1, 0, 0.0, math.inf
    while True:
        begun = time.perf_counter()
        ask(hands(count))
        took = time.perf_counter() - begun
        calls, spent, least = calls + 1, spent + took, min(least, took / count)
        if calls >= _LEAST_CALLS and (spent >= _SAMPLE or count == BLOCK):
            return least
        if spent < _SAMPLE:
            count = min(BLOCK, count * 8)

"""How long an evaluator takes for a hand, from as few hands as that can be told by."""

from __future__ import annotations

import time
from collections.abc import Callable

from holdem.cards import CardArray
from holdem.evaluation.conformance.hands import BLOCK

_SAMPLE = 0.3  # seconds


def seconds_a_hand(ask: Callable[[CardArray], object], hands: Callable[[int], CardArray]) -> float:
    """Time a few hands, and more of them until the time is worth something.

    Args:
        ask: does with hands what is to be timed.
        hands: returns so many of them.
    """
    ask(hands(1))  # compiles what is not yet
    count, spent = 1, 0.0
    while spent < _SAMPLE and count < BLOCK:
        count = min(BLOCK, count * 8)
        begun = time.perf_counter()
        ask(hands(count))
        spent = time.perf_counter() - begun
    return spent / count

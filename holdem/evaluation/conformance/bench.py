"""Benchmarks that time evaluators on the same hands, by hand size, order and batch size."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

import attrs
import numpy as np

from holdem.cards import CardArray
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance.hands import count_hands, hands_from, random_hands
from holdem.evaluation.evaluator import Evaluator
from holdem.jit.kernels import always_use_kernels
from holdem.rules import RuleSet

_SAMPLE = 0.3  # seconds
_MIN_CALLS = 3

Order = Literal["in order", "at random"]

SIZES = (5, 7)
ORDERS: tuple[Order, ...] = ("in order", "at random")
BATCHES = (1, 100, 10_000, 1_000_000)

#: Number of measurements of each evaluator.
MEASUREMENTS = len(SIZES) * len(ORDERS) * len(BATCHES)

_HANDS = max(BATCHES)
_SEED = 1
MAX_CALL_SECONDS = 3.0  # larger batches are left out
_DECIDING_BATCH = 10_000  # a typical batch of the engine


def measure_seconds_per_hand(rank: Callable[[CardArray], object], hands: CardArray) -> float:
    """Measure the ranking time per hand, in seconds, with batches of increasing size.

    Each batch is the first of `hands`, ``uint8 (hand, card)``. The time is that of the fastest
    call, which other programs delayed least.
    """
    always_use_kernels()
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


@attrs.frozen
class Figure:
    """One measurement of an evaluator's speed, for a given hand size, hand order and batch size."""

    cards: int
    """Cards in a hand."""
    order: Order
    """Whether hands are consecutive in the order of all hands, or random."""
    batch: int
    """Hands in a call."""
    hands_per_second: float | None
    """The speed at the median duration of the calls; None if a call would take over three
    seconds."""


@attrs.frozen
class Speed:
    """The benchmark results of one evaluator."""

    evaluator: Evaluator
    first_call: float | None
    """Seconds for loading and the first calls with five and seven cards, in a process that has
    loaded numba; None if the evaluator failed."""
    figures: tuple[Figure, ...]
    failure: str
    """Why the speed could not be measured; empty if it could."""

    def at(self, cards: int, order: Order, batch: int) -> float | None:
        """Return the hands per second for a size, order and batch; None if not measured."""
        for figure in self.figures:
            if (figure.cards, figure.order, figure.batch) == (cards, order, batch):
                return figure.hands_per_second
        return None

    def deciding_speed(self, cards: int, order: Order) -> float:
        """Return the speed by which evaluators are sorted, in hands per second.

        It is that of batches of 10,000 hands or, if that was not measured, of the smallest batch
        that was; 0.0 if none was.
        """
        found = [self.at(cards, order, batch) for batch in (_DECIDING_BATCH, *BATCHES)]
        return next((figure for figure in found if figure is not None), 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Build the evaluator's entry in the output of ``holdem evaluators bench -f json``."""
        return {
            "evaluator": self.evaluator.label.to_dict(),
            "rules": self.evaluator.rules.name,
            "first_call": self.first_call,
            "figures": [attrs.asdict(figure) for figure in self.figures],
            "failure": self.failure or None,
        }


def measure_speed(
    evaluator: Evaluator,
    seconds: float,
    on_progress: Callable[[int], None] = lambda _figures: None,
) -> Speed:
    """Load a new instance of an evaluator and measure its speed, each figure in `seconds`.

    `Evaluator.rank` is timed: without validation, and with the engine's best of five if the
    evaluator ranks five cards only. The first call of each measurement does not count.
    `on_progress` is called with 1 after each measurement.
    """
    always_use_kernels()
    for size in SIZES:
        benchmark_hands(evaluator.rules, size, "at random")  # loads numba
    fresh = Evaluator(evaluator.spec, evaluator.version)
    figures: list[Figure] = []
    try:
        started = time.perf_counter()
        for size in SIZES:
            fresh.rank(benchmark_hands(evaluator.rules, size, "at random")[:1])
        first_call = time.perf_counter() - started
        for size in SIZES:
            for order in ORDERS:
                hands = benchmark_hands(evaluator.rules, size, order)
                seconds_per_hand = 0.0  # with the previous batch size
                for batch in BATCHES:
                    speed = None
                    if batch * seconds_per_hand <= MAX_CALL_SECONDS:
                        speed = _measure_hands_per_second(fresh, hands, batch, seconds)
                        seconds_per_hand = 1 / speed
                    figures.append(Figure(size, order, batch, speed))
                    on_progress(1)
    except EvaluatorError as error:
        return Speed(fresh, None, tuple(figures), str(error))
    return Speed(fresh, first_call, tuple(figures), "")


def _measure_hands_per_second(
    evaluator: Evaluator, hands: CardArray, batch: int, seconds: float
) -> float:
    evaluator.rank(hands[:batch])
    calls: list[float] = []
    spent, place = 0.0, 0
    while (spent < seconds or len(calls) < _MIN_CALLS) and spent <= MAX_CALL_SECONDS:
        if place + batch > len(hands):
            place = 0
        part = hands[place : place + batch]
        started = time.perf_counter()
        evaluator.rank(part)
        calls.append(time.perf_counter() - started)
        spent, place = spent + calls[-1], place + batch
    return batch / statistics.median(calls)


@cache
def benchmark_hands(rules: RuleSet, size: int, order: Order) -> CardArray:
    """Generate a million hands for benchmarks, consecutive or random, ``uint8 (hand, size)``.

    Consecutive hands are from the middle of the list of all hands. If there are fewer than a
    million, as with five cards of a short deck, all of them are repeated.
    """
    if order == "at random":
        return random_hands(rules, size, _HANDS, _SEED)
    total = count_hands(rules, size)
    count = min(_HANDS, total)
    hands = hands_from(rules, size, (total - count) // 2, count)
    return hands[np.arange(_HANDS) % count]

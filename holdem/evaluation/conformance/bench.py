"""How fast evaluators are, on the same hands: by size of hand, order, and size of batch."""

from __future__ import annotations

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
from holdem.values import RuleSet

Order = Literal["in order", "at random"]

SIZES = (5, 7)
ORDERS: tuple[Order, ...] = ("in order", "at random")
BATCHES = (1, 100, 10_000, 1_000_000)

#: How many figures there are of each evaluator.
FIGURES = len(SIZES) * len(ORDERS) * len(BATCHES)

_HANDS = max(BATCHES)
_SEED = 1
_LEAST_CALLS = 3
_LONGEST = 3.0  # seconds that a call may take; longer ones are left out
_DECIDES = 10_000  # the batch by which evaluators are ranked: what the engine asks for at a time


@attrs.frozen
class Figure:
    """How fast one evaluator is in one way."""

    cards: int
    """A hand's."""
    order: Order
    """Whether the hands stand in the order of all hands, or were drawn at random."""
    batch: int
    """Hands a call."""
    hands_per_second: float | None
    """By the median of the calls; None where a call would take more than three seconds."""


@attrs.frozen
class Speed:
    """How fast one evaluator is."""

    evaluator: Evaluator
    first_call: float | None
    """Seconds from `load` to the first answers for five and for seven cards, in a process
    that has numba loaded."""
    figures: tuple[Figure, ...]
    failure: str
    """Why it could not be measured; empty if it was."""

    def at(self, cards: int, order: Order, batch: int) -> float | None:
        """Return hands a second for a way of asking."""
        for figure in self.figures:
            if (figure.cards, figure.order, figure.batch) == (cards, order, batch):
                return figure.hands_per_second
        return None

    def rank(self, cards: int, order: Order) -> float:
        """Return the figure that evaluators are ranked by: batches of 10,000, or what there is."""
        found = [self.at(cards, order, batch) for batch in (_DECIDES, *BATCHES)]
        return next((figure for figure in found if figure is not None), 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem evaluators bench -f json`` holds for each evaluator."""
        return {
            "evaluator": self.evaluator.label,
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
    """Measure one evaluator; it is loaded anew for the purpose.

    What is timed is `Evaluator.rank`: hands that are known to be valid, and for an evaluator
    of five cards the engine's best-of-five. One call of each kind goes before those that count.

    Args:
        evaluator: any.
        seconds: how long to call it for each figure.
        on_progress: told of each figure, with 1.
    """
    for size in SIZES:
        _hands(evaluator.rules, size, "at random")  # loads numba
    fresh = Evaluator(evaluator.spec, evaluator.version)
    figures: list[Figure] = []
    try:
        begun = time.perf_counter()
        for size in SIZES:
            fresh.rank(_hands(evaluator.rules, size, "at random")[:1])
        first_call = time.perf_counter() - begun
        for size in SIZES:
            for order in ORDERS:
                hands = _hands(evaluator.rules, size, order)
                longest = 0.0  # seconds a hand in the batch before
                for batch in BATCHES:
                    speed = None
                    if batch * longest <= _LONGEST:
                        speed = _hands_per_second(fresh, hands, batch, seconds)
                        longest = 1 / speed
                    figures.append(Figure(size, order, batch, speed))
                    on_progress(1)
    except EvaluatorError as error:
        return Speed(fresh, None, tuple(figures), str(error))
    return Speed(fresh, first_call, tuple(figures), "")


def _hands_per_second(evaluator: Evaluator, hands: CardArray, batch: int, seconds: float) -> float:
    """Call the evaluator for one batch after the other, until the time is up."""
    evaluator.rank(hands[:batch])
    calls: list[float] = []
    spent, place = 0.0, 0
    while spent < seconds or len(calls) < _LEAST_CALLS:
        if place + batch > len(hands):
            place = 0
        part = hands[place : place + batch]
        begun = time.perf_counter()
        evaluator.rank(part)
        calls.append(time.perf_counter() - begun)
        spent, place = spent + calls[-1], place + batch
        if spent > _LONGEST:
            break
    return batch / statistics.median(calls)


@cache
def _hands(rules: RuleSet, size: int, order: Order) -> CardArray:
    """Return the hands for all evaluators: the middle of all in order, or some at random.

    Where there are fewer in all, as of five cards from a short deck, they come again.
    """
    if order == "at random":
        return random_hands(rules, size, _HANDS, _SEED)
    total = count_hands(rules, size)
    count = min(_HANDS, total)
    hands = hands_from(rules, size, (total - count) // 2, count)
    return hands[np.arange(_HANDS) % count]

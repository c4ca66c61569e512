"""Pairs of five-card hands read from lines of text: how often each side wins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
import numpy as np

from holdem.cards import Card, cards_text, parse_cards, scan_cards
from holdem.errors import CardError, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import DEFAULT_EVALUATOR, REGISTRY

_SIDES = ("first hand", "second hand")
_BLOCK = 1 << 14  # pairs ranked at a time: memory does not grow with the file


@attrs.frozen
class Comparison:
    """How often each side of the pairs had the stronger hand."""

    first: int
    second: int
    tie: int

    evaluator: dict[str, str]
    """Name and version of the evaluator that ranked them."""

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem compare -f json`` prints; `evaluator` where it is not `lookup`."""
        record = {"schema": "holdem/comparison/1", **attrs.asdict(self)}
        if self.evaluator["name"] == DEFAULT_EVALUATOR:
            del record["evaluator"]
        return record


def compare_hands(
    lines: Iterable[str], *, evaluator: str | Evaluator | EvaluatorSpec | None = None
) -> Comparison:
    """Compare two five-card hands a line.

    Args:
        lines: ten cards, five a side, or ``CARDS | CARDS``. Empty lines and what follows a
            ``#`` are passed over. A card may stand on both sides, never twice on one.
        evaluator: a name, a spec, or None for the default.

    Raises:
        CardError: a line that is no pair of hands; says which line, and why.
        EvaluatorError: no such evaluator, or one that cannot be used.
    """
    ranking = REGISTRY.get(evaluator)
    totals = np.zeros(3, dtype=np.int64)
    pairs: list[tuple[tuple[Card, ...], tuple[Card, ...]]] = []

    def settle() -> None:
        if pairs:
            hands = np.array(pairs, dtype=np.uint8)
            left, right = (ranking.rank(np.ascontiguousarray(hands[:, side])) for side in (0, 1))
            totals[:] += (np.sum(left > right), np.sum(left < right), np.sum(left == right))
            pairs.clear()

    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            sides = _read_pair(text)
            for what, hand in zip(_SIDES, sides, strict=True):
                ranking.rules.require_in_deck(hand, what)
            pairs.append(sides)
        except CardError as error:
            raise CardError(f"line {number}: {error}") from None
        if len(pairs) == _BLOCK:
            settle()
    settle()
    first, second, tie = totals.tolist()
    return Comparison(first, second, tie, ranking.label)


def _read_pair(text: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    if "|" in text:
        sides = text.split("|")
        if len(sides) != 2:
            raise CardError(f"{quoted(text)} has {len(sides)} sides: write CARDS | CARDS")
        first, second = (
            parse_cards(side, what=what) for side, what in zip(sides, _SIDES, strict=True)
        )
        for what, hand in zip(_SIDES, (first, second), strict=True):
            if len(hand) != 5:
                raise CardError(f"the {what} has {len(hand)} cards, not 5: {cards_text(hand, ' ')}")
        return first, second
    cards = scan_cards(text)
    if len(cards) != 10:
        raise CardError(f"{quoted(text)} has {len(cards)} cards, not 10 (five a side)")
    for what, hand in zip(_SIDES, (cards[:5], cards[5:]), strict=True):
        parse_cards(hand, what=what)  # refuses a card that stands twice on one side
    return cards[:5], cards[5:]

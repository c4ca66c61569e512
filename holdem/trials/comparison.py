"""`compare_hands`: pairs of five-card hands from lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import attrs
import numpy as np

from holdem.cards import Card, cards_text, parse_cards, scan_cards
from holdem.errors import CardError, quoted
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import DEFAULT_EVALUATOR, REGISTRY
from holdem.jobs.threads import in_worker_thread
from holdem.values import RuleSet

_SIDES = ("first hand", "second hand")
_BATCH = 1 << 14  # pairs ranked together, so that memory does not grow with the file


@attrs.frozen
class Comparison:
    """Counts of pairs in which the first hand wins, the second hand wins, and ties."""

    first: int
    second: int
    tie: int

    evaluator: dict[str, str]
    """Name and version of the evaluator."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``holdem compare -f json`` prints.

        The evaluator is left out if it is the default.
        """
        record = {"schema": "holdem/comparison/1", **attrs.asdict(self)}
        if self.evaluator["name"] == DEFAULT_EVALUATOR:
            del record["evaluator"]
        return record


def compare_hands(
    lines: Iterable[str], *, evaluator: str | Evaluator | EvaluatorSpec | None = None
) -> Comparison:
    """Compare the two five-card hands of each line.

    Args:
        lines: each with ten cards, five per side, or ``CARDS | CARDS``. Empty lines and
            comments, from ``#`` on, are skipped. A card may appear on both sides, but not twice
            on one.
        evaluator: a name, a spec, or None for the default.

    Raises:
        CardError: a line is not a pair of hands; the message has its number.
        EvaluatorError: no such evaluator, or one that cannot be used.
    """
    ranking = REGISTRY.get(evaluator)
    totals = np.zeros(3, dtype=np.int64)
    pairs = _read_pairs(lines, ranking.rules)
    while batch := list(islice(pairs, _BATCH)):
        hands = np.array(batch, dtype=np.uint8).reshape(-1, 5)
        ranked = in_worker_thread(partial(ranking.rank, hands)).reshape(-1, 2)
        first, second = ranked.T
        totals += ((first > second).sum(), (first < second).sum(), (first == second).sum())
    first_wins, second_wins, ties = totals.tolist()
    return Comparison(first_wins, second_wins, ties, ranking.label)


def _read_pairs(
    lines: Iterable[str], rules: RuleSet
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            sides = _read_pair(text)
            for side, hand in zip(_SIDES, sides, strict=True):
                rules.require_in_deck(hand, side)
        except CardError as error:
            raise CardError(f"line {number}: {error}") from None
        yield sides


def _read_pair(text: str) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    if "|" in text:
        texts = text.split("|")
        if len(texts) != 2:
            raise CardError(f"{quoted(text)} has {len(texts)} sides: write CARDS | CARDS")
        first, second = (
            parse_cards(cards, what=side) for cards, side in zip(texts, _SIDES, strict=True)
        )
        for side, hand in zip(_SIDES, (first, second), strict=True):
            if len(hand) != 5:
                raise CardError(f"the {side} has {len(hand)} cards, not 5: {cards_text(hand, ' ')}")
        return first, second
    cards = scan_cards(text)
    if len(cards) != 10:
        raise CardError(f"{quoted(text)} has {len(cards)} cards, not 10 (five a side)")
    for side, hand in zip(_SIDES, (cards[:5], cards[5:]), strict=True):
        parse_cards(hand, what=side)  # raises if a card appears twice
    return cards[:5], cards[5:]

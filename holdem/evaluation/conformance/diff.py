"""Comparison of two evaluators on the same hands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import attrs
import numpy as np

from holdem.cards import Card, CardArray
from holdem.evaluation.conformance.bench import measure_seconds_per_hand
from holdem.evaluation.conformance.candidate import Answers, WrongAnswers
from holdem.evaluation.conformance.hands import BLOCK, Extent
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.load_checks import list_hands
from holdem.evaluation.second_opinion import (
    SIZES,
    Answer,
    answers_to,
    convert_to_classes,
    require_same_rules,
)
from holdem.rules import RuleSet

#: Default number of random hands of six cards, and of seven.
HANDS = 100_000


@attrs.frozen
class Difference:
    """The result of comparing two evaluators."""

    evaluators: tuple[Evaluator, Evaluator]
    seed: int
    """Seed of the random hands."""
    kinds: dict[int, int]
    """For six and seven cards: how many hands were compared so that each kind of hand is among
    them; 0 with wild cards. Hands of a kind have the same ranks or, with five cards of a suit, the
    same ranks in that suit. The number for five cards is 0, as all hands are compared."""
    hands: dict[int, int]
    """By number of cards: how many other hands were compared, all of five cards and random ones of
    six and seven."""
    disagreements: dict[int, int]
    """By number of cards: on how many of all these hands the evaluators disagree."""
    hand: tuple[Card, ...]
    """A hand on which they disagree, with as few cards as possible; of these, the one whose card
    set, with bit i set for the card with id i, is the smallest number. Empty if they agree."""
    answers: tuple[Answer, ...]
    """The answers of both evaluators to `hand`; empty if they agree."""

    @property
    def agree(self) -> bool:
        return not any(self.disagreements.values())

    def to_dict(self) -> dict[str, Any]:
        """Build the JSON object that ``holdem evaluators diff -f json`` prints."""
        first = {
            "hand": [str(card) for card in self.hand],
            "answers": [attrs.asdict(answer) for answer in self.answers],
        }
        return {
            "schema": "holdem/difference/1",
            "agree": self.agree,
            "evaluators": [
                {**each.label.to_dict(), "distribution": each.distribution, "library": each.library}
                for each in self.evaluators
            ],
            "rules": self.evaluators[0].rules.name,
            "seed": self.seed,
            "kinds": {str(size): count for size, count in self.kinds.items()},
            "hands": {str(size): count for size, count in self.hands.items()},
            "disagreements": {str(size): count for size, count in self.disagreements.items()},
            "first": first if self.hand else None,
        }


def compare_evaluators(
    first: Evaluator,
    second: Evaluator,
    hands: int = HANDS,
    seed: int = 1,
    *,
    on_estimate: Callable[[int, float], None] = lambda _hands, _seconds: None,
    on_progress: Callable[[int], None] = lambda _hands: None,
) -> Difference:
    """Compare the classes that two evaluators of the same rule set give to hands.

    The hands are all hands of five cards and, of six and seven cards, `hands` random ones each and,
    without wild cards, at least one of each kind (see `Difference.kinds`). The evaluators rank them
    themselves, never by tables. `on_estimate` and `on_progress` are as in `check_conformance`.
    """
    require_same_rules(first, second)
    pair, extent = (first, second), Extent(hands=hands, seed=seed)
    counts = {size: extent.count(first, size) for size in SIZES}
    of_kinds = {size: _list_larger_kinds(first.rules, size) for size in SIZES}
    seconds = sum(
        (len(of_kinds[size]) + count)
        * measure_seconds_per_hand(
            lambda block: [each.rank(block) for each in pair],
            extent.typical_block(first.rules, size),
        )
        for size, count in counts.items()
    )
    on_estimate(sum(map(len, of_kinds.values())) + sum(counts.values()), seconds)
    wrong = {size: WrongAnswers() for size in SIZES}
    for size in SIZES:
        kinds = of_kinds[size]
        blocks = (kinds[at : at + BLOCK] for at in range(0, len(kinds), BLOCK))
        for batch in chain(blocks, extent.batches(first, size)):
            expected, classes = convert_to_classes(pair, [each.rank(batch) for each in pair])
            wrong[size].add(batch, Answers(classes, {}), expected)
            on_progress(len(batch))
    smallest = next((found for found in wrong.values() if found.count), WrongAnswers())
    return Difference(
        evaluators=pair,
        seed=seed,
        kinds={size: len(kinds) for size, kinds in of_kinds.items()},
        hands=counts,
        disagreements={size: found.count for size, found in wrong.items()},
        hand=smallest.hand,
        answers=answers_to(pair, smallest.hand),
    )


def _list_larger_kinds(rules: RuleSet, size: int) -> CardArray:
    """List at least one hand of each kind (see `Difference.kinds`) of six or seven cards.

    The result is ``uint8 (hand, size)``: empty if twos are wild, and for five cards, of which all
    hands are compared.
    """
    if size == 5 or rules.deuces_wild:
        return np.empty((0, size), dtype=np.uint8)
    return list_hands(rules, size)

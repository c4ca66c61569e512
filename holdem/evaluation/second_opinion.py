"""A second evaluator's opinion on hands: which hands two evaluators put into different classes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.evaluator import Evaluator

#: The numbers of cards that a hand can have.
SIZES = (5, 6, 7)


@attrs.frozen
class Answer:
    """The strength and class that one evaluator assigns to a hand."""

    evaluator: str
    strength: int
    rank_class: int | None
    """Number of the class, 1 for the strongest; None if no five-card hand has this strength."""
    name: str | None
    """Display name of the class; None if `rank_class` is None."""

    def __str__(self) -> str:
        found = f"{self.name}, class {self.rank_class:,}" if self.rank_class else "of no class"
        return f"{self.evaluator} gives strength {self.strength} ({found})"


def require_same_rules(first: Evaluator, second: Evaluator) -> None:
    if first.rules != second.rules:
        raise EvaluatorError(
            f"{first.name!r} has the rules {first.rules}, {second.name!r} {second.rules}: their"
            " strengths cannot be compared"
        )


def disagreements(
    pair: tuple[Evaluator, Evaluator], strengths: Sequence[NDArray[Any]]
) -> NDArray[np.bool_]:
    """Mark the hands that two evaluators assign to different classes, ``bool (hand,)``.

    `strengths` are those of each evaluator, integers ``(hand,)``; one that no five-card hand has is
    a disagreement.
    """
    first, second = convert_to_classes(pair, strengths)
    differ: NDArray[np.bool_] = first != second
    return differ


def smallest_disagreement(pair: tuple[Evaluator, Evaluator], hands: CardArray) -> tuple[Card, ...]:
    """Find the fewest cards of any of the hands on which two evaluators disagree.

    `hands`, ``uint8 (hand, 7)``, are one or more, and the evaluators disagree on each. Of several
    choices of five cards, or else six, or else seven, it is the one with the smallest card set, a
    number with bit i set for the card with id i.
    """
    for size in SIZES:
        choices = hands[:, list(combinations(range(hands.shape[1]), size))].reshape(-1, size)
        choices = choices[np.unique(card_sets(choices), return_index=True)[1]]
        differ = disagreements(pair, [each.rank(choices) for each in pair])
        if differ.any():
            return tuple(DECK[card] for card in choices[np.argmax(differ)].tolist())
    return tuple(DECK[card] for card in hands[0].tolist())


def answers_to(pair: tuple[Evaluator, Evaluator], hand: tuple[Card, ...]) -> tuple[Answer, ...]:
    """Return the answers of two evaluators to a hand; none if the hand is empty."""
    answers = []
    for evaluator in pair if hand else ():
        strengths = evaluator.rank(np.array([hand], dtype=np.uint8))
        number = int(evaluator.scale.classes_or_zero(strengths)[0])
        name = evaluator.rules.class_at(number).name if number else None
        answers.append(Answer(evaluator.name, int(strengths[0]), number or None, name))
    return tuple(answers)


def convert_to_classes(
    pair: tuple[Evaluator, Evaluator], strengths: Sequence[NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Convert two evaluators' strengths to class numbers.

    A strength that no class has becomes 0 for the first evaluator and -1 for the second, so that
    the numbers differ. The arrays are ``int64 (hand,)``.
    """
    first, second = (
        each.scale.classes_or_zero(found) for each, found in zip(pair, strengths, strict=True)
    )
    return first, np.where(second == 0, -1, second)

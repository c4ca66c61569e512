"""Comparison of two evaluators on the same hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance.bench import measure_seconds_per_hand
from holdem.evaluation.conformance.candidate import Answers, WrongAnswers
from holdem.evaluation.conformance.hands import BLOCK, Extent
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.load_checks import list_hands
from holdem.rules import RuleSet

#: Default number of random hands of six cards, and of seven.
HANDS = 100_000

_SIZES = (5, 6, 7)


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
        """Whether the evaluators agree on all hands."""
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
    """Compare the classes that two evaluators give to hands.

    The hands are all hands of five cards and, of six and seven cards, random ones and, without wild
    cards, at least one of each kind (see `Difference.kinds`). The evaluators rank all hands
    themselves, never by tables.

    Args:
        first: an evaluator.
        second: another evaluator of the same rule set.
        hands: the number of random hands of six cards, and of seven.
        seed: the seed of the random hands.
        on_estimate: called before hands are ranked, with the number of hands and the estimated
            time in seconds.
        on_progress: called after each batch, with the number of its hands.

    Raises:
        EvaluatorError: the rule sets differ, or an evaluator cannot be used.
    """
    require_same_rules(first, second)
    pair, extent = (first, second), Extent(hands=hands, seed=seed)
    counts = {size: extent.count(first, size) for size in _SIZES}
    of_kinds = {size: _list_larger_kinds(first.rules, size) for size in _SIZES}
    seconds = sum(
        (len(of_kinds[size]) + count)
        * measure_seconds_per_hand(
            lambda block: [each.rank(block) for each in pair],
            extent.typical_block(first.rules, size),
        )
        for size, count in counts.items()
    )
    on_estimate(sum(map(len, of_kinds.values())) + sum(counts.values()), seconds)
    wrong = {size: WrongAnswers() for size in _SIZES}
    for size in _SIZES:
        kinds = of_kinds[size]
        blocks = (kinds[at : at + BLOCK] for at in range(0, len(kinds), BLOCK))
        for batch in chain(blocks, extent.batches(first, size)):
            expected, classes = _convert_to_classes(pair, [each.rank(batch) for each in pair])
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

    Returns:
        The hands, ``uint8 (hand, size)``; none if twos are wild, and none of five cards, of which
        all hands are compared.
    """
    if size == 5 or rules.deuces_wild:
        return np.empty((0, size), dtype=np.uint8)
    return list_hands(rules, size)


def require_same_rules(first: Evaluator, second: Evaluator) -> None:
    """Raise an error unless two evaluators have the same rule set.

    Raises:
        EvaluatorError: the rule sets differ.
    """
    if first.rules != second.rules:
        raise EvaluatorError(
            f"{first.name!r} has the rules {first.rules}, {second.name!r} {second.rules}: their"
            " strengths cannot be compared"
        )


def disagreements(
    pair: tuple[Evaluator, Evaluator], strengths: Sequence[NDArray[Any]]
) -> NDArray[np.bool_]:
    """Mark the hands that two evaluators assign to different classes, ``bool (hand,)``.

    A strength that no five-card hand has is a disagreement.

    Args:
        pair: the evaluators.
        strengths: for each evaluator the strengths of the same hands, integers ``(hand,)``.
    """
    first, second = _convert_to_classes(pair, strengths)
    differ: NDArray[np.bool_] = first != second
    return differ


def smallest_disagreement(pair: tuple[Evaluator, Evaluator], hands: CardArray) -> tuple[Card, ...]:
    """Find the fewest cards of any of the given hands on which two evaluators disagree.

    Args:
        pair: two evaluators that disagree on each of the hands.
        hands: ``uint8 (hand, 7)``, at least one.

    Returns:
        Five cards of a hand if the evaluators disagree on any five, or else six, or else seven. Of
        all such choices, it is the one with the smallest card set, which is a number with bit i set
        for the card with id i. Its cards are in the order in which the hand has them.
    """
    for size in _SIZES:
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


def _convert_to_classes(
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

"""Two evaluators on the same hands: where they disagree, and on which hand first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance.findings import Wrong
from holdem.evaluation.conformance.hands import (
    count_hands,
    every_hand,
    hands_from,
    random_hands,
    some_hands,
)
from holdem.evaluation.conformance.timing import seconds_a_hand
from holdem.evaluation.evaluator import Evaluator

#: Hands of six, and of seven, cards that are drawn if nobody says how many.
HANDS = 100_000

_SIZES = (5, 6, 7)


@attrs.frozen
class Answer:
    """What one evaluator says about a hand."""

    evaluator: str
    strength: int
    rank_class: int | None
    """1 for the best class; None where the strength is that of no hand of five."""
    name: str | None
    """The class's name for people."""

    def __str__(self) -> str:
        known = f"{self.name}, class {self.rank_class:,}" if self.rank_class else "of no class"
        return f"{self.evaluator} says strength {self.strength} ({known})"


@attrs.frozen
class Difference:
    """How two evaluators compare."""

    evaluators: tuple[Evaluator, Evaluator]
    seed: int
    """Of the hands drawn."""
    hands: dict[int, int]
    """How many hands of each size were compared: all of five cards, some of six and seven."""
    disagreements: dict[int, int]
    """On how many hands of each size they disagree."""
    hand: tuple[Card, ...]
    """The first on which they disagree: of the fewest cards, and of those the one whose
    card set is the smallest number. Empty if there is none."""
    answers: tuple[Answer, ...]
    """What each says about it."""

    @property
    def agree(self) -> bool:
        """Whether they agree on every hand."""
        return not any(self.disagreements.values())

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem evaluators diff -f json`` prints."""
        first = {
            "hand": [str(card) for card in self.hand],
            "answers": [attrs.asdict(answer) for answer in self.answers],
        }
        return {
            "schema": "holdem/difference/1",
            "agree": self.agree,
            "evaluators": [
                {**each.label, "distribution": each.distribution, "library": each.library}
                for each in self.evaluators
            ],
            "rules": self.evaluators[0].rules.name,
            "seed": self.seed,
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

    Args:
        first: any.
        second: any of the same rule set.
        hands: how many of six, and of seven, cards to draw; of five all are compared.
        seed: of the hands drawn.
        on_estimate: told, before the hands are gone through, how many there are and about
            how many seconds they take, by a sample of each size.
        on_progress: told of each batch how many hands it had.

    Raises:
        EvaluatorError: they follow different rules, or one cannot be used.
    """
    require_same_rules(first, second)
    pair, rules = (first, second), first.rules
    counts = {5: count_hands(rules, 5), 6: hands, 7: hands}
    seconds = 0.0
    for size, count in counts.items():
        stretch = partial(random_hands, rules, size, seed=seed + 1)
        if size == 5:
            stretch = partial(hands_from, rules, 5, count // 2)
        seconds += count * seconds_a_hand(
            lambda given: [each.rank(given) for each in pair], stretch
        )
    on_estimate(sum(counts.values()), seconds)
    wrong = {size: Wrong() for size in _SIZES}
    for size in _SIZES:
        for batch in every_hand(rules, 5) if size == 5 else some_hands(rules, size, hands, seed):
            wrong[size].add(batch, *_comparable(pair, [each.rank(batch) for each in pair]), {})
            on_progress(len(batch))
    shown = next((found for found in wrong.values() if found.count), Wrong())
    return Difference(
        evaluators=pair,
        seed=seed,
        hands=counts,
        disagreements={size: found.count for size, found in wrong.items()},
        hand=shown.hand,
        answers=answers_to(pair, shown.hand),
    )


def require_same_rules(first: Evaluator, second: Evaluator) -> None:
    """Refuse two evaluators that cannot be compared.

    Raises:
        EvaluatorError: they follow different rules.
    """
    if first.rules is not second.rules:
        told = (
            f"{first.name!r} follows {first.rules.name} rules, {second.name!r} {second.rules.name}"
        )
        raise EvaluatorError(f"{told}: their hands do not compare")


def disagreements(
    pair: tuple[Evaluator, Evaluator], strengths: Sequence[NDArray[Any]]
) -> NDArray[np.bool_]:
    """Tell of which hands two evaluators say different classes, from the strengths of each.

    A strength that no hand of five has disagrees with everything.
    """
    ones, others = _comparable(pair, strengths)
    differ: NDArray[np.bool_] = ones != others
    return differ


def smallest_disagreement(pair: tuple[Evaluator, Evaluator], hands: CardArray) -> tuple[Card, ...]:
    """Return the smallest hand within some hands on which two evaluators disagree.

    Args:
        pair: who disagrees on each of the hands.
        hands: ``uint8 (hand, 7)``, one at least.

    Returns:
        Of the choices of five cards, else of six, else of the hands themselves, the one whose
        card set is the smallest number; its cards in the order in which they were given.
    """
    for size in _SIZES:
        chosen = hands[:, list(combinations(range(hands.shape[1]), size))].reshape(-1, size)
        asked = chosen[np.unique(card_sets(chosen), return_index=True)[1]]
        differ = disagreements(pair, [each.rank(asked) for each in pair])
        if differ.any():
            return tuple(DECK[card] for card in asked[np.argmax(differ)].tolist())
    return tuple(DECK[card] for card in hands[0].tolist())


def answers_to(pair: tuple[Evaluator, Evaluator], hand: tuple[Card, ...]) -> tuple[Answer, ...]:
    """Return what each of two evaluators says about a hand; nothing about an empty one."""
    return tuple(_answer(each, hand) for each in pair) if hand else ()


def _comparable(
    pair: tuple[Evaluator, Evaluator], strengths: Sequence[NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the classes that two evaluators say; for what is of no class, 0 and -1."""
    ones, others = (_classes(each, said) for each, said in zip(pair, strengths, strict=True))
    return ones, np.where(others == 0, -1, others)


def _classes(evaluator: Evaluator, strengths: NDArray[Any]) -> NDArray[np.int64]:
    """Return the class of each strength, 0 for one that no hand of five has."""
    known = evaluator.scale.strengths
    places = np.searchsorted(known, strengths.astype(np.int64)).clip(max=len(known) - 1)
    classes: NDArray[np.int64] = np.where(known[places] == strengths, len(known) - places, 0)
    return classes


def _answer(evaluator: Evaluator, hand: tuple[Card, ...]) -> Answer:
    cards: CardArray = np.array([hand], dtype=np.uint8)
    strengths = evaluator.rank(cards)
    number = int(_classes(evaluator, strengths)[0])
    name = evaluator.rules.class_at(number).name if number else None
    return Answer(evaluator.name, int(strengths[0]), number or None, name)

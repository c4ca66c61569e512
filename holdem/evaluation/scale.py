"""What an evaluator's strengths mean, learnt from hands whose class is known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, cards_text
from holdem.dealing.seeds import stream
from holdem.errors import EvaluatorError
from holdem.values import FLUSH, STRAIGHT_FLUSH, HandClass, RuleSet

_SUITS = 4


@attrs.frozen(eq=False)
class Scale:
    """The strengths that an evaluator gives the classes of its rule set."""

    strengths: NDArray[np.int64]
    """Strength of each class from the weakest to the strongest, ``int64 (class,)``."""

    category_bounds: NDArray[np.int64]
    """Lowest strength of each category but the weakest, ``int64 (category - 1,)``."""

    def classes(self, strengths: NDArray[Any]) -> NDArray[np.int64]:
        """Return the class (1 for the best) of each strength; same shape.

        Raises:
            EvaluatorError: a strength that no five-card hand has.
        """
        wanted = np.asarray(strengths, dtype=np.int64)
        places = np.searchsorted(self.strengths, wanted).clip(max=len(self.strengths) - 1)
        if (self.strengths[places] != wanted).any():
            stray = wanted[self.strengths[places] != wanted].flat[0]
            raise EvaluatorError(f"strength {stray} is not that of any five-card hand")
        return len(self.strengths) - places

    def categories(self, strengths: NDArray[Any]) -> NDArray[np.intp]:
        """Return the category (0 for the weakest) of each strength; same shape."""
        # Unsigned ones would be compared as floats, which from 2^53 on tie what differs.
        wanted = np.asarray(strengths, dtype=np.int64)
        return np.searchsorted(self.category_bounds, wanted, side="right")


@cache
def examples_again(rules: RuleSet) -> tuple[NDArray[np.intp], CardArray]:
    """Return more hands of each class, to see that a strength is the class's and not the hand's.

    The example of each class with its suits renamed and its cards in another order, and each
    flush in all four suits: for standard rules 11,323 hands, so that an evaluator of any
    speed takes two and a half times as long to learn as from the examples alone.

    Returns:
        The row in ``rules.examples`` of each hand, and the hands, ``uint8 (hand, 5)``.
    """
    drawn = stream(1, "examples again")
    suited = [kind.category in (FLUSH, STRAIGHT_FLUSH) for kind in rules.classes]
    every = np.arange(len(suited))
    rows = np.concatenate([every, *[np.flatnonzero(suited)] * (_SUITS - 1)])
    turns = np.repeat(np.arange(_SUITS), [len(every), *[sum(suited)] * (_SUITS - 1)])
    # For each class a renaming; with 1, 2 and 3 added it gives a flush the other suits.
    names = drawn.permuted(np.tile(np.arange(_SUITS), (len(every), 1)), axis=1)
    hands = rules.examples[rows]
    suits = (names[rows[:, None], hands % _SUITS] + turns[:, None]) % _SUITS
    again = drawn.permuted(hands // _SUITS * _SUITS + suits.astype(np.uint8), axis=1)
    again.setflags(write=False)
    return rows, again


def wrong_as_a_whole(strengths: NDArray[np.int64]) -> str:
    """Say what is wrong with all strengths at once, the weakest class first; empty if nothing."""
    if (strengths[:-1] > strengths[1:]).all():
        return "bigger is stronger, and here all is the other way round"
    return "here all hands tie" if (strengths == strengths[0]).all() else ""


def see_all(name: str) -> str:
    """Say how to see all that is wrong with an evaluator that is refused for its first fault."""
    return (
        f"to see all: holdem evaluators check {name}, or holdem.testing.assert_conforms in a script"
    )


def learn_scale(name: str, rules: RuleSet, ask: Callable[[CardArray], NDArray[Any]]) -> Scale:
    """Ask an evaluator for hands of every class, and hold it to their order and ties.

    Args:
        name: the evaluator's, for messages.
        rules: the rule set whose order it follows.
        ask: ranks ``uint8 (hand, 5)``.

    Raises:
        EvaluatorError: it ties or misorders two classes, tells hands of one class apart,
            changes the hands that it is given, or answers strengths that are too large.
    """

    def strengths_of(hands: CardArray) -> NDArray[np.int64]:
        given = hands.copy()  # compiled code can write where numpy refuses
        answers = ask(given)
        if (given != hands).any():
            raise EvaluatorError(f"evaluator {name!r} changes the hands that it is given")
        if answers.dtype.kind == "u" and answers.max() > np.iinfo(np.int64).max:
            raise EvaluatorError(f"evaluator {name!r}: strengths above 2^63-1")
        return answers.astype(np.int64)

    strengths = strengths_of(rules.examples)
    _require_order(name, rules, strengths)
    rows, again = examples_again(rules)
    others = strengths_of(again)
    apart = np.flatnonzero(others != strengths[rows])
    if len(apart):
        first = apart[0]
        row = rows[first]
        raise EvaluatorError(
            f"evaluator {name!r} tells hands of one class apart, {rules.classes[row].name}:"
            f" {cards_text(rules.examples[row], ' ')} (strength {strengths[row]}) and"
            f" {cards_text(again[first], ' ')} (strength {others[first]});"
            f" {wrong_of(len(apart), len(again), 'hands')}; {see_all(name)}"
        )
    names = [kind.category for kind in reversed(rules.classes)]
    starts = [names.index(category) for category in rules.categories[1:]]
    return Scale(strengths[::-1].copy(), strengths[::-1][starts])


def _require_order(name: str, rules: RuleSet, strengths: NDArray[np.int64]) -> None:
    """Refuse strengths of the examples, strongest first, that do not fall."""
    wrong = np.flatnonzero(strengths[:-1] <= strengths[1:])
    if len(wrong):
        place = wrong[0]
        said = "ties" if strengths[place] == strengths[place + 1] else "misorders"
        whole = wrong_as_a_whole(strengths[::-1])
        better, worse = rules.classes[place], rules.classes[place + 1]
        raise EvaluatorError(
            f"evaluator {name!r} {said} {_shown(better)} (strength {strengths[place]})"
            f" and the weaker {_shown(worse)} (strength {strengths[place + 1]});"
            f" {whole or wrong_of(len(wrong), len(strengths) - 1, 'neighbours')};"
            f" {see_all(name)}"
        )


def wrong_of(count: int, total: int, what: str) -> str:
    """Say how many are wrong, of how many."""
    return f"{count:,} of {total:,} {what} {'is' if count == 1 else 'are'} wrong"


def _shown(hand_class: HandClass) -> str:
    return f"{hand_class.name} {cards_text(hand_class.example, ' ')}"

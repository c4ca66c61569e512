"""An evaluator under test, its answers to batches of hands, and the wrong ones among them.

The evaluator is called without the checks that are made when an evaluator is loaded.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.best_five import best_of_five
from holdem.evaluation.conformance.findings import Failure
from holdem.evaluation.conformance.hands import Oracle
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.evaluator import Evaluator
from holdem.rules import RuleSet

_MAX_CALLS = 200  # to find the hands of a batch that fail
_SLOW_SECONDS = 5e-7  # a hand, from which on equal choices of five are ranked once


class Answers(NamedTuple):
    """An evaluator's answers to a batch of hands."""

    strengths: NDArray[np.int64]
    """The strength of each hand, ``int64 (hand,)``; 0 for rows in `errors`."""

    errors: dict[int, str]
    """Error messages by row, for the hands without a strength. A message is empty if it is not
    known whether the evaluator fails for this hand alone."""


@attrs.define
class WrongAnswers:
    """A count of wrongly ranked hands, and one of them.

    It is the one with the smallest card set, a number with bit i set for the card with id i.
    """

    distinct: bool = False
    """Whether a hand that is added several times counts once."""
    count: int = 0
    at_least: bool = False
    """Whether there may be more than `count`, since some hands were not ranked one by one."""
    hand: tuple[Card, ...] = ()
    answered: int | str = 0
    """The strength that `hand` got, or an error message."""
    expected: int = 0
    _lowest: int = 1 << 52
    _seen: NDArray[np.uint64] = attrs.field(factory=lambda: np.zeros(0, np.uint64))

    def add(self, hands: CardArray, answers: Answers, expected: NDArray[np.int64]) -> None:
        """Count the wrong answers to hands ``uint8 (hand, card)``; `expected` is ``(hand,)``."""
        failed = answers.strengths != expected
        failed[list(answers.errors)] = True
        unsure = [row for row, message in answers.errors.items() if not message]
        failed[unsure] = False
        self.at_least |= bool(unsure)
        rows = np.flatnonzero(failed)
        if not len(rows):
            return
        sets = card_sets(hands[rows])
        if self.distinct:
            known, self._seen = len(self._seen), np.union1d(self._seen, sets)
            self.count += len(self._seen) - known
        else:
            self.count += len(rows)
        least = int(np.argmin(sets))
        if int(sets[least]) < self._lowest:
            row = int(rows[least])
            self._lowest = int(sets[least])
            self.hand = tuple(DECK[card] for card in hands[row].tolist())
            self.answered = answers.errors.get(row, int(answers.strengths[row]))
            self.expected = int(expected[row])


@attrs.define(eq=False)
class Candidate:
    """An evaluator under test, and what the checks have found out about it so far."""

    evaluator: Evaluator
    oracle: Oracle
    """The correct order of all hands."""
    function: BatchFunction
    """The evaluator's batch function, loaded anew."""

    on_progress: Callable[[int], None] = attrs.field(init=False, default=lambda _hands: None)
    """Called after each batch, with the number of its hands."""
    scale: NDArray[np.int64] = attrs.field(init=False, factory=lambda: np.zeros(0, np.int64))
    """Strength of the example hand of each class, weakest first, ``int64 (class,)``; empty before
    `learn_scale`."""
    is_slow: bool = attrs.field(init=False, default=False)
    hands_ranked: int = attrs.field(init=False, default=0)
    speeds: dict[int, float] = attrs.field(init=False, factory=dict)
    """Hands ranked per second, by the number of cards in a hand, 5, 6 or 7."""

    @property
    def rules(self) -> RuleSet:
        return self.evaluator.rules

    def compile(self) -> None:
        """Trigger compilation by ranking one hand of each size that the evaluator supports."""
        deck = np.array([self.rules.deck], dtype=np.uint8)
        for size in sorted(self.evaluator.spec.hand_sizes):
            with contextlib.suppress(EvaluatorError):
                self.evaluator.call(self.function, deck[:, :size].copy())

    def learn_scale(self) -> NDArray[np.int64]:
        """Rank the example hand of each class, store the strengths in `scale`, and return it."""
        examples = self.rules.examples.copy()
        started = time.perf_counter()
        self.scale = self.rank(examples)[::-1]
        self.is_slow = time.perf_counter() - started > _SLOW_SECONDS * len(examples)
        self.hands_ranked += len(examples)
        return self.scale

    def rank(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank hands of five to seven cards, and return a new array, ``int64 (hand,)``.

        As in the engine, the best five of six or seven cards count if the evaluator ranks only
        five.
        """
        if hands.shape[1] in self.evaluator.spec.hand_sizes:
            return self._call(hands)
        return best_of_five(self._call, hands, distinct=self.is_slow)

    def _call(self, hands: CardArray) -> NDArray[np.int64]:
        strengths = self.evaluator.call(self.function, hands)
        if strengths.dtype.kind == "u" and len(strengths):
            highest = int(strengths.max())
            if highest > np.iinfo(np.int64).max:
                raise EvaluatorError(f"it returned {highest}; the largest strength is 2^63-1")
        return strengths.astype(np.int64)

    def answers(self, hands: CardArray) -> Answers:
        """Rank a batch of hands, add their number to `hands_ranked`, and call `on_progress`."""
        answers = self.uncounted_answers(hands)
        self.hands_ranked += len(hands)
        self.on_progress(len(hands))
        return answers

    def uncounted_answers(self, hands: CardArray) -> Answers:
        """Rank a batch of hands as `answers` does, but count nothing; any thread may call this."""
        answers = Answers(np.zeros(len(hands), dtype=np.int64), {})
        if len(hands):
            self._rank_parts(hands, 0, answers, [_MAX_CALLS])
        return answers

    def _rank_parts(
        self, hands: CardArray, first: int, answers: Answers, calls_left: list[int]
    ) -> bool:
        """Rank a part of a batch and, if ranking fails, bisect it to find the failing hands.

        The part begins in row `first` of the batch, whose `answers` are filled in. `calls_left` is
        a list with one number, the calls that may still be made, which decreases; once it is 0, the
        hands of a part that fails get empty messages. The result is whether one call ranked all
        these hands.
        """
        rows = range(first, first + len(hands))
        calls_left[0] -= 1
        try:
            answers.strengths[first : rows.stop] = self.rank(hands)
            return True
        except EvaluatorError as error:
            message = str(error)
        if len(hands) <= 1:
            answers.errors[first] = message
        elif calls_left[0] <= 0:
            answers.errors.update(dict.fromkeys(rows, ""))
        else:
            middle = len(hands) // 2
            ranked = [
                self._rank_parts(hands[:middle], first, answers, calls_left),
                self._rank_parts(hands[middle:], first + middle, answers, calls_left),
            ]
            if all(ranked):  # they fail only together
                answers.errors.update(dict.fromkeys(rows, message))
        return False

    def expected(self, hands: CardArray) -> NDArray[np.int64]:
        """Return the correct strength of each hand, ``int64 (hand,)``.

        It is the strength that the evaluator gave the example hand of the same class.
        """
        strengths: NDArray[np.int64] = self.scale[self.oracle.levels(hands)]
        return strengths

    def failure(
        self, wrong: WrongAnswers, *, expected: str = "", at_least: bool = False
    ) -> Failure | None:
        """Summarize wrong answers as a `Failure`, or return None if there are none.

        `expected` is put before the expected strength and class, such as ``"as in one thread: "``.
        `at_least` says that more hands may fail, since not all hands of this size were ranked.
        """
        if not wrong.count:
            return None
        answered = wrong.answered
        hand = np.array([wrong.hand], dtype=np.uint8)
        correct_class = self._format_class(int(self.oracle.levels(hand)[0]))
        return Failure(
            hand=wrong.hand,
            answered=answered if isinstance(answered, str) else self._format_answer(answered),
            expected=f"{expected}strength {wrong.expected} ({correct_class})",
            affected=wrong.count,
            at_least=at_least or wrong.at_least,
        )

    def _format_answer(self, strength: int) -> str:
        """Format a strength and, if `scale` is known and ascending, the class that has it."""
        if not len(self.scale) or (self.scale[1:] <= self.scale[:-1]).any():
            return f"strength {strength}"
        levels = np.flatnonzero(self.scale == strength)
        found = self._format_class(int(levels[0])) if len(levels) else "of no class"
        return f"strength {strength} ({found})"

    def _format_class(self, level: int) -> str:
        """Format the name and the number of the class that has `level` weaker classes."""
        number = len(self.rules.classes) - level
        return f"{self.rules.class_at(number).name}, class {number:,}"

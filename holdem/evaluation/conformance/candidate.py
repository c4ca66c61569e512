"""An evaluator under examination: asked as the engine asks it, held to nothing yet."""

from __future__ import annotations

import time
from collections.abc import Callable

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance.findings import Failure, Wrong
from holdem.evaluation.conformance.oracle import Truth
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.selection import best_of_five
from holdem.values import RuleSet

_CALLS_FOR_ERRORS = 200  # to find the hands of a batch for which an evaluator raises
_SLOW = 5e-7  # seconds a hand, from which on the choices of a block are asked for once

Answers = tuple[NDArray[np.int64], dict[int, str]]


@attrs.define(eq=False)
class Subject:
    """An evaluator that is being checked."""

    evaluator: Evaluator
    truth: Truth
    rank: BatchFunction
    """What `load` returned."""

    on_progress: Callable[[int], None] = attrs.field(init=False, default=lambda _hands: None)
    """Told of each batch how many hands it had."""
    scale: NDArray[np.int64] = attrs.field(init=False, factory=lambda: np.zeros(0, np.int64))
    """The strength of each level's example, ``int64 (level,)``; empty until `learn`."""
    slow: bool = attrs.field(init=False, default=False)
    asked: int = attrs.field(init=False, default=0)
    """How many hands it was asked for."""
    speeds: dict[int, float] = attrs.field(init=False, factory=dict)
    """Hands a second for each size of hand."""

    @property
    def rules(self) -> RuleSet:
        """The rule set whose order it follows."""
        return self.evaluator.rules

    def learn(self) -> NDArray[np.int64]:
        """Ask for the example of each class, and return `scale`.

        Raises:
            EvaluatorError: it fails on one of them.
        """
        examples = self.rules.examples.copy()
        begun = time.perf_counter()
        self.scale = self.ask(examples)[::-1]
        self.slow = time.perf_counter() - begun > _SLOW * len(examples)
        self.asked += len(examples)
        return self.scale

    def ask(self, hands: CardArray) -> NDArray[np.int64]:
        """Rank hands as the engine does; an answer of its own, ``int64 (hand,)``.

        Raises:
            EvaluatorError: it raised, or broke the contract's shape and type.
        """
        if hands.shape[1] in self.evaluator.spec.hand_sizes:
            return self._ask(hands)
        return best_of_five(self._ask, hands, distinct=self.slow)

    def _ask(self, hands: CardArray) -> NDArray[np.int64]:
        strengths = self.evaluator.ask(self.rank, hands)
        if strengths.dtype.kind == "u" and len(strengths):
            highest = int(strengths.max())
            if highest > np.iinfo(np.int64).max:
                raise EvaluatorError(f"it answered {highest}; strengths end at 2^63-1")
        return strengths.astype(np.int64)

    def answers(self, hands: CardArray) -> Answers:
        """Rank hands as `attempt` does, and count them."""
        answers = self.attempt(hands)
        self.asked += len(hands)
        self.on_progress(len(hands))
        return answers

    def attempt(self, hands: CardArray) -> Answers:
        """Rank hands, and find those for which the evaluator fails; from any thread.

        Returns:
            Strengths ``int64 (hand,)``, and row -> message for hands without one, as
            `Wrong.add` takes them.
        """
        strengths, errors = np.zeros(len(hands), dtype=np.int64), dict[int, str]()
        try:
            strengths = self.ask(hands)
        except EvaluatorError as error:
            self._part(hands, 0, str(error), strengths, errors, [0])
        return strengths, errors

    def _part(
        self,
        hands: CardArray,
        first: int,
        told: str,
        strengths: NDArray[np.int64],
        errors: dict[int, str],
        calls: list[int],
    ) -> None:
        """Halve a batch that failed until the hands that fail alone are found.

        Where that takes too many calls, one is found, and the others are unsure.
        """
        if len(hands) <= 1 or calls[0] >= _CALLS_FOR_ERRORS:
            errors |= dict.fromkeys(range(first, first + len(hands)), "")
            row, message = self._one_of(hands, told)
            errors[first + row] = message
            return
        middle, failed = len(hands) // 2, False
        for start, half in ((0, hands[:middle]), (middle, hands[middle:])):
            calls[0] += 1
            try:
                strengths[first + start : first + start + len(half)] = self.ask(half)
            except EvaluatorError as error:
                failed = True
                self._part(half, first + start, str(error), strengths, errors, calls)
        if not failed:  # only together do they fail
            errors |= dict.fromkeys(range(first, first + len(hands)), told)

    def _one_of(self, hands: CardArray, told: str) -> tuple[int, str]:
        """Return the row of a hand of a batch that failed, and what the evaluator says of it."""
        start, end = 0, len(hands)
        while end - start > 1:
            middle = (start + end) // 2
            try:
                self.ask(hands[start:middle])
                start = middle
            except EvaluatorError as error:
                end, told = middle, str(error)
        return start, told

    def right(self, hands: CardArray) -> NDArray[np.int64]:
        """Return the strength that each hand should have: that of its class's example."""
        strengths: NDArray[np.int64] = self.scale[self.truth.levels(hands)]
        return strengths

    def failure(
        self, wrong: Wrong, *, expected: str = "", at_least: bool = False
    ) -> Failure | None:
        """Put what `wrong` collected into words; None if that is nothing.

        Args:
            wrong: the wrong answers.
            expected: what is right, if not just the right strength.
            at_least: whether there are hands that were not asked for.
        """
        if not wrong.count:
            return None
        answered = wrong.answered
        return Failure(
            hand=wrong.hand,
            answered=answered if isinstance(answered, str) else self.shown(answered),
            expected=expected + self.shown(wrong.expected),
            affected=wrong.count,
            at_least=at_least or wrong.at_least,
        )

    def shown(self, strength: int) -> str:
        """Return a strength with the name of the class that it stands for."""
        levels = np.flatnonzero(self.scale == strength)
        if not len(levels):
            return f"strength {strength} (of no class)"
        number = len(self.scale) - int(levels[-1])
        return f"strength {strength} ({self.rules.class_at(number).name}, class {number:,})"

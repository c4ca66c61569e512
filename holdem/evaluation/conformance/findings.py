"""Results of conformance checks, with the smallest failing hand for each failed check."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets, cards_text

Status = Literal["ok", "failed", "not run"]


@attrs.frozen
class Failure:
    """Details of a failed conformance check."""

    hand: tuple[Card, ...]
    """The hand that fails with the smallest card set as a number, its cards in the order in
    which they were given. Empty if no single hand causes the failure."""

    answered: str
    """The actual answer of the evaluator."""

    expected: str
    """The expected answer."""

    affected: int
    """Number of hands that fail; 0 if no single hand causes the failure."""

    at_least: bool = False
    """Whether more may fail than `affected`, because not all hands were ranked one by one."""

    def __str__(self) -> str:
        hand = f"{cards_text(self.hand, ' ')}: " if self.hand else ""
        return f"{hand}{self.answered}; expected: {self.expected}{self._extent()}"

    def _extent(self) -> str:
        if self.affected <= (0 if self.at_least else 1):
            return ""
        verb = "hand is" if self.affected == 1 else "hands are"
        return f"; {'at least ' if self.at_least else ''}{self.affected:,} {verb} affected"

    def to_dict(self) -> dict[str, Any]:
        """Convert the failure to a JSON object."""
        return {**attrs.asdict(self, recurse=False), "hand": [str(card) for card in self.hand]}


@attrs.frozen
class CheckResult:
    """The result of one conformance check."""

    name: str
    status: Status
    hands: int
    """Number of hands that the evaluator ranked."""
    failure: Failure | None = None

    def to_dict(self) -> dict[str, Any]:
        """Convert the result to a JSON object."""
        failure = self.failure.to_dict() if self.failure else None
        return {"name": self.name, "status": self.status, "hands": self.hands, "failure": failure}


@attrs.frozen
class Conformance:
    """The results of all conformance checks on an evaluator."""

    evaluator: str
    version: str
    rules: str
    exhaustive: bool
    """Whether all hands of six and seven cards were ranked."""
    checks: tuple[CheckResult, ...]
    first_call: float
    """Seconds for `load` and the first batch; 0.0 if it could not be loaded."""
    speeds: dict[int, float]
    """Hands of 5, 6 and 7 cards a second, in batches of 65,536 in order."""

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(check.status == "ok" for check in self.checks)

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.status == "failed")

    def to_dict(self) -> dict[str, Any]:
        """Build the evaluator's entry in the output of ``holdem evaluators check -f json``."""
        return {
            "evaluator": {"name": self.evaluator, "version": self.version},
            "rules": self.rules,
            "exhaustive": self.exhaustive,
            "passed": self.passed,
            "first_call": self.first_call,
            "hands_per_second": {str(size): speed for size, speed in self.speeds.items()},
            "checks": [check.to_dict() for check in self.checks],
        }


class Answers(NamedTuple):
    """An evaluator's answers to a batch of hands."""

    strengths: NDArray[np.int64]
    """``int64 (hand,)``; 0 for rows in `errors`."""

    errors: dict[int, str]
    """Messages for the rows without a strength. A message is empty if it is unknown whether
    the hand fails by itself."""


@attrs.define
class WrongAnswers:
    """The number of wrong answers, and the smallest hand with a wrong answer."""

    distinct: bool = False
    """Whether a hand that is added repeatedly counts once."""
    count: int = 0
    at_least: bool = False
    """Whether there may be more: some hands were ranked only together with others."""
    hand: tuple[Card, ...] = ()
    answered: int | str = 0
    """A strength, or an error message."""
    expected: int = 0
    _lowest: int = 1 << 52
    _seen: NDArray[np.uint64] = attrs.field(factory=lambda: np.zeros(0, np.uint64))

    def add(self, hands: CardArray, answers: Answers, expected: NDArray[np.int64]) -> None:
        """Count the wrong answers in a batch.

        Args:
            hands: ``uint8 (hand, card)``.
            answers: the evaluator's answers.
            expected: the correct strengths, ``int64 (hand,)``.
        """
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

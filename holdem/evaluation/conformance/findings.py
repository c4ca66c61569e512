"""What the checks found: for each check whether it passed, and the smallest hand that fails."""

from __future__ import annotations

from typing import Any, Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets, cards_text

Status = Literal["ok", "failed", "not run"]


@attrs.frozen
class Failure:
    """How an evaluator fails a check."""

    hand: tuple[Card, ...]
    """The smallest hand that fails, in the order in which it was given: the one whose index
    set is the smallest number. Empty where no single hand is to blame."""

    answered: str
    """What the evaluator answered."""

    expected: str
    """What is right."""

    affected: int
    """How many hands fail; 0 where no hand is to blame."""

    at_least: bool = False
    """Whether more may fail than `affected`: not all hands were asked for one by one."""

    def __str__(self) -> str:
        place = f"{cards_text(self.hand, ' ')}: " if self.hand else ""
        return f"{place}{self.answered}; right is: {self.expected}{self._many()}"

    def _many(self) -> str:
        if self.affected <= (0 if self.at_least else 1):
            return ""  # that one was shown
        verb = "hand is" if self.affected == 1 else "hands are"
        return f"; {'at least ' if self.at_least else ''}{self.affected:,} {verb} affected"

    def to_dict(self) -> dict[str, Any]:
        """Return the failure as JSON holds it."""
        return {**attrs.asdict(self, recurse=False), "hand": [str(card) for card in self.hand]}


@attrs.frozen
class CheckResult:
    """The outcome of one check."""

    name: str
    status: Status
    hands: int
    """How many hands were asked for."""
    failure: Failure | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as JSON holds it."""
        failure = self.failure.to_dict() if self.failure else None
        return {"name": self.name, "status": self.status, "hands": self.hands, "failure": failure}


@attrs.frozen
class Conformance:
    """What all checks of one evaluator found."""

    evaluator: str
    version: str
    rules: str
    exhaustive: bool
    """Whether all hands of six and seven cards were asked for."""
    checks: tuple[CheckResult, ...]
    first_call: float
    """Seconds that `load` and the first batch took; 0.0 if there was none."""
    speeds: dict[int, float]
    """Hands of 5, 6 and 7 cards a second, in batches of 65,536 in order."""

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.status == "ok" for check in self.checks)

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.status == "failed")

    def to_dict(self) -> dict[str, Any]:
        """Return what ``holdem evaluators check -f json`` holds for each evaluator."""
        return {
            "evaluator": {"name": self.evaluator, "version": self.version},
            "rules": self.rules,
            "exhaustive": self.exhaustive,
            "passed": self.passed,
            "first_call": self.first_call,
            "hands_per_second": {str(size): speed for size, speed in self.speeds.items()},
            "checks": [check.to_dict() for check in self.checks],
        }


@attrs.define
class Wrong:
    """Collects the hands with a wrong answer: how many, and the smallest."""

    once: bool = False
    """Whether a hand counts once, however often it is added."""
    count: int = 0
    at_least: bool = False
    """Whether there may be more: some hands were asked for only together with others."""
    hand: tuple[Card, ...] = ()
    answered: int | str = 0
    """A strength, or what the evaluator says in its error."""
    expected: int = 0
    _lowest: int = 1 << 52
    _seen: NDArray[np.uint64] = attrs.field(factory=lambda: np.zeros(0, np.uint64))

    def add(
        self,
        hands: CardArray,
        answered: NDArray[np.int64],
        expected: NDArray[np.int64],
        errors: dict[int, str],
    ) -> None:
        """Take in the answers to a batch.

        Args:
            hands: ``uint8 (hand, card)``.
            answered: strengths, ``(hand,)``.
            expected: the right ones, ``(hand,)``.
            errors: row -> message, for the hands that have no answer; an empty one for those
                of which is not known whether they alone have none.
        """
        failed = answered != expected
        failed[list(errors)] = True
        unsure = [row for row, message in errors.items() if not message]
        failed[unsure] = False
        self.at_least |= bool(unsure)
        rows = np.flatnonzero(failed)
        if not len(rows):
            return
        sets = card_sets(hands[rows])
        if self.once:
            known, self._seen = len(self._seen), np.union1d(self._seen, sets)
            self.count += len(self._seen) - known
        else:
            self.count += len(rows)
        least = int(np.argmin(sets))
        if int(sets[least]) < self._lowest:
            row = int(rows[least])
            self._lowest = int(sets[least])
            self.hand = tuple(DECK[card] for card in hands[row].tolist())
            self.answered = errors.get(row, int(answered[row]))
            self.expected = int(expected[row])

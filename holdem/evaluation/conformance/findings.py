"""Results of conformance checks, with the smallest failing hand for each failed check."""

from __future__ import annotations

from typing import Any, Literal

import attrs

from holdem.cards import Card, cards_text

Status = Literal["ok", "failed", "not run"]


@attrs.frozen
class Failure:
    """Details of a failed conformance check."""

    hand: tuple[Card, ...]
    """Of the hands that fail, the one whose card set, with bit i set for the card with id i, is the
    smallest number. Its cards are in the order in which the evaluator got them. Empty if no single
    hand causes the failure."""

    answered: str
    """The actual answer of the evaluator, as text for the user."""

    expected: str
    """The expected answer, as text for the user."""

    affected: int
    """Number of hands that fail; 0 if no single hand causes the failure."""

    at_least: bool = False
    """Whether more than `affected` hands may fail, since not all hands were ranked one by one."""

    def __str__(self) -> str:
        hand = f"{cards_text(self.hand, ' ')}: " if self.hand else ""
        return f"{hand}{self.answered}; expected: {self.expected}{self._extent()}"

    def _extent(self) -> str:
        if self.affected <= (0 if self.at_least else 1):
            return ""
        verb = "hand is" if self.affected == 1 else "hands are"
        return f"; {'at least ' if self.at_least else ''}{self.affected:,} {verb} affected"

    def to_dict(self) -> dict[str, Any]:
        return {**attrs.asdict(self, recurse=False), "hand": [str(card) for card in self.hand]}


@attrs.frozen
class CheckResult:
    """The result of one conformance check."""

    name: str
    status: Status
    hands: int
    """Number of hands that the evaluator ranked in this check."""
    failure: Failure | None = None

    def to_dict(self) -> dict[str, Any]:
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
    """Seconds for loading the evaluator and ranking a first hand, or until loading failed; 0.0 if
    it was known to be broken."""
    speeds: dict[int, float]
    """Hands ranked per second by size of hands, 5, 6 and 7, in batches of up to 65,536 hands."""

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

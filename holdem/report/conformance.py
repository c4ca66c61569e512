"""The outcome of conformance checks as text, and as the record that is printed as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdem.evaluation.conformance.findings import Conformance
from holdem.report.speed import rate
from holdem.report.table import count, text_table

_SIZES = (5, 6, 7)


def conformance_record(found: Sequence[Conformance]) -> dict[str, Any]:
    """Return what ``holdem evaluators check -f json`` prints."""
    return {
        "schema": "holdem/conformance/1",
        "passed": all(each.passed for each in found),
        "evaluators": [each.to_dict() for each in found],
    }


def checks_text(found: Conformance) -> str:
    """Return every check of one evaluator, what fails, and how fast it is."""
    title = f"{found.evaluator} {found.version}".strip()
    rows = [[check.name, check.status, count(check.hands or None)] for check in found.checks]
    parts = [
        f"{title}, {found.rules} rules",
        text_table(["check", "result", "hands"], rows, left=2),
        failures_text([found], named=False),
    ]
    if found.speeds:
        speeds = [f"{rate(speed)} of {size} cards" for size, speed in found.speeds.items()]
        parts.append(f"first call {found.first_call:.3f} s, then {', '.join(speeds)}")
    return "\n\n".join(part for part in parts if part)


def conformance_text(found: Sequence[Conformance]) -> str:
    """Return a line for each evaluator, and what fails."""
    rows = [
        [
            each.evaluator,
            each.version,
            each.rules,
            "passed" if each.passed else "failed",
            count(sum(check.hands for check in each.checks) or None),
            f"{each.first_call:.3f} s",
            *(rate(each.speeds.get(size)) for size in _SIZES),
        ]
        for each in found
    ]
    head = ["name", "version", "rules", "result", "hands", "first call"]
    table = text_table([*head, *(f"{size} cards" for size in _SIZES)], rows, left=4)
    failures = failures_text(found)
    return f"{table}\n\n{failures}" if failures else table


def failures_text(found: Sequence[Conformance], *, named: bool = True) -> str:
    """Return a paragraph for each failed check; nothing if all passed."""
    return "\n".join(
        f"{each.evaluator + ': ' if named else ''}{check.name}: {check.failure}"
        for each in found
        for check in each.failures
    )

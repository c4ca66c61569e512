"""The report of a plan: how an equity question will be answered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from holdem.odds.api import Question
from holdem.report.formats import Block, Report


def plan_report(question: Question) -> Report:
    """Return the report of ``holdem equity --explain-plan``."""
    return Report(partial(_record, question), partial(_blocks, question))


def unused_bounds(question: Question) -> str:
    """Return a note on the bounds that have no effect; empty if there are none."""
    if not question.without_effect:
        return ""
    names = " and ".join(f"--{name}" for name in question.without_effect)
    verb = "has" if len(question.without_effect) == 1 else "have"
    return f"{names} {verb} no effect on an exact answer; --method monte-carlo samples"


def _record(question: Question) -> dict[str, Any]:
    plan = question.plan
    return {
        "schema": "holdem/plan/1",
        "method": plan.method,
        "way": plan.way.name if plan.way else None,
        "reason": plan.reason,
        "deals": plan.deals,
        "budget": plan.budget,
        "considered": [
            {"way": way.name, "evaluations": way.evaluations} for way in plan.considered
        ],
        "evaluations_a_deal": plan.evaluations_a_deal,
        "without_effect": list(question.without_effect),
    }


def _blocks(question: Question) -> Iterator[Block]:
    lines = [*question.plan.lines(), unused_bounds(question)]
    yield "\n".join(line for line in lines if line)

"""How a question is going to be answered, as text and as a record."""

from __future__ import annotations

from typing import Any

from holdem.odds.api import Question


def plan_text(asked: Question) -> str:
    """Return the plan as people read it."""
    lines = asked.plan.lines()
    if asked.without_effect:
        lines.append(unused_bounds(asked))
    return "\n".join(lines)


def plan_record(asked: Question) -> dict[str, Any]:
    """Return what ``holdem equity --explain-plan -f json`` prints."""
    plan = asked.plan
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
        "without_effect": list(asked.without_effect),
    }


def unused_bounds(asked: Question) -> str:
    """Say which bounds have no effect, and how they would have one."""
    names = " and ".join(f"--{name}" for name in asked.without_effect)
    verb = "has" if len(asked.without_effect) == 1 else "have"
    return f"{names} {verb} no effect on an exact answer; --method monte-carlo samples"

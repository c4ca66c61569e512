"""Report on a plan, which shows how an equity question will be answered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from holdem.odds.api import Query
from holdem.report.formats import Block, Report


def plan_report(query: Query) -> Report:
    """Return the `Report` that ``holdem equity --explain-plan`` prints."""
    return Report(partial(_record, query), partial(_blocks, query))


def _record(query: Query) -> dict[str, Any]:
    plan = query.plan
    return {
        "schema": "holdem/plan/1",
        "method": plan.method,
        "way": plan.chosen.name if plan.chosen else None,
        "reason": plan.reason,
        "deals": plan.deals,
        "budget": plan.budget,
        "considered": [
            {"way": found.name, "evaluations": found.evaluations} for found in plan.considered
        ],
        "evaluations_a_deal": plan.evaluations_a_deal,
        "without_effect": list(query.unused_bounds),
    }


def _blocks(query: Query) -> Iterator[Block]:
    lines = [*query.plan.lines(), query.unused_note("--")]
    yield "\n".join(line for line in lines if line)

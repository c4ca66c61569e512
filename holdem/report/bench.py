"""How fast evaluators are, as tables in which the fastest stands first, and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holdem.evaluation.conformance.bench import BATCHES, ORDERS, SIZES, Order, Speed
from holdem.report.speed import rate
from holdem.report.table import text_table

_DECIDING: tuple[int, Order] = (7, "at random")


def bench_record(speeds: Sequence[Speed]) -> dict[str, Any]:
    """Return what ``holdem evaluators bench -f json`` prints, the fastest evaluator first."""
    return {
        "schema": "holdem/bench/1",
        "evaluators": [speed.to_dict() for speed in _ranked(speeds, *_DECIDING)],
    }


def bench_text(speeds: Sequence[Speed]) -> str:
    """Return a table for each rule set, size of hand and order, and one of the first calls."""
    parts = []
    for rules in dict.fromkeys(speed.evaluator.rules.name for speed in speeds):
        measured = [s for s in speeds if s.evaluator.rules.name == rules and s.figures]
        for size in SIZES:
            for order in ORDERS:
                head = [f"{size} cards {order}, {rules} rules", *(f"{n:,}" for n in BATCHES)]
                rows = [
                    [
                        speed.evaluator.name,
                        *(rate(speed.at(size, order, batch)) for batch in BATCHES),
                    ]
                    for speed in _ranked(measured, size, order)
                ]
                if rows:
                    parts.append(text_table(head, rows))
    first = [speed for speed in speeds if speed.first_call is not None]
    first.sort(key=lambda speed: speed.first_call or 0.0)
    if first:
        rows = [[speed.evaluator.name, f"{speed.first_call:.3f} s"] for speed in first]
        parts.append(text_table(["first call", ""], rows))
    parts += [speed.failure for speed in speeds if speed.failure]
    return "\n\n".join(parts)


def _ranked(speeds: Sequence[Speed], cards: int, order: Order) -> list[Speed]:
    return sorted(speeds, key=lambda speed: speed.rank(cards, order), reverse=True)

"""Reports on evaluators: lists, conformance checks, benchmarks and differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from holdem.evaluation.conformance.bench import BATCHES, ORDERS, SIZES, Order, Speed
from holdem.evaluation.conformance.diff import Difference
from holdem.evaluation.conformance.findings import Conformance
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import EvaluatorRecord
from holdem.report.cells import cards_in_report, count, rate
from holdem.report.model import Block, Report, Table

_NO_DISTRIBUTION = "this script"


def evaluator_list_report(records: Sequence[EvaluatorRecord]) -> Report:
    return Report(lambda: [record.to_dict() for record in records], partial(_lay_out_list, records))


def conformance_report(results: Sequence[Conformance], *, detailed: bool = False) -> Report:
    """Build a `Report` on the checks of evaluators, `detailed` or with one line per evaluator."""
    blocks = _lay_out_checks if detailed else _lay_out_conformance
    return Report(partial(_conformance_record, results), partial(blocks, results))


def bench_report(speeds: Sequence[Speed]) -> Report:
    """Build a `Report` on a benchmark of evaluators, with the fastest first."""
    return Report(partial(_bench_record, speeds), partial(_lay_out_bench, speeds))


def difference_report(difference: Difference) -> Report:
    return Report(difference.to_dict, partial(_lay_out_difference, difference))


def _lay_out_list(records: Sequence[EvaluatorRecord]) -> Iterator[Block]:
    rows = []
    for record in records:
        sizes = record.hand_sizes
        bounds = "-".join(map(str, sorted({*sizes[:1], *sizes[-1:]})))
        origin = f"{record.distribution} {record.version}".strip() or _NO_DISTRIBUTION
        rows.append([record.name, record.status, bounds, origin, record.summary])
    head = ["name", "status", "cards", "from", "summary"]
    yield Table(head, rows, left=len(head))
    yield "\n".join(
        f"{record.name}: {record.source}"
        if record.status == "active"
        else f"{record.name}: {record.status}: {record.reason}"
        for record in records
    )
    yield "\n".join(
        f"{record.name}: {_describe_tables(record)}"
        for record in records
        if record.status == "active"
    )


def _describe_tables(record: EvaluatorRecord) -> str:
    if not record.tables:
        return "no tables, since a wild card has no rank: it ranks every hand itself"
    if record.kinds is None:
        return f"ranks by the tables of {record.rules} rules"
    return f"proved on {record.kinds:,} kinds of hands, {record.seconds:.2f} s"


def _conformance_record(results: Sequence[Conformance]) -> dict[str, Any]:
    return {
        "schema": "holdem/conformance/1",
        "passed": all(result.passed for result in results),
        "evaluators": [result.to_dict() for result in results],
    }


def _lay_out_checks(results: Sequence[Conformance]) -> Iterator[Block]:
    for result in results:
        rules = f", {result.rules} rules" if result.rules else ""  # a broken plugin has none
        yield f"{result.evaluator} {result.version}".strip() + rules
        rows = [[check.name, check.status, count(check.hands or None)] for check in result.checks]
        yield Table(["check", "result", "hands"], rows, left=2)
        yield "\n".join(f"{check.name}: {check.failure}" for check in result.failures)
        if result.speeds:
            speeds = [f"{size} cards {rate(speed)}" for size, speed in result.speeds.items()]
            yield f"first call {result.first_call:.3f} s, then {', '.join(speeds)}"


def _lay_out_conformance(results: Sequence[Conformance]) -> Iterator[Block]:
    sizes = (5, 6, 7)
    head = ["name", "version", "rules", "result", "hands", "first call"]
    rows = [
        [
            result.evaluator,
            result.version,
            result.rules,
            "passed" if result.passed else "failed",
            count(sum(check.hands for check in result.checks) or None),
            f"{result.first_call:.3f} s",
            *(rate(result.speeds.get(size)) for size in sizes),
        ]
        for result in results
    ]
    head += [f"{size} cards" for size in sizes]
    yield Table(head, rows, left=4, optional=(("version",), ("hands",)))
    yield "\n".join(
        f"{result.evaluator}: {check.name}: {check.failure}"
        for result in results
        for check in result.failures
    )


def _bench_record(speeds: Sequence[Speed]) -> dict[str, Any]:
    ordered = _fastest_first(speeds, 7, "at random")
    return {"schema": "holdem/bench/1", "evaluators": [speed.to_dict() for speed in ordered]}


def _lay_out_bench(speeds: Sequence[Speed]) -> Iterator[Block]:
    for rules in dict.fromkeys(speed.evaluator.rules.name for speed in speeds):
        measured = [s for s in speeds if s.evaluator.rules.name == rules and s.figures]
        for size, order in product(SIZES, ORDERS) if measured else ():
            head = [f"{size} cards {order}, {rules} rules", *map(count, BATCHES)]
            rows = [
                [speed.evaluator.name, *(rate(speed.at(size, order, n)) for n in BATCHES)]
                for speed in _fastest_first(measured, size, order)
            ]
            yield Table(head, rows)
    first_calls = sorted(
        (speed.first_call, speed.evaluator.name) for speed in speeds if speed.first_call is not None
    )
    if first_calls:
        yield Table(["first call", ""], [[name, f"{time:.3f} s"] for time, name in first_calls])
    yield from (speed.failure for speed in speeds)


def _fastest_first(speeds: Sequence[Speed], cards: int, order: Order) -> list[Speed]:
    return sorted(speeds, key=lambda speed: speed.deciding_speed(cards, order), reverse=True)


def _lay_out_difference(difference: Difference) -> Iterator[Block]:
    first, second = difference.evaluators
    yield f"{_origin(first)} and {_origin(second)}, {first.rules.name} rules"
    rows = [
        [
            f"{size} cards",
            count(difference.kinds[size] or None),
            count(compared),
            count(difference.disagreements[size]),
        ]
        for size, compared in difference.hands.items()
    ]
    yield Table(["hands", "of each kind", "all or drawn", "different"], rows)
    if difference.agree:
        kinds = "a hand of each kind, and " if any(difference.kinds.values()) else ""
        yield (
            f"they agree on every hand: all of five cards, and of six and seven {kinds}hands drawn"
            f" with seed {difference.seed}"
        )
    else:
        answers = " and ".join(map(str, difference.answers))
        yield f"the first disagreement: {cards_in_report(difference.hand)}: {answers}"


def _origin(evaluator: Evaluator) -> str:
    """Describe an evaluator by its name, its distribution and the library that it calls."""
    distribution = f"{evaluator.distribution} {evaluator.version}".strip()
    origin = ", ".join(part for part in (distribution, evaluator.library) if part)
    return f"{evaluator.name} ({origin or _NO_DISTRIBUTION})"

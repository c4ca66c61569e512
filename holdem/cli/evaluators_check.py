"""``holdem evaluators check``: check that evaluators fulfil their contract."""

from __future__ import annotations

import contextlib

import click

from holdem.cli import options
from holdem.cli.estimate import Estimated
from holdem.cli.output import print_message, print_report


@click.command("check")
@click.argument("name", required=False)
@click.option(
    "--exhaustive", is_flag=True, help="Check all hands of six and seven cards, not random ones."
)
@click.option(
    "--hands",
    type=options.CountRange(1, 100_000_000),
    metavar="N",
    help="Number of random hands of six cards, and of seven: 1000000 by default, or 20000 if the"
    " evaluator ranks only hands of five.",
)
@options.seed_of_hands
@options.output_format("table", "json")
def command(
    name: str | None, exhaustive: bool, hands: int | None, seed: int, output_format: str
) -> int:
    """Check that evaluators fulfil their contract.

    Checks all evaluators, or the one called NAME: the order of all classes, every hand of five
    cards, random or all hands of six and seven, and that the strength of a hand depends on
    nothing else. A failure shows the smallest hand that fails, the actual and the expected
    answer, and the number of hands affected. Exits with 1 if a check fails. After Ctrl-C the
    results so far are shown.

    \b
    holdem evaluators check cactus-kev
    holdem evaluators check lookup --exhaustive
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.dealing.seeds import resolve_seed
    from holdem.evaluation.conformance.checker import Extent, check_conformance, not_loaded
    from holdem.evaluation.conformance.findings import CheckResult, Conformance
    from holdem.evaluation.registry import REGISTRY, EvaluatorRecord
    from holdem.report.evaluator_reports import conformance_report

    if exhaustive and hands is not None:
        raise click.UsageError("--exhaustive and --hands cannot be combined")
    extent = Extent(exhaustive, hands, resolve_seed(seed))
    finished_checks: list[CheckResult] = []  # of the current evaluator

    def check(record: EvaluatorRecord) -> Conformance:
        finished_checks.clear()
        if record.status == "broken":
            return not_loaded(record, extent)
        with Estimated(f"checking {record.name}", always=exhaustive) as run:
            return check_conformance(
                REGISTRY.get(record.name),
                extent,
                on_estimate=run.begin,
                on_progress=run.advance,
                on_check=finished_checks.append,
            )

    records = [record for record in REGISTRY.records() if record.status != "disabled"]
    if name is not None:
        records = [record for record in records if record.name == name]
        if not records:
            REGISTRY.get(name)  # raises an error that says why
    results: list[Conformance] = []
    with contextlib.suppress(KeyboardInterrupt):
        for record in records:
            results.append(check(record))
    if results:
        print_report(conformance_report(results, detailed=name is not None), output_format)
    if len(results) < len(records):
        checks = ", ".join(f"{result.name} {result.status}" for result in finished_checks)
        print_message(
            f"interrupted: {len(results)} of {len(records)} evaluators are checked; checks of"
            f" {records[len(results)].name} so far: {checks or 'none'}"
        )
        return 130
    return 0 if all(result.passed for result in results) else 1

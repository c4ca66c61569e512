"""``holdem evaluators check``: whether evaluators keep their contract."""

from __future__ import annotations

import contextlib

import click

from holdem.cli import options
from holdem.cli.estimate import Estimated


@click.command("check")
@click.argument("name", required=False)
@click.option(
    "--exhaustive", is_flag=True, help="All hands of six and seven cards, not some at random."
)
@click.option(
    "--hands",
    type=click.IntRange(1, 100_000_000),
    metavar="N",
    help="Random hands of six, and of seven, cards: 1000000, or 20000 where the evaluator"
    " ranks only five.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Of the random hands."
)
@options.output_format("table", "json")
def command(
    name: str | None, exhaustive: bool, hands: int | None, seed: int, output_format: str
) -> int:
    """Check that all evaluators, or the one called NAME, keep the contract.

    Every class in its place, every hand of five cards tied with its class, many or all hands
    of six and seven, and that an answer depends on the hand alone. A failure shows the
    smallest hand that fails, what was answered, what is right, and how many hands are
    affected. Exit code 1 where one fails. Ctrl-C ends it with what is checked.

    \b
    holdem evaluators check cactus-kev
    holdem evaluators check lookup --exhaustive
    """  # noqa: D301 - \b is click's mark for lines that keep their breaks
    from holdem.dealing.seeds import resolve_seed
    from holdem.evaluation.conformance.check import Extent, check_conformance, not_loaded
    from holdem.evaluation.conformance.findings import CheckResult, Conformance
    from holdem.evaluation.registry import REGISTRY, EvaluatorRecord
    from holdem.report import conformance as report
    from holdem.report.record import to_json

    if exhaustive and hands is not None:
        raise click.UsageError("--exhaustive asks for all hands, --hands for some")
    extent = Extent(exhaustive, hands, resolve_seed(seed))
    made: list[CheckResult] = []  # of the evaluator that is being checked

    def check(record: EvaluatorRecord) -> Conformance:
        made.clear()
        if record.status == "broken":
            return not_loaded(record, extent)
        with Estimated(f"checking {record.name}", always=exhaustive) as run:
            return check_conformance(
                REGISTRY.get(record.name),
                extent,
                on_estimate=run.begin,
                on_progress=run.advance,
                on_check=made.append,
            )

    records = [record for record in REGISTRY.records() if record.status != "disabled"]
    if name is not None:
        records = [record for record in records if record.name == name]
        if not records:
            REGISTRY.get(name)  # says what is wrong with the name
    found: list[Conformance] = []
    with contextlib.suppress(KeyboardInterrupt):
        for record in records:
            found.append(check(record))
    if not found:
        pass
    elif output_format == "json":
        click.echo(to_json(report.conformance_record(found)))
    elif name is not None:
        click.echo(report.checks_text(found[0]))
    else:
        click.echo(report.conformance_text(found))
    if len(found) < len(records):
        told = ", ".join(f"{result.name} {result.status}" for result in made) or "nothing"
        click.echo(
            f"holdem: interrupted: {len(found)} of {len(records)} evaluators are checked; of"
            f" {records[len(found)].name} so far: {told}",
            err=True,
        )
        return 130
    return 0 if all(each.passed for each in found) else 1

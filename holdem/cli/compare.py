"""``holdem compare``: pairs of hands from a file, how often each side wins."""

from __future__ import annotations

from typing import TextIO

import click

from holdem.cli import options


@click.command("compare")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="backslashreplace"))
@options.evaluator
@options.output_format("table", "json")
def command(file: TextIO, evaluator: str | None, output_format: str) -> None:
    """Compare two five-card hands a line of FILE (- for standard input).

    A line has ten cards, five a side, or `CARDS | CARDS`. A card may stand on both sides.

    \b
    echo "7c5d4h3s2c | KdQsJcTh9s" | holdem compare -
    """  # noqa: D301
    from holdem.evaluation.registry import DEFAULT_EVALUATOR
    from holdem.report.record import to_json
    from holdem.report.table import text_table
    from holdem.trials.comparison import compare_hands

    found = compare_hands(file, evaluator=evaluator)
    if output_format == "json":
        click.echo(to_json(found.to_dict()))
        return
    total = found.first + found.second + found.tie
    rows = [
        ["first", f"{found.first:,}"],
        ["second", f"{found.second:,}"],
        ["tie", f"{found.tie:,}"],
    ]
    click.echo(text_table(["wins", "hands"], [*rows, ["all", f"{total:,}"]]))
    if found.evaluator["name"] != DEFAULT_EVALUATOR:
        click.echo(f"evaluator {found.evaluator['name']}")

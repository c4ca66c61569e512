"""``holdem compare``: compare pairs of five-card hands from a file."""

from __future__ import annotations

from typing import TextIO

import click

from holdem.cli import options
from holdem.cli.output import print_report


@click.command("compare")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="backslashreplace"))
@options.evaluator
@click.option("--show", is_flag=True, help="Show both hands of each line, and the winner.")
@options.output_format("table", "json")
@options.symbols
def command(file: TextIO, evaluator: str | None, show: bool, output_format: str) -> None:
    """Compare the two five-card hands on each line of FILE.

    A line has ten cards, five for each side, or `CARDS | CARDS`. A card may occur on both sides.
    FILE is - for standard input.

    \b
    echo "7c5d4h3s2c | KdQsJcTh9s" | holdem compare -
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.report.hand_reports import comparison_report
    from holdem.trials.comparison import compare_hands, compare_values

    if show:
        report = comparison_report(*compare_values(file, evaluator=evaluator))
    else:
        report = comparison_report(compare_hands(file, evaluator=evaluator))
    print_report(report, output_format)

"""``holdem evaluate``: show the value of a hand."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.output import print_report


@click.command("evaluate")
@click.argument("cards", nargs=-1, metavar="CARDS", required=True)
@options.evaluator
@options.output_format("table", "json")
@options.symbols
def command(cards: tuple[str, ...], evaluator: str | None, output_format: str) -> None:
    """Show the value of a hand of five to seven CARDS.

    \b
    holdem evaluate AsKsQsJsTs2c3d
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.evaluation.hand_value import evaluate
    from holdem.report.hand_reports import hand_value_report

    value = evaluate(" ".join(cards), evaluator=evaluator)
    print_report(hand_value_report(value), output_format)

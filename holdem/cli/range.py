"""``holdem range``: show the hands in a range."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.output import print_report
from holdem.values import RULE_SETS, STANDARD


@click.command("range")
@click.argument("text", nargs=-1, required=True, metavar="TEXT")
@click.option(
    "--rules",
    type=click.Choice(list(RULE_SETS)),
    default=STANDARD.name,
    show_default=True,
    help="Rule set, which determines the deck and the order of starting hands.",
)
@options.output_format("table", "json")
@options.symbols
def command(text: tuple[str, ...], rules: str, output_format: str) -> None:
    """Show the hands in a range: combos, weights, and the 13x13 grid.

    The grid shows the name of a class held in full and the share of one held in part. On a
    terminal it is coloured by weight, unless NO_COLOR is set.

    \b
    holdem range "22+, A5s-A2s, KTs+, AhKd:0.5"
    holdem range "top 15%"
    holdem range "top 15%" --rules short-deck
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.ranges.range import Range
    from holdem.report.range_report import range_report

    hands = Range(" ".join(text), rules=rules)
    print_report(range_report(hands, rules=RULE_SETS[rules]), output_format)

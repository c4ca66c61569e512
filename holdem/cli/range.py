"""``holdem range``: what a text of the range language means."""

from __future__ import annotations

import os
import sys

import click

from holdem.cli import options
from holdem.values import RULE_SETS, STANDARD


@click.command("range")
@click.argument("text", nargs=-1, required=True, metavar="TEXT")
@click.option(
    "--rules",
    type=click.Choice(list(RULE_SETS)),
    default=STANDARD.name,
    show_default=True,
    help="The game, whose deck and order of starting hands count.",
)
@options.output_format("table", "json")
def command(text: tuple[str, ...], rules: str, output_format: str) -> None:
    """Show the range that TEXT means: combos, share, canonical text, weights, the 13x13 grid.

    The grid names what is held in full, shows the share of what is held in part, and colours
    both by weight on a terminal (NO_COLOR switches that off).

    \b
    holdem range "22+, A5s-A2s, KTs+, AhKd:0.5"
    holdem range "top 15%"
    holdem range "top 15%" --rules short-deck
    """  # noqa: D301 - \b is click's mark for lines that keep their breaks
    from holdem.ranges.range import Range
    from holdem.report.grid import range_record, range_text
    from holdem.report.record import to_json

    held = Range(" ".join(text), rules=rules)
    if output_format == "json":
        click.echo(to_json(range_record(held, RULE_SETS[rules])))
        return
    click.echo(range_text(held, rules=RULE_SETS[rules], colour=_has_colour()))


def _has_colour() -> bool:
    """Tell whether standard output is a terminal whose user wants colours."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain

"""``holdem hits``: show the made hands and draws of a range on a board."""

from __future__ import annotations

from typing import Any

import click

from holdem.cli import options
from holdem.cli.output import print_report, shows_progress


@click.command("hits")
@click.argument("hands", nargs=-1, required=True, metavar="RANGE")
@options.board
@options.dead
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
@options.plot
@options.symbols
def command(hands: tuple[str, ...], output_format: str, plot: str | None, **arguments: Any) -> None:
    """Show the made hands and draws of a RANGE on a board, and how often it makes each category.

    All figures are exact. There is no opponent; combos with a board or dead card are left out.

    \b
    holdem hits QQ+,AK --board Ks7d2c
    holdem hits AsKs
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.odds.hits import hits
    from holdem.report.hits_report import hits_report

    result = hits(" ".join(hands), progress=shows_progress(), **arguments)
    print_report(hits_report(result), output_format)
    if plot is not None:
        result.save_plot(plot)

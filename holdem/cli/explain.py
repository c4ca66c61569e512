"""``holdem explain``: explain who wins between known hands, and why."""

from __future__ import annotations

from typing import Any

import click

from holdem.cli import options
from holdem.cli.output import print_report, shows_progress


@click.command("explain")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@options.board
@options.dead
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
@options.plot
@options.symbols
def command(
    players: tuple[str, ...], output_format: str, plot: str | None, **arguments: Any
) -> None:
    """Explain who wins between known hands, and why, with the equities street by street.

    A PLAYER is two cards, such as AsKs. If cards are to come, the outs of the players who are
    behind are listed.

    \b
    holdem explain AsKs QdQh --board Td9d2c5h3s
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.odds.explanation import explain
    from holdem.report.explanation_report import explanation_report

    result = explain(*players, progress=shows_progress(), **arguments)
    print_report(explanation_report(result), output_format)
    if plot is not None:
        result.save_plot(plot)

"""``holdem head-to-head``: count the outcomes of dealt hands."""

from __future__ import annotations

from typing import Any

import click

from holdem.cli import options
from holdem.cli.output import print_message, print_report, shows_progress


@click.command("head-to-head")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@options.board
@options.dead
@click.option(
    "-n",
    "--deals",
    type=options.Count(),
    metavar="N",
    help="Number of deals: 100,000 by default, or at most 10,000,000 with --confidence.",
)
@click.option(
    "--confidence",
    type=float,
    metavar="X",
    help="Stop when one player is ahead of all others at this confidence, such as 0.95.",
)
@options.seed
@options.workers
@options.evaluator
@click.option(
    "--evaluators",
    metavar="A,B",
    help="Rank the same hands with several evaluators; exit with 1 if they disagree.",
)
@options.output_format("table", "json", "csv", "markdown")
@options.names
@options.plot
@options.symbols
def command(
    players: tuple[str, ...],
    evaluators: str | None,
    output_format: str,
    plot: str | None,
    **arguments: Any,
) -> int:
    """Deal hands and count outcomes by category of hand.

    \b
    holdem head-to-head AsKs QdQh --deals 100000 --seed 7
    holdem head-to-head 22 AKo JTs --confidence 0.99
    holdem head-to-head random random --evaluators lookup,cactus-kev
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.errors import Interrupted
    from holdem.report.head_to_head_report import head_to_head_report
    from holdem.trials.head_to_head.contest import head_to_head
    from holdem.trials.head_to_head.result import ContestResult

    if evaluators is not None:
        arguments["evaluators"] = evaluators.replace(",", " ").split()
    try:
        result = head_to_head(*players, **arguments, progress=shows_progress())
    except Interrupted as interruption:
        if isinstance(interruption.finished, ContestResult):
            print_report(head_to_head_report(interruption.finished), output_format)
            print_message("interrupted: fewer deals than requested")
        return 130
    print_report(head_to_head_report(result), output_format)
    if plot is not None:
        result.save_plot(plot)
    return 0 if all(check.agrees for check in result.cross_checks) else 1

"""``holdem deal`` and ``holdem head-to-head``: deal hands, and count the outcomes of hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from holdem.cli import options
from holdem.cli.completion import complete_evaluators
from holdem.cli.output import (
    check_output,
    output_style,
    print_message,
    print_result,
    shows_progress,
)
from holdem.errors import Interrupted, RangeError, one_line, quoted
from holdem.rules import MAX_PLAYERS


@click.command("deal")
@options.seats("[PLAYER]...")
@options.players("1 to 10", "as many as there are, or 6")
@options.board
@options.dead
@click.option(
    "-n",
    "--hands",
    type=options.Count(),
    default=1,
    metavar="N",
    show_default=True,
    help="Number of hands.",
)
@options.seed
@options.workers
@options.evaluator
@options.output_format("text", "jsonl", "csv", "parquet")
@options.symbols
@options.output_file("FILE", ".jsonl, .csv or .parquet")
@click.pass_context
def deal_command(
    context: click.Context,
    /,
    seats: tuple[str, ...],
    output_format: str,
    output: Path | None,
    force: bool,
    **arguments: Any,
) -> int:
    """Deal whole hands: hole cards, board, burn cards and winners.

    Each PLAYER is a hand or a range. All players stay in to the showdown. Seat 0 is dealt to
    first. Each hand shows the seed, and the same seed deals the same hands. The deck is that of
    the evaluator's rule set.

    \b
    holdem deal -p 9 --seed 7
    holdem deal AsKs QQ+ -b Td9d2c
    holdem deal --evaluator short-deck
    holdem deal -n 1000 -f jsonl
    holdem deal -n 1000000 -o hands.parquet
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.trials.hand_files import find_format, print_hands, write_hands

    hands = arguments["hands"]
    if len(seats) == 1 and seats[0] in map(str, range(1, MAX_PLAYERS + 1)):
        raise click.UsageError(
            f"{seats[0]} is no hand: the number of players is in -p, as in -p {seats[0]}"
        )
    try:
        if force and output is None:
            raise click.UsageError("--force needs a file, as in -o hands.csv")
        if output is not None:
            is_given = context.get_parameter_source("output_format") is ParameterSource.COMMANDLINE
            if is_given and output_format != find_format(output):
                raise click.UsageError(
                    f"-f {output_format} does not fit the file name {quoted(output.name)}"
                )
            check_output(output, force)
            progress = shows_progress()
            seed = write_hands(output, *seats, **arguments, progress=progress, overwrite=force)
            print(f"{hands:,} hands of seed {seed} in {one_line(str(output))}", file=sys.stderr)
        elif output_format == "parquet":
            raise click.UsageError("parquet is written to files only, as in -o hands.parquet")
        elif output_format == "text":
            del arguments["workers"]  # hands are dealt and printed one by one
            _print_text(seats, arguments)
        else:
            progress = shows_progress() and not sys.stdout.isatty()
            print_hands(sys.stdout, output_format, *seats, **arguments, progress=progress)
    except Interrupted as interruption:
        at_least = "at least " if output is None else ""
        print_message(
            f"interrupted: {at_least}{interruption.finished:,} of {hands:,} hands were written"
        )
        return 130
    return 0


def _print_text(seats: tuple[str, ...], arguments: dict[str, Any]) -> None:
    from holdem.report.hand_reports import dealt_hand_text
    from holdem.trials.simulation import simulate

    finished = 0
    style = output_style()
    try:
        for hand in simulate(*seats, **arguments):
            click.echo(("\n" if finished else "") + dealt_hand_text(hand, style))
            finished = hand.number
    except KeyboardInterrupt:
        raise Interrupted(finished) from None


@click.command("head-to-head")
@options.seats("PLAYER PLAYER...")
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
    type=options.Number(),
    metavar="X",
    help="Stop when one player is ahead of all others at this confidence, such as 0.95.",
)
@options.seed
@options.workers
@options.evaluator
@click.option(
    "--evaluators",
    metavar="A,B",
    shell_complete=complete_evaluators,
    help="Rank the same hands with several evaluators; exit with 1 if they disagree.",
)
@options.output_format("table", "json", "csv", "markdown")
@options.names
@options.plot
@options.symbols
def head_to_head_command(
    seats: tuple[str, ...],
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
    from holdem.evaluation.registry import evaluators as list_evaluators
    from holdem.trials.contest import head_to_head
    from holdem.trials.contest_result import ContestResult

    if evaluators is not None:
        arguments["evaluators"] = evaluators.replace(",", " ").split()
    try:
        result = head_to_head(*seats, **arguments, progress=shows_progress())
    except RangeError:
        if set(seats) <= {record.name for record in list_evaluators()}:
            raise click.UsageError(
                "evaluators to compare are in --evaluators, as in holdem head-to-head random random"
                f" --evaluators {','.join(seats)}"
            ) from None
        raise
    except Interrupted as interruption:
        if isinstance(interruption.finished, ContestResult):
            print_result(interruption.finished, output_format)
            print_message("interrupted: fewer deals than requested")
        return 130
    print_result(result, output_format, plot)
    return 0 if all(check.agrees for check in result.cross_checks) else 1

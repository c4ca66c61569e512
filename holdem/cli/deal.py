"""``holdem deal``: whole hands, dealt as at a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from holdem.cli import options
from holdem.errors import one_line, quoted

if TYPE_CHECKING:
    from holdem.trials.hands.simulation import Hand, Seat


@click.command("deal")
@click.option(
    "-p", "--players", type=int, default=6, metavar="N", show_default=True, help="2 to 10 players."
)
@click.option(
    "-n", "--hands", type=int, default=1, metavar="N", show_default=True, help="How many hands."
)
@options.seed
@options.workers
@options.evaluator
@options.output_format("text", "jsonl", "csv", "parquet")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write to FILE, whose name ends in .jsonl, .csv or .parquet.",
)
@click.pass_context
def command(
    context: click.Context,
    players: int,
    hands: int,
    seed: int | None,
    workers: int | None,
    evaluator: str | None,
    output_format: str,
    output: Path | None,
) -> int:
    """Deal whole hands of Hold'em: every player's hole, the board, the burns, who wins.

    Everybody stays in to the showdown. Seats count from 0, the first that is dealt to. Each
    hand says its seed, and the same seed deals the same hands. The deck is that of the
    evaluator's rules.

    \b
    holdem deal -p 9 --seed 7
    holdem deal --evaluator short-deck
    holdem deal -n 1000 -f jsonl
    holdem deal -n 1000000 -o hands.parquet
    """  # noqa: D301
    from holdem.errors import Interrupted

    given = context.get_parameter_source("output_format") is ParameterSource.COMMANDLINE
    asked = output_format if given else None
    try:
        if output is not None:
            _write(output, asked, players, hands, seed, workers, evaluator)
        elif output_format == "parquet":
            raise click.UsageError("parquet is no text: give a file, as -o hands.parquet")
        elif output_format == "text":
            _print_text(players, hands, seed, evaluator)
        else:
            from holdem.trials.hands.files import print_hands

            shown = options.on_terminal() and not sys.stdout.isatty()
            print_hands(sys.stdout, output_format, players, hands, seed, workers, evaluator, shown)
    except Interrupted as interruption:
        least = "at least " if output is None else ""
        told = f"{least}{interruption.finished:,} of {hands:,} hands were written"
        click.echo(f"holdem: interrupted: {told}", err=True)
        return 130
    return 0


def _write(
    output: Path,
    asked: str | None,
    players: int,
    hands: int,
    seed: int | None,
    workers: int | None,
    evaluator: str | None,
) -> None:
    from holdem.trials.hands.files import format_of, write_hands

    form = format_of(output)
    if asked not in (None, form):
        raise click.UsageError(f"-f {asked} and the file's name differ: {quoted(output.name)}")
    used = write_hands(
        output, players, hands, seed, workers, evaluator, progress=options.on_terminal()
    )
    click.echo(f"{hands:,} hands of seed {used} in {one_line(str(output))}", err=True)


def _print_text(players: int, hands: int, seed: int | None, evaluator: str | None) -> None:
    from holdem.errors import Interrupted
    from holdem.trials.hands.simulation import simulate

    done = 0
    try:
        for hand in simulate(players, hands, seed, evaluator):
            click.echo(("\n" if done else "") + _text(hand))
            done = hand.number
    except KeyboardInterrupt:
        raise Interrupted(done) from None


def _text(hand: Hand) -> str:
    """Return a hand as a few aligned lines, without a line's end."""
    from holdem.evaluation.registry import DEFAULT_EVALUATOR

    flop, turn, river = hand.board[:3], hand.board[3], hand.board[4]
    width = max(len(seat.value.name) for seat in hand.seats)
    head = f"Hand {hand.number} of seed {hand.seed}"
    if hand.evaluator["name"] != DEFAULT_EVALUATOR:
        head += f", evaluator {hand.evaluator['name']}"
    lines = [
        click.style(head, bold=True),
        f"  board   {_spaced(flop)}  {turn}  {river}     burnt {_spaced(hand.burns)}",
    ]
    for seat in hand.seats:
        name = seat.value.name.ljust(width)
        line = f"  seat {seat.number}  {_spaced(seat.hole)}   {name}   {_spaced(seat.value.best)}"
        won = _outcome(seat)
        lines.append(click.style(f"{line}   {won}", bold=True) if won else line)
    return "\n".join(lines)


def _outcome(seat: Seat) -> str:
    """Return what a seat gets of the pot, in words; nothing for a loser."""
    if not seat.share:
        return ""
    return "wins" if seat.share == 1 else f"splits the pot, {seat.share}"


def _spaced(cards: tuple[object, ...]) -> str:
    return " ".join(str(card) for card in cards)

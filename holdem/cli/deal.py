"""``holdem deal``: whole hands, dealt as at a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from holdem.cli import options

if TYPE_CHECKING:
    from holdem.trials.hands import Hand, Seat


@click.command("deal")
@click.option(
    "-p", "--players", type=int, default=6, metavar="N", show_default=True, help="2 to 10 players."
)
@click.option(
    "-n", "--hands", type=int, default=1, metavar="N", show_default=True, help="How many hands."
)
@options.seed
@options.evaluator
@options.output_format("text", "jsonl")
def command(
    players: int, hands: int, seed: int | None, evaluator: str | None, output_format: str
) -> None:
    """Deal whole hands of Hold'em: every player's hole, the board, the burns, who wins.

    Everybody stays in to the showdown. Seats count from 0, the first that is dealt to. Each
    hand says its seed, and the same seed deals the same hands. The deck is that of the
    evaluator's rules.

    \b
    holdem deal -p 9 --seed 7
    holdem deal --evaluator short-deck
    holdem deal -n 1000 -f jsonl
    """  # noqa: D301
    from holdem.trials.hands import simulate

    for hand in simulate(players, hands, seed, evaluator):
        if output_format == "jsonl":
            click.echo(json.dumps(hand.to_dict()))
        else:
            click.echo(("\n" if hand.number > 1 else "") + _text(hand))


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

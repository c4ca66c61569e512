"""``holdem evaluate``, ``compare`` and ``explain``: the values of hands, and which hand wins."""

from __future__ import annotations

from typing import Any, TextIO

import click

from holdem.cli import options
from holdem.cli.output import print_result, shows_progress


@click.command("evaluate")
@click.argument("cards", nargs=-1, metavar="CARDS", required=True)
@options.evaluator_name
@options.output_format("table", "json")
@options.symbols
def evaluate_command(cards: tuple[str, ...], evaluator: str | None, output_format: str) -> None:
    """Show the value of a hand of five to seven CARDS.

    \b
    holdem evaluate AsKsQsJsTs2c3d
    holdem evaluate 8s8cJh9s9c --evaluator bitwise
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.evaluation.hand_value import evaluate

    print_result(evaluate(" ".join(cards), evaluator=evaluator), output_format)


@click.command("compare")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="backslashreplace"))
@options.evaluator_name
@click.option("--show", is_flag=True, help="Show both hands of each line, and the winner.")
@options.output_format("table", "json")
@options.symbols
def compare_command(file: TextIO, evaluator: str | None, show: bool, output_format: str) -> None:
    """Compare the two five-card hands on each line of FILE.

    A line has ten cards, five for each side, or `CARDS | CARDS`. A card may occur on both sides.
    FILE is - for standard input.

    \b
    echo "7c5d4h3s2c | KdQsJcTh9s" | holdem compare -
    echo "5h5cKd7s6s 8s8dTd3s2c" | holdem compare - --show
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.trials.comparison import compare_hands, compare_values

    if show:
        comparison, pairs = compare_values(file, evaluator=evaluator)
        print_result(comparison, output_format, pairs=pairs)
    else:
        print_result(compare_hands(file, evaluator=evaluator), output_format)


@click.command("explain")
@options.seats("PLAYER PLAYER...")
@options.board
@options.dead
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
@options.names
@options.plot
@options.symbols
def explain_command(
    seats: tuple[str, ...], output_format: str, plot: str | None, **arguments: Any
) -> None:
    """Explain who wins between known hands, and why, with the equities street by street.

    A PLAYER is two cards, such as AsKs. If cards are to come, the outs of the players who are
    behind are listed.

    \b
    holdem explain AsKs QdQh --board Td9d2c5h3s
    holdem explain AsKs QdQh 7c7d --board Td9d2c
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.odds.explanation import explain

    result = explain(*seats, progress=shows_progress(), **arguments)
    print_result(result, output_format, plot)

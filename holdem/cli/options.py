"""Options that several commands share, each written once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

board = click.option("-b", "--board", metavar="CARDS", help="0, 3, 4 or 5 shared cards, as Td9d2c.")
dead = click.option("-d", "--dead", metavar="CARDS", help="Cards out of play.")
deals = click.option("-n", "--deals", type=int, metavar="N", help="Sample so many deals.")
seed = click.option(
    "--seed", type=int, metavar="N", help="0..2^53-1; drawn and reported if left out."
)
workers = click.option(
    "-j", "--workers", type=int, metavar="N", help="Threads; all cores if left out."
)
evaluator = click.option("--evaluator", metavar="NAME", help="See `holdem evaluators`.")


_Command = TypeVar("_Command", bound=Callable[..., Any] | click.Command)


def output_format(*choices: str) -> Callable[[_Command], _Command]:
    """Return the option ``-f/--format``; the first choice is the default."""
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
    )


def on_terminal() -> bool:
    """Whether progress can be shown: standard error is a terminal."""
    return sys.stderr.isatty()

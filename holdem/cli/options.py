"""Options shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any] | click.Command)

board = click.option(
    "-b", "--board", metavar="CARDS", help="0, 3, 4 or 5 community cards, such as Td9d2c."
)
dead = click.option("-d", "--dead", metavar="CARDS", help="Cards out of play.")
seed = click.option(
    "--seed", type=int, metavar="N", help="Random seed, 0..2^53-1; drawn and reported by default."
)
workers = click.option(
    "-j", "--workers", type=int, metavar="N", help="Number of threads; all cores by default."
)
evaluator = click.option(
    "--evaluator", metavar="NAME", help="Hand evaluator; see `holdem evaluators`."
)
seed_of_hands = click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Seed of the random hands."
)


def output_format(*choices: str) -> Callable[[_Command], _Command]:
    """Return a ``--format`` option that offers the given formats.

    Choices are keys of `holdem.report.formats.FORMATS`; the first is the default.
    """
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="Output format.",
    )

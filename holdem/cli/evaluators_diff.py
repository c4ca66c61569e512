"""``holdem evaluators diff``: whether two evaluators agree."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.estimate import Estimated


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "-n",
    "--hands",
    type=click.IntRange(0, 100_000_000),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Random hands of six, and of seven, cards; of five all are compared.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, metavar="N", help="Of the random hands."
)
@options.output_format("table", "json")
def command(first: str, second: str, hands: int, seed: int, output_format: str) -> int:
    """Compare evaluators A and B on all hands of five cards and on random ones of six and seven.

    What is compared is the class of each hand. The first disagreement is shown: of the fewest
    cards, and of those the lowest. Exit code 1 if there is one.

    \b
    holdem evaluators diff lookup cactus-kev --hands 1000000
    """  # noqa: D301 - \b is click's mark for lines that keep their breaks
    from holdem.dealing.seeds import resolve_seed
    from holdem.evaluation.conformance.diff import compare_evaluators
    from holdem.evaluation.registry import get_evaluator
    from holdem.report.difference import difference_text
    from holdem.report.record import to_json

    pair = get_evaluator(first), get_evaluator(second)
    with Estimated(f"comparing {first} and {second}") as run:
        found = compare_evaluators(
            *pair, hands, resolve_seed(seed), on_estimate=run.begin, on_progress=run.advance
        )
    click.echo(to_json(found.to_dict()) if output_format == "json" else difference_text(found))
    return 0 if found.agree else 1

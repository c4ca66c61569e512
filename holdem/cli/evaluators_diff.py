"""``holdem evaluators diff``: compare two evaluators on the same hands."""

from __future__ import annotations

import click

from holdem.cli import options
from holdem.cli.estimate import Estimated
from holdem.cli.output import print_report


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "-n",
    "--hands",
    type=options.CountRange(0, 100_000_000),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Number of random hands of six cards, and of seven.",
)
@options.seed_of_hands
@options.output_format("table", "json")
@options.symbols
def command(first: str, second: str, hands: int, seed: int, output_format: str) -> int:
    """Compare two evaluators on the same hands.

    Compares the classes of all hands of five cards and of random hands of six and seven. Shows
    the first disagreement, that of the fewest cards, and exits with 1 if there is one.

    \b
    holdem evaluators diff lookup cactus-kev --hands 1000000
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.dealing.seeds import resolve_seed
    from holdem.evaluation.conformance.diff import compare_evaluators
    from holdem.evaluation.registry import get_evaluator
    from holdem.report.evaluator_reports import difference_report

    pair = get_evaluator(first), get_evaluator(second)
    with Estimated(f"comparing {first} and {second}") as run:
        difference = compare_evaluators(
            *pair, hands, resolve_seed(seed), on_estimate=run.begin, on_progress=run.advance
        )
    print_report(difference_report(difference), output_format)
    return 0 if difference.agree else 1

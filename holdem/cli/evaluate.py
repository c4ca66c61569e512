"""``holdem evaluate``: what one hand is worth."""

from __future__ import annotations

import click

from holdem.cli import options


@click.command("evaluate")
@click.argument("cards", nargs=-1, metavar="CARDS", required=True)
@options.evaluator
@options.output_format("table", "json")
def command(cards: tuple[str, ...], evaluator: str | None, output_format: str) -> None:
    """Say what a hand of five to seven CARDS is worth.

    \b
    holdem evaluate AsKsQsJsTs2c3d
    """  # noqa: D301
    from holdem.cards import cards_text
    from holdem.evaluation.hand_value import evaluate
    from holdem.report.record import to_json

    value = evaluate(" ".join(cards), evaluator=evaluator)
    if output_format == "json":
        click.echo(to_json(value.to_dict()))
        return
    click.echo(value.name)
    click.echo(f"best five   {cards_text(value.best, ' ')}")
    click.echo(f"category    {value.category}")
    click.echo(
        f"class       {value.rank_class:,} of {len(value.evaluator.rules.classes):,}, 1 is the best"
    )
    click.echo(f"strength    {value.strength} ({value.evaluator.name})")

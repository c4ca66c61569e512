"""``holdem head-to-head``: dealt trials, who won with what against what."""

from __future__ import annotations

from collections.abc import Callable

import click

from holdem.cli import options


@click.command("head-to-head")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@options.board
@options.dead
@click.option("-n", "--deals", type=int, default=100_000, show_default=True, metavar="N")
@options.seed
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
def command(
    players: tuple[str, ...],
    board: str | None,
    dead: str | None,
    deals: int,
    seed: int | None,
    workers: int | None,
    evaluator: str | None,
    output_format: str,
) -> int:
    """Deal trials: who won, with what, against what.

    \b
    holdem head-to-head AsKs QdQh --deals 100000 --seed 7
    """  # noqa: D301
    from holdem.odds.blocks import Interrupted
    from holdem.report import contest as report
    from holdem.report.record import to_json
    from holdem.trials.contest import ContestResult, head_to_head

    printers: dict[str, Callable[[ContestResult], str]] = {
        "table": report.contest_text,
        "csv": report.contest_csv,
        "markdown": report.contest_markdown,
        "json": lambda found: to_json(found.to_dict()),
    }
    try:
        result = head_to_head(
            *players,
            board=board,
            dead=dead,
            deals=deals,
            seed=seed,
            workers=workers,
            evaluator=evaluator,
            progress=options.on_terminal(),
        )
    except Interrupted as interruption:
        if isinstance(interruption.finished, ContestResult):
            click.echo(printers[output_format](interruption.finished))
            click.echo("holdem: interrupted: fewer deals than were asked for", err=True)
        return 130
    click.echo(printers[output_format](result))
    return 0

"""``holdem head-to-head``: dealt trials, who won with what against what."""

from __future__ import annotations

from collections.abc import Callable

import click

from holdem.cli import options


@click.command("head-to-head")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@options.board
@options.dead
@click.option(
    "-n",
    "--deals",
    type=int,
    metavar="N",
    help="So many trials: 100,000 if left out, and 10,000,000 at most with --confidence.",
)
@click.option(
    "--confidence",
    type=float,
    metavar="X",
    help="End once one player is ahead of all others at this confidence, as 0.95.",
)
@options.seed
@options.workers
@options.evaluator
@click.option(
    "--evaluators",
    metavar="A,B",
    help="Let these rank the same hands; exit code 1 where they disagree.",
)
@options.output_format("table", "json", "csv", "markdown")
def command(
    players: tuple[str, ...],
    board: str | None,
    dead: str | None,
    deals: int | None,
    confidence: float | None,
    seed: int | None,
    workers: int | None,
    evaluator: str | None,
    evaluators: str | None,
    output_format: str,
) -> int:
    """Deal trials: who won, with what, against what.

    \b
    holdem head-to-head AsKs QdQh --deals 100000 --seed 7
    holdem head-to-head 22 AKo JTs --confidence 0.99
    holdem head-to-head random random --evaluators lookup,cactus-kev
    """  # noqa: D301
    from holdem.errors import Interrupted
    from holdem.report import contest as report
    from holdem.report.record import to_json
    from holdem.trials.head_to_head.contest import head_to_head
    from holdem.trials.head_to_head.result import ContestResult

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
            confidence=confidence,
            seed=seed,
            workers=workers,
            evaluator=evaluator,
            evaluators=None if evaluators is None else evaluators.replace(",", " ").split(),
            progress=options.on_terminal(),
        )
    except Interrupted as interruption:
        if isinstance(interruption.finished, ContestResult):
            click.echo(printers[output_format](interruption.finished))
            click.echo("holdem: interrupted: fewer deals than were asked for", err=True)
        return 130
    click.echo(printers[output_format](result))
    return 0 if all(judge.agrees for judge in result.judges) else 1

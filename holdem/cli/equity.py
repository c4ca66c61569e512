"""``holdem equity``: what each player can expect to win."""

from __future__ import annotations

from collections.abc import Callable

import click

from holdem.cli import options


@click.command("equity")
@click.argument("players", nargs=-1, metavar="PLAYER PLAYER...")
@options.board
@options.dead
@click.option(
    "--method",
    type=click.Choice(["auto", "exact", "monte-carlo"]),
    default="auto",
    show_default=True,
    help="auto is exact where that is affordable.",
)
@options.deals
@click.option("--stderr", type=float, metavar="X", help="Sample to this standard error (0.0005).")
@click.option("--time", type=float, metavar="SECONDS", help="Sample for so long.")
@options.seed
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
@click.option(
    "--explain-plan", is_flag=True, help="Print the choice of method and the estimates only."
)
def command(
    players: tuple[str, ...],
    board: str | None,
    dead: str | None,
    method: str,
    deals: int | None,
    stderr: float | None,
    time: float | None,
    seed: int | None,
    workers: int | None,
    evaluator: str | None,
    output_format: str,
    explain_plan: bool,
) -> int:
    """Compute each player's equity, exactly or sampled with its error.

    A PLAYER is a range: a hole (AsKs), a class (AKs, QQ, T9o), random, or a list (QQ+,AKs).

    \b
    holdem equity AsKs QQ+ --board Td9d2c
    holdem equity AA random random --stderr 0.0001 --seed 7
    """  # noqa: D301 - \b is click's mark for lines that keep their breaks
    from holdem.errors import Interrupted
    from holdem.odds.api import prepare
    from holdem.odds.result import EquityResult
    from holdem.report.plan import plan_record, plan_text, unused_bounds
    from holdem.report.record import to_json

    if explain_plan and output_format not in ("table", "json"):
        raise click.UsageError(f"a plan is printed as table or json, not as {output_format}")
    asked = prepare(
        *players,
        board=board,
        dead=dead,
        method=method,  # type: ignore[arg-type]
        deals=deals,
        stderr=stderr,
        time=time,
        seed=seed,
        workers=workers,
        evaluator=evaluator,
    )
    if explain_plan:
        in_json = output_format == "json"
        click.echo(to_json(plan_record(asked)) if in_json else plan_text(asked))
        return 0
    try:
        result = asked.answer(progress=options.on_terminal())
    except Interrupted as interruption:
        if isinstance(interruption.finished, EquityResult):
            _print(interruption.finished, output_format)
        return 130
    _print(result, output_format)
    if asked.without_effect:
        click.echo(f"holdem: {unused_bounds(asked)}", err=True)
    return 0


def _print(result: object, output_format: str) -> None:
    from holdem.odds.result import EquityResult
    from holdem.report import equity as report
    from holdem.report.record import to_json

    assert isinstance(result, EquityResult)
    printers: dict[str, Callable[[EquityResult], str]] = {
        "table": report.equity_text,
        "csv": report.equity_csv,
        "markdown": report.equity_markdown,
        "json": lambda found: to_json(found.to_dict()),
    }
    click.echo(printers[output_format](result))

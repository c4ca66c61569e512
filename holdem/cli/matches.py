"""``holdem play``, which plays hands with betting, and ``holdem strategies``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from holdem.cli import options
from holdem.cli.completion import complete_strategies
from holdem.cli.options import LazyGroup
from holdem.cli.output import (
    check_output,
    print_message,
    print_report,
    print_result,
    shows_progress,
)
from holdem.errors import Interrupted


class _Amounts(click.ParamType[Any]):
    """Type of options for amounts with ``/`` between them, such as 0.5/1."""

    name = "amounts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        amounts = [options.Amount().convert(part, param, ctx) for part in value.split("/")]
        return tuple(int(own) if own.is_integer() else own for own in amounts)


def _one_or_all(_: click.Context, __: click.Parameter, amounts: Any) -> Any:
    return amounts[0] if amounts is not None and len(amounts) == 1 else amounts


@click.command("play")
@click.argument(
    "strategies",
    nargs=-1,
    required=True,
    metavar="STRATEGY STRATEGY...",
    shell_complete=complete_strategies,
)
@click.option(
    "-n",
    "--hands",
    type=options.Count(),
    metavar="N",
    help="Number of hands, rounded up to whole deals: 100,000 without another limit.",
)
@click.option("--time", type=options.Number(), metavar="SECONDS", help="Play for at most SECONDS.")
@click.option(
    "--blinds",
    type=_Amounts(),
    default="1/2",
    show_default=True,
    metavar="A/B",
    help="The small and the big blind, then straddles.",
)
@click.option(
    "--stack",
    "stacks",
    type=_Amounts(),
    callback=_one_or_all,
    metavar="X",
    help="Chips of each position at the beginning of each hand, or X/Y/… by position from the small"
    " blind on; 100 big blinds by default.",
)
@click.option(
    "--ante",
    "antes",
    type=_Amounts(),
    default="0",
    callback=_one_or_all,
    metavar="X",
    help="Ante of all, or X/Y/… by position.",
)
@click.option(
    "--big-blind-ante",
    type=_Amounts(),
    default="0",
    callback=_one_or_all,
    metavar="X",
    help="Ante that the big blind posts for all.",
)
@click.option(
    "--limit",
    type=click.Choice(["no", "pot", "fixed"]),
    default="no",
    show_default=True,
    help="What may be bet.",
)
@click.option(
    "--until",
    type=options.Report("decided"),
    help="Stop once one strategy is ahead of all others at 95 % confidence.",
)
@click.option(
    "--runouts",
    type=options.Whole(),
    default=0,
    metavar="N",
    help="Settle all-ins by the mean of N random boards, such as 16.",
)
@options.board
@options.dead
@options.seed
@options.workers
@options.evaluator_name
@click.option(
    "--by", type=options.Report("position"), help="Also show what each wins at each position."
)
@options.output_format("table", "json", "csv", "markdown")
@options.plot
@options.symbols
@options.output_file("FILE", ".phhs")
def play_command(
    strategies: tuple[str, ...],
    by: str | None,
    output_format: str,
    plot: str | None,
    output: Path | None,
    force: bool,
    **arguments: Any,
) -> int:
    """Play hands with betting between strategies, one for each seat.

    A STRATEGY is a name; `holdem strategies` lists them. One of yours comes from a file, as in
    `holdem -p patient.py play patient caller`. The seats turn over the same cards.

    \b
    holdem play tight caller random
    holdem play tight aggressive -n 1e6 --blinds 0.5/1 --stack 100 --seed 7
    holdem play tight aggressive --until decided
    holdem play tight tight aggressive -n 1000 --by position -o hands.phhs
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.matches.match import play
    from holdem.trials.hand_files import write_hands

    if output is not None:
        if output.suffix.lower() != ".phhs":
            raise click.UsageError(f"{output.name}: played hands are written to a file .phhs")
        check_output(output, force)
        arguments["record"] = True
    shown: dict[str, Any] = {"by_position": by == "position"}
    try:
        result = play(strategies, **arguments, progress=shows_progress())
    except Interrupted as interruption:
        if interruption.finished:
            print_result(interruption.finished, output_format, **shown)
            print_message("interrupted: fewer hands than requested")
        return 130
    print_result(result, output_format, plot, **shown)
    if output is not None:
        write_hands(output, result.hands, progress=shows_progress(), overwrite=force)
    return 0


@click.group("strategies", cls=LazyGroup, invoke_without_command=True)
@options.output_format("table", "json")
@click.pass_context
def strategies_command(context: click.Context, output_format: str) -> None:
    """List the strategies that plugins offer, or check one.

    \b
    holdem strategies
    holdem strategies check tight
    """  # noqa: D301 - click keeps the line breaks after \b
    subcommand = context.invoked_subcommand
    if subcommand is None:
        from holdem.matches.named_strategies import strategies
        from holdem.report.play_report import strategy_list_report

        print_report(strategy_list_report(strategies()), output_format)
    elif context.get_parameter_source("output_format") is not click.core.ParameterSource.DEFAULT:
        raise click.UsageError(
            f"write -f after {subcommand}: holdem strategies {subcommand} -f {output_format}"
        )


@strategies_command.command("check")
@click.argument("names", nargs=-1, metavar="[NAME...]", shell_complete=complete_strategies)
@options.seed_of_hands
@options.output_format("table", "json")
def check_command(names: tuple[str, ...], seed: int, output_format: str) -> int:
    """Check that strategies play the same hand alike, whatever else is played.

    Checks all strategies, or those named: that they play without an error, and answer alike when
    they are asked again, with the games in another order, and with fewer games in a call. Shows
    how often the rules changed an action, and the speed. Exits with 1 if a check fails.

    \b
    holdem strategies check tight
    holdem -p patient.py strategies check patient
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.dealing.seeds import resolve_seed
    from holdem.matches.named_strategies import find_strategy, strategies
    from holdem.matches.strategy_checks import check_strategy
    from holdem.report.play_report import strategy_check_report

    chosen = names or [record.name for record in strategies() if record.status == "active"]
    checked = [check_strategy(find_strategy(name), resolve_seed(seed)) for name in chosen]
    print_report(strategy_check_report(checked), output_format)
    return 0 if all(own.passed for own in checked) else 1

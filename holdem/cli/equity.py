"""``holdem equity``: compute the players' equities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from holdem.cli import options
from holdem.cli.output import print_message, print_report, print_result, shows_progress

if TYPE_CHECKING:
    from holdem.odds.breakdown import By


@click.command("equity")
@options.seats("PLAYER PLAYER...")
@options.players("2 to 10", "as many as there are")
@options.board
@options.dead
@options.method
@options.deals
@options.stderr
@options.time
@options.relative
@options.seed
@options.workers
@options.evaluator
@options.output_format("table", "json", "csv", "markdown")
@options.by
@options.names
@options.against
@click.option(
    "--pot",
    type=options.Amount(),
    metavar="CHIPS",
    help="The pot before a bet; with --bet, show what a call and a bet of the first player need.",
)
@click.option("--bet", type=options.Amount(), metavar="CHIPS", help="The bet into that pot.")
@options.plot
@options.symbols
@click.option(
    "--explain-plan", is_flag=True, help="Print the choice of method and its cost, and exit."
)
def command(
    seats: tuple[str, ...],
    players: int | None,
    output_format: str,
    by: tuple[By, ...],
    plot: str | None,
    pot: float | None,
    bet: float | None,
    explain_plan: bool,
    against: int,
    **arguments: Any,
) -> int:
    """Compute each player's equity, exactly or by sampling.

    A PLAYER is a range: two cards (AsKs), a class of hands (AKs, QQ, T9o), a list (QQ+,AKs), or
    random.

    \b
    holdem equity AsKs QQ+ --board Td9d2c
    holdem equity AA KK random random --stderr 0.0001 --seed 7
    holdem equity AsKs QQ+ --board Td9d2c --by category --by next-card
    holdem equity AsKs QQ+ --names BTN,BB
    holdem equity AsKs QQ+ --players 9
    holdem equity JsTs 10% --board Jh7s7d --against 3
    holdem equity QQ "22+,A2s+" --board Ks7d2c --pot 60 --bet 30
    """  # noqa: D301 - click keeps the line breaks after \b
    from holdem.errors import Interrupted
    from holdem.evaluation.registry import REGISTRY
    from holdem.odds.breakdown import check_breakdowns
    from holdem.odds.equity import make_query
    from holdem.odds.pot_odds import Price
    from holdem.odds.result import EquityResult
    from holdem.odds.spot import fill_players
    from holdem.ranges.range import Range
    from holdem.report.equity_report import plan_report

    if explain_plan and output_format not in ("table", "json"):
        raise click.UsageError(f"a plan is printed as table or json, not as {output_format}")
    if output_format == "csv" and len(set(by)) > 1:
        raise click.UsageError("csv prints one report at a time; give a single --by")
    if plot is not None and len(set(by)) > 1:
        raise click.UsageError("--plot draws one report; give a single --by")
    if plot is not None and explain_plan:
        raise click.UsageError("--explain-plan computes nothing that --plot could draw")
    if (pot is None) != (bet is None):
        raise click.UsageError("give --pot and --bet together, as in --pot 60 --bet 30")
    price = Price(pot, bet) if pot is not None and bet is not None else None
    given: Sequence[str | Range] = seats
    if against != 1:
        rules = REGISTRY.get(arguments["evaluator"]).rules
        given = [Range(text, rules=rules, against=against) for text in seats]
    filled = given if players is None else fill_players(given, players)
    query = make_query(*filled, **arguments)
    breakdowns = check_breakdowns(by, query.spot.board)
    if explain_plan:
        print_report(plan_report(query), output_format)
        return 0
    if "runout" in breakdowns:  # before the spot is sampled
        from holdem.odds.next_cards import require_affordable_runouts

        require_affordable_runouts(query.spot)
    try:
        result = query.answer(progress=shows_progress())
    except Interrupted as interruption:
        if isinstance(interruption.finished, EquityResult):
            result = interruption.finished
            print_result(result, output_format, price=price)
        return 130
    is_cut_short = result.method == "exact" and not result.exact  # by time, without equity
    if is_cut_short:
        breakdowns = ()
    try:
        result.compute(*breakdowns, progress=shows_progress())
    except Interrupted:
        print_result(result, output_format, price=price)
        print_message("interrupted before the reports were complete")
        return 130
    print_result(result, output_format, by=breakdowns, price=price)
    if query.unused_bounds:
        print_message(query.unused_note("--"))
    if is_cut_short:
        return 1
    if plot is not None:
        result.save_plot(plot, by=breakdowns[0] if breakdowns else None)
    return 0

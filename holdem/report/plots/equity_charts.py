"""Choice of the chart to draw for an equity result."""

from __future__ import annotations

import attrs

from holdem.errors import HoldemValueError, quoted
from holdem.odds.result import EquityResult
from holdem.report.plots.bars import category_chart, equity_bars
from holdem.report.plots.curves import convergence_chart, players_chart
from holdem.report.plots.figures import Chart, name_cards, player_name, range_name
from holdem.report.plots.heat_maps import class_chart, next_card_chart, runout_chart

_KINDS = ("equity", "convergence", "class", "category", "combo", "next-card", "runout")
_OF_ALL_PLAYERS = ("equity", "combo")  # the others have a panel for each player


def equity_chart(result: EquityResult, by: str | None = None, player: int | None = None) -> Chart:
    """Choose and build a chart of an equity result, given the arguments of `EquityResult.plot`."""
    if any(each.equity is None for each in result.players):
        raise HoldemValueError("there is no equity to draw: the exact run was cut short")
    if by is None:
        by = "equity" if result.exact else "convergence"
    if by not in _KINDS:
        raise HoldemValueError(f"no chart by {quoted(by)}; there are: {', '.join(_KINDS)}")
    chart = _make_chart(result, by)
    if player is None:
        return chart
    if by in _OF_ALL_PLAYERS:
        raise HoldemValueError(f"a chart by {by} shows all players; leave out player")
    if not 0 <= player < len(result.players):
        raise HoldemValueError(f"no player {player}; there are 0 to {len(result.players) - 1}")
    return attrs.evolve(chart, panels=[chart.panels[player]])


def _make_chart(result: EquityResult, by: str) -> Chart:
    players, board = result.players, name_cards(result.board, result.dead)
    titles = [f"{player_name(each.label, each.range)}\n{board}".strip() for each in players]
    match by:
        case "convergence":
            return convergence_chart(result.convergence, [range_name(each) for each in players])
        case "class":
            return class_chart(*(each.by_class for each in players), titles=titles)
        case "category":
            return category_chart(*(each.by_category for each in players), titles=titles)
        case "combo":
            return players_chart(result)
        case "next-card":
            return next_card_chart(result.by_next_card, titles)
        case "runout":
            return runout_chart(result.by_runout, titles)
        case _:
            return equity_bars(result)

"""Choice of the chart to draw for an equity result."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from holdem.errors import HoldemValueError, quoted
from holdem.odds.result import EquityResult
from holdem.report.plots.bars import equity_bars, result_categories
from holdem.report.plots.curves import players_chart, result_convergence
from holdem.report.plots.figures import Chart
from holdem.report.plots.heat_maps import result_classes, result_next_cards, result_runouts

_KINDS: dict[str, Callable[[EquityResult], Chart]] = {
    "equity": equity_bars,
    "convergence": result_convergence,
    "class": result_classes,
    "category": result_categories,
    "combo": players_chart,
    "next-card": result_next_cards,
    "runout": result_runouts,
}
_OF_ALL_PLAYERS = ("equity", "combo")  # the others have a panel for each player


def equity_chart(result: EquityResult, by: str | None = None, player: int | None = None) -> Chart:
    """Choose and build a chart of an equity result, given the arguments of `EquityResult.plot`."""
    if any(each.equity is None for each in result.players):
        raise HoldemValueError("there is no equity to draw: the exact run was cut short")
    if by is None:
        by = "equity" if result.exact else "convergence"
    if by not in _KINDS:
        raise HoldemValueError(f"no chart by {quoted(by)}; there are: {', '.join(_KINDS)}")
    chart = _KINDS[by](result)
    if player is None:
        return chart
    if by in _OF_ALL_PLAYERS:
        raise HoldemValueError(f"a chart by {by} shows all players; leave out player")
    if not 0 <= player < len(result.players):
        raise HoldemValueError(f"no player {player}; there are 0 to {len(result.players) - 1}")
    return attrs.evolve(chart, panels=[chart.panels[player]])

"""Chart of luck: what players won, hand by hand, and what they would have won by equity."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.ticker import StrMethodFormatter

from holdem.errors import HoldemValueError
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart

if TYPE_CHECKING:
    from holdem_histories.luck import AllInReport, LuckLine

_NET, _ADJUSTED, _BAND = "actual", "all-in adjusted", "± 2 standard deviations of luck"
_LUCK_HEIGHT = 2.6


def luck_chart(report: AllInReport, player: str | None = None) -> Chart:
    """Build the chart of a player's running totals, actual and all-in adjusted, by hands played.

    None is the player with the most hands.
    """
    if not report.players:
        raise HoldemValueError("there are no hands to draw")
    name = report.players[0].name if player is None else report.player(player).name
    unit = "big blinds" if report.unit == "bb" else "chips"
    title = figures.name_text(name)
    draw = partial(_draw_luck, line=report.line(name), unit=unit, title=title)
    return Chart([draw], _LUCK_HEIGHT + figures.legend_height((_NET, _ADJUSTED, _BAND), title))


def _draw_luck(ax: Axes, line: LuckLine, unit: str, title: str) -> None:
    figures.open_chart(ax, "hands", unit)
    low, high = line.adjusted - 2 * line.deviation, line.adjusted + 2 * line.deviation
    ax.fill_between(line.hands, low, high, color=figures.PALE, alpha=0.6, linewidth=0, label=_BAND)
    ax.plot(line.hands, line.adjusted, color=figures.STRONG, linewidth=1.2, label=_ADJUSTED)
    ax.plot(line.hands, line.net, color="black", linewidth=1.0, label=_NET)
    ax.axhline(0, color="black", linewidth=0.5)
    ax.margins(x=0)
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    figures.legend_above(ax, (_NET, _ADJUSTED, _BAND), title)

"""Chart of luck: what players won, hand by hand, and what they would have won by equity."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from holdem.errors import HoldemValueError, counted
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart
from holdem_histories.reports import unit_sign

if TYPE_CHECKING:
    from holdem_histories.luck import AllInReport, LuckLine, PlayerLuck

_NET, _ADJUSTED, _BAND = "actual", "all-in adjusted", "± 2 sd of luck"
_SHOWDOWN, _WITHOUT = "at showdown", "without showdown"
_NAMES = (_NET, _ADJUSTED, _SHOWDOWN, _WITHOUT, _BAND)
_BLUE, _RED = figures.line_style(5)["color"], figures.line_style(1)["color"]
_LUCK_HEIGHT = 2.6
_MOST_PANELS = 4


def luck_chart(report: AllInReport, player: str | None = None) -> Chart:
    """Build the chart of a player's running totals by hands played, with a panel for each unit.

    None is the player with the most hands.
    """
    if not report.players:
        raise HoldemValueError("there are no hands to draw")
    name = report.players[0].name if player is None else player
    rows = report.only(name).players[:_MOST_PANELS]
    titles = [_summarise(row) for row in rows]
    panels = [
        partial(_draw_luck, line=report.lines[row.name, row.unit, row.group], row=row, title=title)
        for row, title in zip(rows, titles, strict=True)
    ]
    height = max(figures.legend_height(_NAMES, title) for title in titles)
    return Chart(panels, _LUCK_HEIGHT + height)


def _summarise(row: PlayerLuck) -> str:
    """Write what the lines end with, as the title of a panel."""
    digits = 1 if row.unit == "bb" else 2
    name = " · ".join(filter(None, (figures.name_text(row.name, 24), row.group)))
    lines = [f"{name}: {counted(row.hands, 'hand')}, {counted(row.all_ins, 'all-in')}"]
    if row.left_out:
        lines.append(f"{row.left_out:,} left out, with {row.left_out_pots:,.{digits}f} in the pots")
    rates = (row.bb_per_100, row.adjusted_bb_per_100)
    for what, amount, rate in zip(
        ("actual", "adjusted"), (row.net, row.adjusted), rates, strict=True
    ):
        per_100 = "" if rate is None else f" ({rate:+,.1f} bb/100)"
        lines.append(f"{what} {amount:+,.{digits}f}{per_100}")
    z = "" if row.z is None else f", z {row.z:+.2f}"
    lines.append(f"luck {row.luck:+,.{digits}f} ± {row.deviation:,.{digits}f}{z}")
    return "\n".join(lines)


def _draw_luck(ax: Axes, line: LuckLine, row: PlayerLuck, title: str) -> None:
    unit = "big blinds" if row.unit == "bb" else figures.name_text(unit_sign(row.unit))
    figures.open_chart(ax, "hands", unit)
    ink = mpl.rcParams["text.color"]  # white on a dark background
    low, high = line.adjusted - 2 * line.deviation, line.adjusted + 2 * line.deviation
    ax.fill_between(line.hands, low, high, color=figures.STRONG, alpha=0.24, lw=0, label=_BAND)
    ax.plot(line.hands, line.at_showdown, color=_BLUE, linewidth=0.7, label=_SHOWDOWN)
    without = line.net - line.at_showdown
    ax.plot(line.hands, without, color=_RED, linewidth=0.7, label=_WITHOUT)
    ax.plot(line.hands, line.adjusted, color=figures.STRONG, linewidth=1.2, label=_ADJUSTED)
    ax.plot(line.hands, line.net, color=ink, linewidth=1.0, label=_NET)
    ax.axhline(0, color=ink, linewidth=0.5)
    ax.margins(x=0)
    ax.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:,.10g}"))  # also 0.05
    _date_axis(ax, line)
    figures.legend_above(ax, _NAMES, title)


def _date_axis(ax: Axes, line: LuckLine) -> None:
    """Add dates to the numbers of hands, if all are known and in order."""
    times = line.time[1:]
    if not len(times) or np.isnat(times).any() or (np.diff(times) < np.timedelta64(0)).any():
        return

    def label(hands: float, _: int) -> str:
        place = min(max(int(np.searchsorted(line.hands[1:], hands)), 0), len(times) - 1)
        return f"{hands:,.0f}\n{times[place].astype('datetime64[D]')}"

    ax.xaxis.set_major_locator(MaxNLocator(3, integer=True))
    ax.xaxis.set_major_formatter(label)

"""Convergence of a sampled run: equities with their intervals against the number of deals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from holdem.odds.breakdown.convergence_table import ConvergenceTable
from holdem.odds.result import EquityResult
from holdem.report.plots.figure_style import (
    COLUMN,
    PALE,
    STRONG,
    legend_above,
    legend_height,
    name_text,
    open_chart,
)
from holdem.report.plots.figures import Picture

_HEIGHT = 1.8
_LABELS = ("equity", "95 % interval", "result")


def convergence_picture(table: ConvergenceTable, names: Sequence[str] = ()) -> Picture:
    """Return the picture of a run's convergence, with a panel for each player.

    Args:
        table: the estimates after increasing numbers of deals.
        names: the players' names; numbers if empty.
    """
    players = range(table.equity.shape[1])
    titles = names or [f"player {player + 1}" for player in players]
    panels = [
        partial(_band, table=table, player=player, title=titles[player]) for player in players
    ]
    return Picture(panels, COLUMN, _HEIGHT + legend_height(_LABELS, "name"))


def result_convergence(result: EquityResult) -> Picture:
    """Return the picture of the convergence of a sampled result."""
    names = [name_text(player.range) for player in result.players]
    return convergence_picture(result.convergence, names)


def _band(ax: Axes, table: ConvergenceTable, player: int, title: str) -> None:
    open_chart(ax, "deals", "equity (%)")
    equity, low, high = (
        100 * column[:, player] for column in (table.equity, table.low, table.high)
    )
    ax.set_xscale("log")
    wide = table.deals[-1] >= 100 * table.deals[0]
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))  # no small exponents
    ax.xaxis.set_minor_formatter(NullFormatter())
    marker = "o" if len(table) == 1 else ""
    ax.plot(table.deals, equity, color=STRONG, linewidth=1.2, marker=marker, label=_LABELS[0])
    ax.fill_between(table.deals, low, high, color=PALE, linewidth=0, label=_LABELS[1])
    ax.axhline(equity[-1], color="black", linewidth=0.6, linestyle="dashed", label=_LABELS[2])
    if len(table) == 1:
        ax.set_xticks(table.deals)
    legend_above(ax, _LABELS, title)

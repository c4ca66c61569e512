"""Equities street by street."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from holdem.errors import HoldemValueError
from holdem.odds.explanation.explain import Explanation
from holdem.report.layout.suits import cards_in_report
from holdem.report.plots.figure_style import (
    COLUMN,
    legend_above,
    legend_height,
    line_style,
    name_text,
    open_chart,
    with_symbols,
)
from holdem.report.plots.figures import Picture

_HEIGHT = 2.2
_MARKERS = "osD^v<>phX"


def explanation_picture(explanation: Explanation) -> Picture:
    """Return the picture of the equities street by street, a line for each player.

    Streets whose equities would take too long to compute are left out.

    Raises:
        HoldemValueError: no street has equities.
    """
    if not any(street.equities for street in explanation.streets):
        raise HoldemValueError("there is no equity to draw: it would take too long to compute")
    names = [name_text(str(player.hole)) for player in explanation.players]
    panel = partial(_lines, explanation=explanation, names=names)
    return Picture([panel], COLUMN, _HEIGHT + legend_height(names))


def _lines(ax: Axes, explanation: Explanation, names: Sequence[str]) -> None:
    open_chart(ax, "", "equity (%)")
    streets = [street for street in explanation.streets if street.equities]
    for number, name in enumerate(names):
        equities = [100 * street.equities[number] for street in streets if street.equities]
        ax.plot(
            range(len(streets)),
            equities,
            marker=_MARKERS[number],
            markersize=4,
            linewidth=1.3,
            clip_on=False,
            label=name,
            **line_style(number),
        )
    # Each street has its new cards below its name.
    ticks, known = [], 0
    for street in streets:
        new = with_symbols(cards_in_report(street.board[known:]))
        ticks.append(f"{street.street}\n{new}".strip())
        known = len(street.board)
    ax.set_xticks(range(len(streets)), ticks)
    ax.set_xlim(-0.3, len(streets) - 0.7)
    ax.set_ylim(0, 100)
    legend_above(ax, names)

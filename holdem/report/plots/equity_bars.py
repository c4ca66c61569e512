"""Pictures of players' equities: bars with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from holdem.odds.result import EquityResult, PlayerResult
from holdem.report.equity_report import known_cards
from holdem.report.layout.units import decimals, percent
from holdem.report.plots.figure_style import (
    COLUMN,
    LINE,
    PALE,
    STRONG,
    legend_above,
    legend_height,
    limit_bars,
    name_bars,
    name_text,
    number_bars,
    open_chart,
    with_symbols,
)
from holdem.report.plots.figures import Picture

_PARTS = ("from wins", "from ties")
_NAME_WIDTH = 18


def equity_bars(result: EquityResult) -> Picture:
    """Return the picture of the players' equities: a bar for each player, wins and ties apart.

    The second part of a bar is the equity from ties, so that the whole bar is the equity. Sampled
    equities have their 95 % intervals.
    """
    title = with_symbols(known_cards(result.board, result.dead))
    height = 0.6 + legend_height(_PARTS, title) + 1.6 * LINE * len(result.players)
    return Picture([partial(_bars, players=result.players, title=title)], COLUMN, height)


def _bars(ax: Axes, players: Sequence[PlayerResult], title: str) -> None:
    open_chart(ax, "equity (%)", "", ruled="x")
    places = range(len(players))
    equities = [100 * (player.equity or 0.0) for player in players]
    wins = [100 * (player.win or 0.0) for player in players]
    ties = [equity - win for equity, win in zip(equities, wins, strict=True)]
    ax.barh(places, wins, 0.7, color=STRONG, label=_PARTS[0])
    ax.barh(places, ties, 0.7, left=wins, color=PALE, label=_PARTS[1])
    ends = equities
    if any(player.stderr for player in players):
        bounds = [player.ci95 or (0.0, 0.0) for player in players]
        ends = [100 * high for _, high in bounds]
        lows = [equity - 100 * low for equity, (low, _) in zip(equities, bounds, strict=True)]
        highs = [end - equity for equity, end in zip(equities, ends, strict=True)]
        ax.errorbar(equities, places, xerr=(lows, highs), fmt="none", ecolor="black", elinewidth=1)
    texts = [percent(player.equity, decimals(player.stderr)) for player in players]
    number_bars(ax, ends, places, texts)
    name_bars(ax, places, [name_text(player.range, _NAME_WIDTH) for player in players])
    limit_bars(ax, max(ends))
    legend_above(ax, _PARTS, title)

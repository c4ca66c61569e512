"""Outcomes by the category of the hand at showdown, as stacked bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from holdem.odds.breakdown.category_table import CategoryTable
from holdem.odds.result import EquityResult
from holdem.report.equity_report import known_cards
from holdem.report.plots.figure_style import (
    COLUMN,
    GREY,
    LINE,
    PALE,
    STRONG,
    legend_above,
    legend_height,
    name_bars,
    open_chart,
    player_name,
    with_symbols,
)
from holdem.report.plots.figures import Picture
from holdem.trials.head_to_head.result import Contender, ContestResult

_OUTCOMES = (("wins", STRONG), ("ties", PALE), ("losses", GREY))
_NAMES = [name for name, _ in _OUTCOMES]


def contest_picture(result: ContestResult) -> Picture:
    """Return the picture of a head-to-head: outcomes by category, with a panel for each player."""
    categories = result.categories
    parts = [_contender_parts(player, categories, result.deals) for player in result.players]
    titles = [player_name(number, own.range) for number, own in enumerate(result.players, 1)]
    return _picture(categories, parts, titles)


def category_picture(table: CategoryTable) -> Picture:
    """Return the picture of one player's outcomes by category."""
    return _picture(_table_names(table), [_table_parts(table)], [""])


def result_categories(result: EquityResult) -> Picture:
    """Return the picture of all players' outcomes by category, with a panel for each player."""
    tables = [player.by_category for player in result.players]
    board = with_symbols(known_cards(result.board, result.dead))
    titles = [
        f"{player_name(number, player.range)}\n{board}".strip()
        for number, player in enumerate(result.players, 1)
    ]
    return _picture(_table_names(tables[0]), [_table_parts(table) for table in tables], titles)


def _picture(
    names: Sequence[str], parts: Sequence[NDArray[np.float64]], titles: Sequence[str]
) -> Picture:
    """Return a picture whose panels, one for each player, have the same horizontal axis.

    Args:
        names: the categories, from top to bottom.
        parts: for each player the shares of all deals in per cent, ``float64 (outcome, category)``.
        titles: the title of each player's legend.
    """
    limit = 1.05 * max(float(own.sum(axis=0).max()) for own in parts)
    panels = [
        partial(_stacked, names=names, parts=own, title=title, limit=limit)
        for own, title in zip(parts, titles, strict=True)
    ]
    height = 0.6 + legend_height(_NAMES, titles[0]) + 1.3 * LINE * len(names)
    return Picture(panels, COLUMN, height)


def _contender_parts(
    player: Contender, categories: Sequence[str], deals: int
) -> NDArray[np.float64]:
    by = [player.by_category.get(name) for name in categories]
    counts = np.array(
        [[found.wins, found.ties, found.losses] if found else [0, 0, 0] for found in by]
    )
    return 100 * counts.T / deals


def _table_names(table: CategoryTable) -> list[str]:
    """Return the categories of a table, the strongest first."""
    names: list[str] = table.category[::-1].tolist()
    return names


def _table_parts(table: CategoryTable) -> NDArray[np.float64]:
    # The strongest first; NaN, without deals, becomes 0.
    parts = np.array([table.win, table.tie, table.lose])[:, ::-1] * table.share[::-1]
    return 100 * np.nan_to_num(parts)


def _stacked(
    ax: Axes, names: Sequence[str], parts: NDArray[np.float64], title: str, limit: float
) -> None:
    """Draw a bar for each category, with a part for each of `_OUTCOMES`."""
    open_chart(ax, "share of deals (%)", "", ruled="x")
    places = np.arange(len(names))
    left = np.zeros(len(names))
    for part, (label, colour) in zip(parts, _OUTCOMES, strict=True):
        ax.barh(places, part, 0.7, left=left, color=colour, label=label)
        left += part
    ax.set_xlim(0, limit)
    name_bars(ax, range(len(names)), names)
    legend_above(ax, _NAMES, title)

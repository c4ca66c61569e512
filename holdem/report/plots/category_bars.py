"""Outcomes by the category of the hand at showdown, as stacked bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from holdem.odds.breakdown.category_table import CategoryTable
from holdem.odds.result import EquityResult
from holdem.report.plots.figure_style import (
    COLUMN,
    GREY,
    LINE,
    PALE,
    STRONG,
    legend_above,
    legend_height,
    name_bars,
    name_text,
    open_chart,
)
from holdem.report.plots.figures import Picture
from holdem.trials.head_to_head.result import Contender, ContestResult

_OUTCOMES = (("wins", STRONG), ("ties", PALE), ("losses", GREY))
_NAMES = [name for name, _ in _OUTCOMES]


def contest_picture(result: ContestResult) -> Picture:
    """Return the picture of a head-to-head: outcomes by category, with a panel for each player."""
    categories = result.categories
    panels = [
        partial(_contender_bars, player=player, categories=categories, deals=result.deals)
        for player in result.players
    ]
    return Picture(panels, COLUMN, _height(len(categories)))


def category_picture(table: CategoryTable) -> Picture:
    """Return the picture of one player's outcomes by category."""
    return Picture([partial(_table_bars, table=table)], COLUMN, _height(len(table)))


def result_categories(result: EquityResult) -> Picture:
    """Return the picture of all players' outcomes by category, with a panel for each player."""
    panels = [
        partial(_table_bars, table=player.by_category, title=name_text(player.range))
        for player in result.players
    ]
    return Picture(panels, COLUMN, _height(len(result.players[0].by_category)))


def _height(categories: int) -> float:
    return 0.6 + legend_height(_NAMES, "name") + 1.3 * LINE * categories


def _contender_bars(ax: Axes, player: Contender, categories: Sequence[str], deals: int) -> None:
    by = [player.by_category.get(name) for name in categories]
    counts = np.array(
        [[found.wins, found.ties, found.losses] if found else [0, 0, 0] for found in by]
    )
    _stacked(ax, categories, 100 * counts.T / deals, name_text(player.range))


def _table_bars(ax: Axes, table: CategoryTable, title: str = "") -> None:
    # The strongest first; NaN, without deals, becomes 0.
    parts = np.array([table.win, table.tie, table.lose])[:, ::-1] * table.share[::-1]
    _stacked(ax, table.category[::-1].tolist(), 100 * np.nan_to_num(parts), title)


def _stacked(ax: Axes, names: Sequence[str], parts: ArrayLike, title: str) -> None:
    """Draw a bar for each category, with a part for each of `_OUTCOMES`.

    Args:
        ax: the axes.
        names: the categories, from top to bottom.
        parts: per cent of all deals, ``(outcome, category)``.
        title: the title of the legend.
    """
    open_chart(ax, "share of deals (%)", "", ruled="x")
    places = np.arange(len(names))
    left = np.zeros(len(names))
    for part, (label, colour) in zip(np.asarray(parts), _OUTCOMES, strict=True):
        ax.barh(places, part, 0.7, left=left, color=colour, label=label)
        left += part
    name_bars(ax, range(len(names)), names)
    legend_above(ax, _NAMES, title)

"""The 13×13 grid of starting hands: weights of a range, and equities by class."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from holdem.odds.breakdown.class_table import ClassTable
from holdem.odds.result import EquityResult, PlayerResult
from holdem.ranges.combos import CLASS_NAMES
from holdem.ranges.range import Range
from holdem.report.equity_report import known_cards
from holdem.report.plots.figure_style import COLUMN, SEQUENTIAL, name_text, with_symbols
from holdem.report.plots.figures import Picture
from holdem.report.plots.heat_maps import ColourScale, heat_map

_SIDE = 13
_HEIGHT = COLUMN + 0.65  # the title and the colour bar
_NAMES = [CLASS_NAMES[start : start + _SIDE] for start in range(0, len(CLASS_NAMES), _SIDE)]


def range_picture(hands: Range) -> Picture:
    """Return the picture of a range: the mean weight of each class in the 13×13 grid."""
    return Picture([partial(_weights, hands=hands)], COLUMN, _HEIGHT)


def _weights(ax: Axes, hands: Range) -> None:
    grid = hands.grid
    scale = ColourScale(SEQUENTIAL, 0.0, 1.0, "mean weight of the class (grey: not held)")
    title = f"{name_text(str(hands) or 'no hand', 40)}\n{hands.total:,.6g} combos"
    heat_map(ax, np.where(grid > 0, grid, np.nan), scale, title=title, texts=_NAMES)


def class_picture(table: ClassTable) -> Picture:
    """Return the picture of a player's equities by class."""
    return Picture([partial(_equities, table=table, title="")], COLUMN, _HEIGHT)


def player_picture(player: PlayerResult) -> Picture:
    """Return the same picture with the name of the player's range."""
    title = name_text(player.range, 40)
    return Picture([partial(_equities, table=player.by_class, title=title)], COLUMN, _HEIGHT)


def result_classes(result: EquityResult) -> Picture:
    """Return the picture of all players' equities by class, with a panel for each player."""
    board = with_symbols(known_cards(result.board, result.dead))
    panels = [
        partial(_equities, table=player.by_class, title=f"{name_text(player.range, 40)}\n{board}")
        for player in result.players
    ]
    return Picture(panels, COLUMN, _HEIGHT)


def _equities(ax: Axes, table: ClassTable, title: str) -> None:
    grid = np.full(len(CLASS_NAMES), np.nan)
    grid[table.numbers] = 100 * table.equity
    texts = [
        [f"{CLASS_NAMES[cell]}\n{grid[cell]:.0f}".removesuffix("\nnan") for cell in row]
        for row in np.arange(len(grid)).reshape(_SIDE, _SIDE).tolist()
    ]
    scale = ColourScale(SEQUENTIAL, 0.0, 100.0, "equity (%)")
    heat_map(ax, grid.reshape(_SIDE, _SIDE), scale, title=title.strip(), texts=texts)

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
from holdem.report.plots.figure_style import (
    COLUMN,
    SEQUENTIAL,
    name_text,
    player_name,
    with_symbols,
)
from holdem.report.plots.figures import Picture
from holdem.report.plots.heat_maps import ColourScale, heat_map

_SIDE = 13
_STRIP, _STRIP_HEIGHT, _STRIP_AT = 0.84, 0.09, 0.43  # width, height and centre, in cells
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
        partial(
            _equities, table=player.by_class, title=f"{player_name(number, player.range)}\n{board}"
        )
        for number, player in enumerate(result.players, 1)
    ]
    return Picture(panels, COLUMN, _HEIGHT)


def _equities(ax: Axes, table: ClassTable, title: str) -> None:
    grid = np.full(len(CLASS_NAMES), np.nan)
    grid[table.numbers] = 100 * table.equity
    texts = [
        [f"{CLASS_NAMES[cell]}\n{grid[cell]:.0f}".removesuffix("\nnan") for cell in row]
        for row in np.arange(len(grid)).reshape(_SIDE, _SIDE).tolist()
    ]
    is_partial = table.weight < 1
    label = "equity (%)" + "; bar in a cell: weight below 1" * bool(is_partial.any())
    scale = ColourScale(SEQUENTIAL, 0.0, 100.0, label)
    heat_map(ax, grid.reshape(_SIDE, _SIDE), scale, title=title.strip(), texts=texts)
    rows, columns = np.divmod(table.numbers[is_partial], _SIDE)
    weights = table.weight[is_partial]
    # A strip at the lower edge, with a bar from its left end.
    for widths, colour in ((np.ones(len(weights)), "white"), (weights, "black")):
        ax.barh(
            rows + _STRIP_AT, widths * _STRIP, _STRIP_HEIGHT, columns - _STRIP / 2, color=colour
        )

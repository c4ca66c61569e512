"""Picture of an equity matrix."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from holdem.odds.equity_matrix.matrix import EquityMatrix
from holdem.report.equity_report import known_cards
from holdem.report.plots.figure_style import COLUMN, DIVERGING, TWO_COLUMNS, name_text, with_symbols
from holdem.report.plots.figures import Picture
from holdem.report.plots.heat_maps import ColourScale, heat_map

_NUMBERED = 13  # rows and columns, at most, with the equity in each cell
_CELL = 0.22  # inches
_ROOM = 0.6, 1.15  # for names beside, and for the title, names above and the colour bar
_LEAST_HEIGHT = 0.25


def matrix_picture(matrix: EquityMatrix) -> Picture:
    """Return the picture of an equity matrix: the rows' equities, red below and blue above 50 %.

    Matrices of up to 13 rows and columns have the equity in per cent in each cell.
    """
    rows, columns = matrix.equity.shape
    width = min(max(COLUMN, columns * _CELL + _ROOM[0]), TWO_COLUMNS)
    cell = (width - _ROOM[0]) / columns
    height = min(max(rows * cell, _LEAST_HEIGHT) + _ROOM[1], 1.3 * TWO_COLUMNS)
    return Picture([partial(_equities, matrix=matrix)], width, height)


def _equities(ax: Axes, matrix: EquityMatrix) -> None:
    equities = 100 * matrix.equity
    texts = [
        ["" if np.isnan(value) else f"{value:.0f}" for value in row]
        for row in (equities if max(equities.shape) <= _NUMBERED else ())
    ]
    scale = ColourScale(DIVERGING, 0.0, 100.0, "equity of the rows (%)")
    heat_map(
        ax,
        equities,
        scale,
        title=with_symbols(known_cards(matrix.board, matrix.dead)),
        texts=texts,
        row_names=[name_text(name) for name in matrix.rows],
        column_names=[name_text(name) for name in matrix.columns],
        square=False,
    )
    is_narrow = matrix.by == "combo" or len(matrix.columns) > _NUMBERED
    rotation = 90 if is_narrow else 0
    ax.tick_params(axis="x", labelrotation=rotation, labeltop=True, labelbottom=False)

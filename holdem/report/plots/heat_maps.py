"""Heat maps: cells coloured by value, with text in them."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize, to_hex
from matplotlib.layout_engine import ConstrainedLayoutEngine
from numpy.typing import NDArray

from holdem.report.layout.colours import ink_on
from holdem.report.plots.figure_style import EMPTY, EMPTY_INK, TEXT_SIZE, label_axes

_MOST_SEPARATE = 40  # rows or columns with gaps between them; more are drawn as pixels
_BAR = 0.09  # inches, height of the colour bar
_ROOM = 0.25  # inches between a map and its colour bar, for the names of columns
_CAPITAL, _LINE_STEP = 0.73 * TEXT_SIZE, 1.02 * TEXT_SIZE  # points: a capital, line to line
_MOST_NAMES = 20  # of rows or columns


@attrs.frozen
class ColourScale:
    """The colours of a heat map and what they mean."""

    colours: LinearSegmentedColormap
    low: float
    high: float
    label: str
    """The label of the colour bar, with its unit."""


def heat_map(
    ax: Axes,
    values: NDArray[np.float64],
    scale: ColourScale,
    *,
    title: str = "",
    texts: Sequence[Sequence[str]] = (),
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    square: bool = True,
) -> None:
    """Draw a heat map with a colour bar below it.

    Args:
        ax: the axes.
        values: ``float64 (row, column)``; the first row is drawn on top. NaN is an empty cell.
        scale: the colours.
        title: the title.
        texts: text for each cell, by row; none if empty.
        row_names: names of the rows, evenly spaced if there are too many for all of them.
        column_names: names of the columns, likewise.
        square: draw square cells; otherwise the map fills the axes.
    """
    rows, columns = values.shape
    has_gaps = max(rows, columns) <= _MOST_SEPARATE
    mesh = ax.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        np.ma.masked_invalid(values),
        cmap=scale.colours,
        norm=Normalize(scale.low, scale.high),
        edgecolors="white" if has_gaps else "none",
        linewidth=0.5 if has_gaps else 0,
        rasterized=not has_gaps,
    )
    ax.set_facecolor(EMPTY)
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(rows - 0.5, -0.5)
    ax.set_aspect("equal" if square else "auto")
    label_axes(ax, title=title)
    ax.tick_params(length=0)
    for axis, names in ((ax.yaxis, row_names), (ax.xaxis, column_names)):
        places = range(0, len(names), -(-len(names) // _MOST_NAMES) or 1)
        axis.set_ticks(places, [names[place] for place in places])
    for spine in ax.spines.values():
        spine.set_visible(False)
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            value = values[row, column]
            ink = EMPTY_INK if np.isnan(value) else ink_on(to_hex(mesh.to_rgba(value)))
            _write(ax, column, row, text, ink)
    _colour_bar(ax, mesh, scale.label)


def _write(ax: Axes, column: int, row: int, text: str, ink: str) -> None:
    """Write lines of text in a cell.

    Each is placed by its baseline: the box of a text with a letter below it, such as J, is higher.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        height = ((len(lines) - 1) / 2 - number) * _LINE_STEP - _CAPITAL / 2
        ax.annotate(
            line,
            (column, row),
            xytext=(0, height),
            textcoords="offset points",
            color=ink,
            fontsize=TEXT_SIZE,
            ha="center",
            va="baseline",
        )


def _colour_bar(ax: Axes, mesh: object, label: str) -> None:
    """Add a colour bar of fixed height below axes."""
    # Constrained layout keeps the names of columns free; without it the bar leaves room for them.
    is_fitted = isinstance(ax.figure.get_layout_engine(), ConstrainedLayoutEngine)
    width, height = ax.get_position().size * ax.figure.get_size_inches()
    bar = ax.figure.colorbar(
        mesh,
        ax=ax,
        location="bottom",
        fraction=min(_BAR / height, 0.3),
        pad=0.03 if is_fitted else _ROOM / height,
        aspect=width / _BAR,
    )
    label_axes(bar.ax, x=label)
    bar.outline.set_visible(False)

"""Heat maps of ranges, equities by class, next card or runout, matrices, and buckets of hands.

Cells are coloured by value, with text in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, Normalize, to_hex
from matplotlib.layout_engine import ConstrainedLayoutEngine
from numpy.typing import NDArray

from holdem.cards import RANKS, SYMBOLS
from holdem.errors import HoldemValueError
from holdem.odds.breakdown import ClassTable, NextCardTable, RunoutTable
from holdem.odds.equity_matrix import EquityMatrix, put_highest_ranks_first
from holdem.odds.result import PlayerResult
from holdem.ranges.combos import CLASS_NAMES, COMBO_CARDS
from holdem.ranges.range import Range
from holdem.report.colours import ink_on
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart

_MOST_SEPARATE = 40  # rows or columns with gaps between them; more are drawn as pixels
_BAR_HEIGHT = 0.09  # inches, height of the colour bar
_BAR_ROOM = 0.25  # inches between a map and its colour bar, for the names of columns
_CAPITAL = 0.73 * figures.TEXT_SIZE  # points
_LINE_STEP = 1.02 * figures.TEXT_SIZE  # points, from line to line
_MOST_NAMES = 20  # of rows or columns

# The grid of starting hands
_SIDE = 13
_STRIP, _STRIP_HEIGHT, _STRIP_AT = 0.84, 0.09, 0.43  # width, height and centre, in cells
GRID_HEIGHT = figures.COLUMN + 0.65  # the title and the colour bar
_GRID_NAMES = [CLASS_NAMES[start : start + _SIDE] for start in range(0, len(CLASS_NAMES), _SIDE)]

# Next cards
_CARDS_HEIGHT = 1.95
_LEAST_REACH = 10.0  # least change in percentage points that has the strongest colour

# A matrix
_MOST_NUMBERED = 13  # rows and columns, at most, with the equity in each cell
_MATRIX_CELL = 0.22  # inches
_MATRIX_ROOM = 0.6, 1.15  # for names beside, and for the title, names above and the colour bar
_LEAST_MATRIX = 0.25


def heat_map(
    ax: Axes,
    values: NDArray[np.float64],
    label: str,
    limits: tuple[float, float] = (0.0, 100.0),
    colours: Colormap = figures.DIVERGING,
    *,
    title: str = "",
    texts: Sequence[Sequence[str]] = (),
    row_names: Sequence[str] = (),
    column_names: Sequence[str] = (),
    square: bool = True,
) -> None:
    """Draw a heat map with a colour bar below it, whose label has the unit.

    `values` are ``(row, column)``, the first row on top; NaN is an empty cell. `limits` have the
    first and the last colour. `texts` has a list for each row, or is empty. Of more than 20 names
    of rows or columns, only some are shown. Unless `square`, the map fills the axes.
    """
    rows, columns = values.shape
    has_gaps = max(rows, columns) <= _MOST_SEPARATE
    mesh = ax.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        np.ma.masked_invalid(values),
        cmap=colours,
        norm=Normalize(*limits),
        edgecolors="white" if has_gaps else "none",
        linewidth=0.5 if has_gaps else 0,
        rasterized=not has_gaps,
    )
    ax.set_facecolor(figures.EMPTY)
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(rows - 0.5, -0.5)
    ax.set_aspect("equal" if square else "auto")
    figures.label_axes(ax, title=title)
    ax.tick_params(length=0)
    for axis, names in ((ax.yaxis, row_names), (ax.xaxis, column_names)):
        places = range(0, len(names), -(-len(names) // _MOST_NAMES) or 1)
        axis.set_ticks(places, [names[place] for place in places])
    for spine in ax.spines.values():
        spine.set_visible(False)
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            value = values[row, column]
            ink = figures.EMPTY_INK if np.isnan(value) else ink_on(to_hex(mesh.to_rgba(value)))
            _write(ax, column, row, text, ink)
    _colour_bar(ax, mesh, label)


def _write(ax: Axes, column: int, row: int, text: str, ink: str) -> None:
    """Write text, which may have several lines, into a cell in the colour `ink`.

    Each line is placed by its baseline, because its box is higher if a letter, such as J, reaches
    below the baseline.
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
            fontsize=figures.TEXT_SIZE,
            ha="center",
            va="baseline",
        )


def _colour_bar(ax: Axes, mesh: object, label: str) -> None:
    """Add a colour bar of fixed height for the drawn cells, `mesh`, below the axes."""
    # Constrained layout keeps the names of columns free; without it the bar leaves room for them.
    is_fitted = isinstance(ax.figure.get_layout_engine(), ConstrainedLayoutEngine)
    width, height = ax.get_position().size * ax.figure.get_size_inches()
    bar = ax.figure.colorbar(
        mesh,
        ax=ax,
        location="bottom",
        fraction=min(_BAR_HEIGHT / height, 0.3),
        pad=0.03 if is_fitted else _BAR_ROOM / height,
        aspect=width / _BAR_HEIGHT,
    )
    figures.label_axes(bar.ax, x=label)
    bar.outline.set_visible(False)


def range_chart(hands: Range) -> Chart:
    """Build the chart of a range: the mean weight of each class in the 13×13 grid."""
    return Chart([partial(_draw_weights, hands=hands)], GRID_HEIGHT)


def _draw_weights(ax: Axes, hands: Range) -> None:
    grid = hands.grid
    weights, label = np.where(grid > 0, grid, np.nan), "mean weight of the class (grey: not held)"
    title = f"{figures.name_text(str(hands) or 'no hand', 40)}\n{hands.total:,.6g} combos"
    heat_map(ax, weights, label, (0.0, 1.0), figures.SEQUENTIAL, title=title, texts=_GRID_NAMES)


def class_chart(*tables: ClassTable, titles: Sequence[str] = ("",)) -> Chart:
    """Build the chart of equities by class of starting hands, with a panel for each table."""
    panels = [
        partial(_draw_classes, table=table, title=title)
        for table, title in zip(tables, titles, strict=True)
    ]
    return Chart(panels, GRID_HEIGHT)


def player_chart(player: PlayerResult) -> Chart:
    """Build the chart of a player's equities by class of starting hands, titled with the range."""
    return class_chart(player.by_class, titles=[figures.range_name(player, 40)])


def _draw_classes(ax: Axes, table: ClassTable, title: str) -> None:
    equities = np.full(len(CLASS_NAMES), np.nan)
    equities[table.numbers] = 100 * table.equity
    grid = equities.reshape(_SIDE, _SIDE)
    is_partial = table.weight < 1
    label = "equity (%)" + "; bar in a cell: weight below 1" * bool(is_partial.any())
    heat_map(ax, grid, label, title=title, texts=label_classes(grid))
    rows, columns = np.divmod(table.numbers[is_partial], _SIDE)
    weights = table.weight[is_partial]
    # A strip at the lower edge, with a bar from its left end.
    for widths, colour in ((np.ones(len(weights)), "white"), (weights, "black")):
        ax.barh(
            rows + _STRIP_AT, widths * _STRIP, _STRIP_HEIGHT, columns - _STRIP / 2, color=colour
        )


def label_classes(grid: NDArray[np.float64]) -> list[list[str]]:
    """Format each cell's text, ``(13, 13)``: a class, and its value below unless that is NaN."""
    return [
        [f"{name}\n{value:.0f}".removesuffix("\nnan") for name, value in zip(*row, strict=True)]
        for row in zip(_GRID_NAMES, grid.tolist(), strict=True)
    ]


def next_card_chart(table: NextCardTable, titles: Sequence[str] = ()) -> Chart:
    """Build the chart of the equities after each next card, with a panel for each player.

    All panels have the same colour scale. Without titles, players are numbered.
    """
    reach = max(100 * float(np.abs(table.equity - table.now).max()), _LEAST_REACH)
    panels = figures.player_panels(partial(_draw_next_cards, reach=reach), table, titles)
    return Chart(panels, _CARDS_HEIGHT)


def _draw_next_cards(ax: Axes, table: NextCardTable, player: int, title: str, reach: float) -> None:
    """Draw one player's equities after each next card, coloured by the change of the equity.

    `reach` is the change in percentage points that has the strongest colour.
    """
    equities = 100 * table.equity[:, player]
    now = 100 * float(table.now[player])
    changes = np.full((len(SYMBOLS), len(RANKS)), np.nan)
    # Spades on top, aces on the left.
    changes[3 - table.cards % 4, 12 - table.cards // 4] = equities - now
    label = f"equity (%), coloured by change from {now:.1f} %"
    texts = [[f"{now + cell:.0f}" if cell == cell else "" for cell in row] for row in changes]
    heat_map(
        ax,
        changes,
        label,
        (-reach, reach),
        title=title,
        texts=texts,
        row_names=SYMBOLS[::-1],
        column_names=RANKS[::-1],
    )


def runout_chart(table: RunoutTable, titles: Sequence[str] = ()) -> Chart:
    """Build the chart of the equities after each turn and river, with a panel for each player.

    Without titles, players are numbered.
    """
    if not len(table):
        raise HoldemValueError("there is no runout to draw")
    return Chart(figures.player_panels(_draw_runouts, table, titles), GRID_HEIGHT)


def _draw_runouts(ax: Axes, table: RunoutTable, player: int, title: str) -> None:
    """Draw one player's equities, with turns as rows and rivers as columns, aces first."""
    cards = np.unique(COMBO_CARDS[table.numbers])[::-1]
    names = [f"{RANKS[card // 4]}{SYMBOLS[card % 4]}" for card in cards.tolist()]
    label = "equity (%) by turn (rows) and river (columns)"
    equities = 100 * table.matrix[np.ix_(cards, cards)][..., player]
    heat_map(ax, equities, label, title=title, row_names=names, column_names=names)
    ax.tick_params(axis="x", labelrotation=90)


def matrix_chart(matrix: EquityMatrix) -> Chart:
    """Build the chart of an equity matrix, with a cell for each row's equity against each column.

    Matrices of up to 13 rows and columns have the equity in per cent in each cell.
    """
    rows, columns = matrix.equity.shape
    width = min(max(figures.COLUMN, columns * _MATRIX_CELL + _MATRIX_ROOM[0]), figures.TWO_COLUMNS)
    cell = (width - _MATRIX_ROOM[0]) / columns
    height = min(max(rows * cell, _LEAST_MATRIX) + _MATRIX_ROOM[1], 1.3 * figures.TWO_COLUMNS)
    return Chart([partial(_draw_matrix, matrix=matrix)], height, width)


def _draw_matrix(ax: Axes, matrix: EquityMatrix) -> None:
    rows, columns, entries = put_highest_ranks_first(matrix)
    equities = 100 * entries
    texts = [
        ["" if np.isnan(value) else f"{value:.0f}" for value in row]
        for row in (equities if max(equities.shape) <= _MOST_NUMBERED else ())
    ]
    heat_map(
        ax,
        equities,
        "equity of the rows (%)",
        title=figures.name_cards(matrix.board, matrix.dead),
        texts=texts,
        row_names=[figures.name_text(name) for name in rows],
        column_names=[figures.name_text(name) for name in columns],
        square=False,
    )
    is_narrow = matrix.by == "combo" or len(columns) > _MOST_NUMBERED
    rotation = 90 if is_narrow else 0
    ax.tick_params(axis="x", labelrotation=rotation, labeltop=True, labelbottom=False)

"""The next card: a player's equity after each card that can come, as a grid of 4 × 13."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from holdem.cards import RANKS, SYMBOLS
from holdem.odds.breakdown.next_card_table import NextCardTable
from holdem.report.plots.figure_style import COLUMN, DIVERGING
from holdem.report.plots.figures import Picture
from holdem.report.plots.heat_maps import ColourScale, heat_map

_HEIGHT = 1.85


def next_card_picture(table: NextCardTable) -> Picture:
    """Return the picture of the equities after each next card, with a panel for each player."""
    panels = [
        partial(_grid, table=table, player=player, title=f"player {player + 1}")
        for player in range(table.equity.shape[1])
    ]
    return Picture(panels, COLUMN, _HEIGHT)


def _grid(ax: Axes, table: NextCardTable, player: int, title: str) -> None:
    """Draw one player's equities, coloured by the difference from the equity now."""
    equities = 100 * table.equity[:, player]
    now = float(np.average(equities, weights=table.deals))
    reach = max(float(np.abs(equities - now).max()), 0.5)
    grid = np.full((len(SYMBOLS), len(RANKS)), np.nan)
    suits, ranks = table.cards % 4, table.cards // 4
    grid[3 - suits, 12 - ranks] = equities  # spades on top, aces on the left
    heat_map(
        ax,
        grid,
        ColourScale(DIVERGING, now - reach, now + reach, f"equity (%), now {now:.1f}"),
        title=title,
        texts=[["" if np.isnan(cell) else f"{cell:.0f}" for cell in row] for row in grid],
        row_names=SYMBOLS[::-1],
        column_names=RANKS[::-1],
    )

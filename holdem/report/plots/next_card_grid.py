"""Equities by next card, as a grid of four suits and 13 ranks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from holdem.cards import RANKS, SYMBOLS
from holdem.odds.breakdown.next_card_table import NextCardTable
from holdem.odds.result import EquityResult
from holdem.report.equity_report import known_cards
from holdem.report.plots.figure_style import COLUMN, DIVERGING, player_name, with_symbols
from holdem.report.plots.figures import Picture
from holdem.report.plots.heat_maps import ColourScale, heat_map

_HEIGHT = 1.95
_LEAST_REACH = 0.5  # least change in percentage points that has the strongest colour


def next_card_picture(table: NextCardTable) -> Picture:
    """Return the picture of the equities after each next card, with a panel for each player."""
    return _picture(table, [f"player {player + 1}" for player in range(table.equity.shape[1])])


def result_next_cards(result: EquityResult) -> Picture:
    """Return the same picture for a result, with the players' names and the board."""
    board = with_symbols(known_cards(result.board, result.dead))
    titles = [
        f"{player_name(number, player.range)}\n{board}"
        for number, player in enumerate(result.players, 1)
    ]
    return _picture(result.by_next_card, titles)


def _picture(table: NextCardTable, titles: Sequence[str]) -> Picture:
    """Return a picture whose panels, one for each player, have the same colours."""
    reach = max(100 * float(np.abs(table.equity - table.now).max()), _LEAST_REACH)
    panels = [
        partial(_grid, table=table, player=player, title=title, reach=reach)
        for player, title in enumerate(titles)
    ]
    return Picture(panels, COLUMN, _HEIGHT)


def _grid(ax: Axes, table: NextCardTable, player: int, title: str, reach: float) -> None:
    """Draw one player's equities, coloured by the change from the equity now, up to `reach`."""
    equities = 100 * table.equity[:, player]
    now = 100 * float(table.now[player])
    changes = np.full((len(SYMBOLS), len(RANKS)), np.nan)
    # Spades on top, aces on the left.
    changes[3 - table.cards % 4, 12 - table.cards // 4] = equities - now
    label = f"cells: equity (%); colours: change from {now:.1f} % (points)"
    texts = [[f"{now + cell:.0f}" if cell == cell else "" for cell in row] for row in changes]
    heat_map(
        ax,
        changes,
        ColourScale(DIVERGING, -reach, reach, label),
        title=title,
        texts=texts,
        row_names=SYMBOLS[::-1],
        column_names=RANKS[::-1],
    )

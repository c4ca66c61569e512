"""Charts of buckets of hands."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from holdem.abstraction.buckets import CardAbstraction
from holdem.cards import Card, CardsLike, cards_text, parse_cards
from holdem.report.plots.figures import (
    COLUMN,
    SEQUENTIAL,
    Chart,
    label_axes,
    name_text,
    with_symbols,
)
from holdem.report.plots.heat_maps import GRID_HEIGHT, GRID_NAMES, ColourScale, heat_map

_HEIGHT, _ROW, _MOST_HEIGHT = 2.2, 0.025, 8.0  # inches: of the axes and of a row


def abstraction_chart(abstraction: CardAbstraction, board: CardsLike | None = None) -> Chart:
    """Build the chart of the buckets or, on a board, of each class's mean bucket number.

    Buckets are shown by their mean histograms, a row each, or by their equities if they have no
    histograms.
    """
    if board is not None:
        grid, cards = abstraction.grid(board), parse_cards(board)
        draw = partial(_draw_grid, abstraction=abstraction, grid=grid, cards=cards)
        return Chart([draw], COLUMN, GRID_HEIGHT)
    count = len(abstraction.sizes)
    height = _HEIGHT + (_ROW * count if abstraction.histogram is not None else 0)
    return Chart([partial(_draw, abstraction=abstraction)], COLUMN, min(height, _MOST_HEIGHT))


def _draw_grid(
    ax: Axes, abstraction: CardAbstraction, grid: NDArray[np.float64], cards: tuple[Card, ...]
) -> None:
    texts = [
        [f"{name}\n{value:.0f}".removesuffix("\nnan") for name, value in zip(*row, strict=True)]
        for row in zip(GRID_NAMES, grid.tolist(), strict=True)
    ]
    scale = ColourScale(SEQUENTIAL, 0.0, len(abstraction.sizes) - 1.0, "mean bucket of the class")
    title = f"{len(abstraction.sizes):,} buckets by {abstraction.by}\n"
    title += with_symbols(cards_text(cards, " "))
    heat_map(ax, grid, scale, title=title, texts=texts)


def _draw(ax: Axes, abstraction: CardAbstraction) -> None:
    count = len(abstraction.sizes)
    title = (
        f"{count:,} buckets of the {abstraction.street} by {abstraction.by}\n"
        f"against {name_text(abstraction.opponent, 30)}"
    )
    if abstraction.histogram is None:
        ax.plot(np.arange(count), 100 * abstraction.equity, drawstyle="steps-mid")
        label_axes(ax, title=title, x="bucket", y="mean equity (%)")
        return
    shares = 100 * abstraction.histogram.astype(np.float64)
    bins = shares.shape[1]
    heat_map(
        ax,
        shares,
        # A few buckets, such as the nuts, are in one bin; they would leave the others pale.
        ColourScale(SEQUENTIAL, 0.0, float(np.quantile(shares, 0.995)), "complete boards (%)"),
        title=title,
        row_names=[str(bucket) for bucket in range(count)],
        column_names=[f"{100 * number / bins:.0f}" for number in range(bins)],
        square=False,
    )
    label_axes(ax, title=title, x="equity on the river (%)", y="bucket")

"""Chart of a card abstraction: histograms of its buckets, or a grid of them on a board."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from holdem.cards import Card, CardsLike, cards_text, parse_cards
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart
from holdem.report.plots.heat_maps import GRID_HEIGHT, heat_map, label_classes

if TYPE_CHECKING:
    from holdem_abstraction.buckets import CardAbstraction

_BUCKETS_HEIGHT, _BUCKET_ROW, _MOST_HEIGHT = 2.2, 0.025, 8.0  # inches: of the axes and of a row


def abstraction_chart(abstraction: CardAbstraction, board: CardsLike | None = None) -> Chart:
    """Build the chart of a card abstraction, which groups similar hands in buckets.

    Without a board, each bucket is a row with its mean histogram of equities; if the buckets have
    no histograms, the chart is a curve of their mean equities. With a board, the chart shows the
    mean bucket number of each class of starting hands on it.
    """
    if board is not None:
        grid, cards = abstraction.grid(board), parse_cards(board)
        draw = partial(_draw_mean_buckets, abstraction=abstraction, grid=grid, cards=cards)
        return Chart([draw], GRID_HEIGHT)
    count = len(abstraction.sizes)
    height = _BUCKETS_HEIGHT + (_BUCKET_ROW * count if abstraction.histogram is not None else 0)
    return Chart([partial(_draw_buckets, abstraction=abstraction)], min(height, _MOST_HEIGHT))


def _draw_mean_buckets(
    ax: Axes, abstraction: CardAbstraction, grid: NDArray[np.float64], cards: tuple[Card, ...]
) -> None:
    count, label = len(abstraction.sizes), "mean bucket of the class"
    title = f"{count:,} buckets by {abstraction.by}\n"
    title += figures.with_symbols(cards_text(cards, " "))
    texts = label_classes(grid)
    heat_map(ax, grid, label, (0.0, count - 1.0), figures.SEQUENTIAL, title=title, texts=texts)


def _draw_buckets(ax: Axes, abstraction: CardAbstraction) -> None:
    count = len(abstraction.sizes)
    title = (
        f"{count:,} buckets of the {abstraction.street} by {abstraction.by}\n"
        f"against {figures.name_text(abstraction.opponent, 30)}"
    )
    if abstraction.histogram is None:
        ax.plot(np.arange(count), 100 * abstraction.equity, drawstyle="steps-mid")
        figures.label_axes(ax, title=title, x="bucket", y="mean equity (%)")
        return
    shares = 100 * abstraction.histogram.astype(np.float64)
    bins = shares.shape[1]
    heat_map(
        ax,
        shares,
        "complete boards (%)",
        # A few buckets, such as the nuts, are in one bin; they would leave the others pale.
        (0.0, float(np.quantile(shares, 0.995))),
        figures.SEQUENTIAL,
        title=title,
        row_names=[str(bucket) for bucket in range(count)],
        column_names=[f"{100 * number / bins:.0f}" for number in range(bins)],
        square=False,
    )
    figures.label_axes(ax, title=title, x="equity on the river (%)", y="bucket")

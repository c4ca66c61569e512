"""Speeds of evaluators: hands per second by batch size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from holdem.evaluation.conformance.bench import BATCHES, ORDERS, SIZES, Order, Speed
from holdem.report.layout.units import count
from holdem.report.plots.figure_style import (
    COLUMN,
    LINE,
    legend_above,
    legend_height,
    line_style,
    name_bars,
    name_text,
    open_chart,
)
from holdem.report.plots.figures import Picture

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
_MARKERS = "osD^"


def speed_picture(speeds: Sequence[Speed]) -> Picture:
    """Return the picture of a benchmark: a panel for each hand size and order of hands.

    A row is an evaluator, the fastest on top; a marker is the speed with one batch size.
    """
    measured = [speed for speed in speeds if speed.figures]
    panels = [
        partial(_dots, speeds=measured, cards=size, order=order)
        for order in ORDERS
        for size in SIZES
    ]
    height = 0.65 + legend_height(_labels(), "title") + 1.2 * LINE * len(measured)
    return Picture(panels, COLUMN, height)


def _short(value: float, _: object) -> str:
    """Return a power of ten as text, such as ``"100 M"``; exponents would be too small to read."""
    size, prefix = next((each for each in _PREFIXES if value >= each[0]), (1.0, ""))
    return f"{value / size:g} {prefix}".strip()


def _labels() -> list[str]:
    return [count(batch) for batch in BATCHES]


def _dots(ax: Axes, speeds: Sequence[Speed], cards: int, order: Order) -> None:
    open_chart(ax, "hands per second", "", ruled="both")
    ranked = sorted(speeds, key=lambda speed: speed.rank(cards, order), reverse=True)
    ax.set_xscale("log")
    for number, (batch, label) in enumerate(zip(BATCHES, _labels(), strict=True)):
        found = [(speed.at(cards, order, batch), row) for row, speed in enumerate(ranked)]
        points = [(value, row) for value, row in found if value is not None]
        colour = line_style(number)["color"]
        ax.plot(
            [value for value, _ in points],
            [row for _, row in points],
            linestyle="none",
            marker=_MARKERS[number],
            markersize=4,
            color=colour,
            label=label,
        )
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0,), numticks=6))
    ax.xaxis.set_major_formatter(FuncFormatter(_short))
    ax.xaxis.set_minor_formatter(NullFormatter())
    name_bars(ax, range(len(ranked)), [name_text(speed.evaluator.name, 18) for speed in ranked])
    legend_above(ax, _labels(), f"{cards} cards {order}; hands in a call:")

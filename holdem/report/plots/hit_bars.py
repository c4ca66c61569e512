"""Made hands and draws of a range, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from holdem.odds.hits.hits import Hits
from holdem.report.equity_report import known_cards
from holdem.report.layout.units import percent
from holdem.report.plots.figure_style import (
    COLUMN,
    LINE,
    PALE,
    STRONG,
    legend_above,
    legend_height,
    limit_bars,
    name_bars,
    name_text,
    number_bars,
    open_chart,
    with_symbols,
)
from holdem.report.plots.figures import Picture

_DIGITS = 1
_NAME_WIDTH = 28


def hits_picture(result: Hits) -> Picture:
    """Return the picture of a range's made hands and draws, as shares of its combos.

    Those that no combo has are left out. Before the flop, where there are none, it shows the
    categories at the river.
    """
    groups = [
        (label, colour, {name: group.share for name, group in found.items() if group.share})
        for label, colour, found in (
            ("made hands", STRONG, result.made),
            ("draws", PALE, result.draws),
        )
    ]
    if not result.made:
        groups = [("at the river", STRONG, result.by_river)]
    groups = [group for group in groups if group[2]]
    known = with_symbols(known_cards(result.board, result.dead))
    title = "\n".join(filter(None, (name_text(result.range, _NAME_WIDTH), known)))
    bars = sum(len(shares) for *_, shares in groups) + len(groups) - 1
    height = 0.6 + legend_height([name for name, *_ in groups], title) + 1.15 * LINE * bars
    return Picture([partial(_bars, groups=groups, title=title)], COLUMN, height)


def _bars(ax: Axes, groups: Sequence[tuple[str, str, dict[str, float]]], title: str) -> None:
    open_chart(ax, "share of the range (%)", "", ruled="x")
    names: dict[int, str] = {}
    first = 0
    for label, colour, shares in groups:
        places = range(first, first + len(shares))
        values = [100 * share for share in shares.values()]
        ax.barh(places, values, 0.75, color=colour, label=label)
        number_bars(ax, values, places, [percent(share, _DIGITS) for share in shares.values()])
        names |= dict(zip(places, shares, strict=True))
        first = places.stop + 1  # a gap between groups
    name_bars(ax, list(names), list(names.values()))
    limit_bars(ax, 100 * max(share for *_, shares in groups for share in shares.values()))
    legend_above(ax, [label for label, *_ in groups], title)

"""Bar charts: players' equities, outcomes by category, and what a range hits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from holdem.odds.breakdown import CategoryTable
from holdem.odds.hits import Hits
from holdem.odds.result import EquityResult, PlayerResult
from holdem.report.cells import estimate, percent
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart
from holdem.trials.contest_result import Contender, ContestResult

_PARTS = ("from wins", "from ties")
_OUTCOMES = (("wins", figures.STRONG), ("ties", figures.PALE), ("losses", figures.GREY))
_OUTCOME_NAMES = [name for name, _ in _OUTCOMES]
_PLAYER_WIDTH, _RANGE_WIDTH = 18, 28  # characters of a name


def equity_bars(result: EquityResult) -> Chart:
    """Build the chart of the players' equities, with one bar per player split into wins and ties.

    The second part of a bar is the equity from ties, so that the full bar is the equity. Sampled
    equities have their 95 % intervals.
    """
    title = figures.name_cards(result.board, result.dead)
    height = 0.6 + figures.legend_height(_PARTS, title) + 1.6 * figures.LINE * len(result.players)
    return Chart([partial(_draw_equities, players=result.players, title=title)], height)


def _draw_equities(ax: Axes, players: Sequence[PlayerResult], title: str) -> None:
    figures.open_chart(ax, "equity (%)", "", ruled="x")
    places = range(len(players))
    equities = [100 * (player.equity or 0.0) for player in players]
    wins = [100 * (player.win or 0.0) for player in players]
    ties = [equity - win for equity, win in zip(equities, wins, strict=True)]
    ax.barh(places, wins, 0.7, color=figures.STRONG, label=_PARTS[0])
    ax.barh(places, ties, 0.7, left=wins, color=figures.PALE, label=_PARTS[1])
    ends = equities
    if any(player.stderr for player in players):
        bounds = [player.ci95 or (0.0, 0.0) for player in players]
        ends = [100 * high for _, high in bounds]
        lows = [equity - 100 * low for equity, (low, _) in zip(equities, bounds, strict=True)]
        highs = [end - equity for equity, end in zip(equities, ends, strict=True)]
        ax.errorbar(equities, places, xerr=(lows, highs), fmt="none", ecolor="black", elinewidth=1)
    texts = [estimate(player.equity, player.stderr) for player in players]
    figures.number_bars(ax, ends, places, texts)
    figures.name_bars(ax, places, [figures.range_name(player, _PLAYER_WIDTH) for player in players])
    figures.limit_bars(ax, max(ends))
    figures.legend_above(ax, _PARTS, title)


def contest_chart(result: ContestResult) -> Chart:
    """Build the chart of a head-to-head: outcomes by category, with a panel for each player."""
    categories = result.categories
    parts = [_contender_parts(player, categories, result.deals) for player in result.players]
    pairs = zip(result.labels, result.players, strict=True)
    titles = [figures.player_name(label, player.range) for label, player in pairs]
    return _outcomes_chart(categories, parts, titles)


def category_chart(*tables: CategoryTable, titles: Sequence[str] = ("",)) -> Chart:
    """Build the chart of players' outcomes by category, with a panel for each table."""
    names: list[str] = tables[0].category[::-1].tolist()  # strongest first
    return _outcomes_chart(names, [_table_parts(table) for table in tables], titles)


def _outcomes_chart(
    names: Sequence[str], parts: Sequence[NDArray[np.float64]], titles: Sequence[str]
) -> Chart:
    """Build a chart of outcomes, with a panel for each player and equal horizontal axes.

    Args:
        names: the categories, from top to bottom.
        parts: for each player the shares of all deals in per cent, ``float64 (outcome, category)``.
        titles: the title of each player's legend.
    """
    limit = 1.05 * max(float(own.sum(axis=0).max()) for own in parts)
    panels = [
        partial(_draw_outcomes, names=names, parts=own, title=title, limit=limit)
        for own, title in zip(parts, titles, strict=True)
    ]
    height = (
        0.6 + figures.legend_height(_OUTCOME_NAMES, titles[0]) + 1.3 * figures.LINE * len(names)
    )
    return Chart(panels, height)


def _contender_parts(
    player: Contender, categories: Sequence[str], deals: int
) -> NDArray[np.float64]:
    by = [player.by_category.get(name) for name in categories]
    counts = np.array(
        [[found.wins, found.ties, found.losses] if found else [0, 0, 0] for found in by]
    )
    return 100 * counts.T / deals


def _table_parts(table: CategoryTable) -> NDArray[np.float64]:
    # The strongest first; NaN, without deals, becomes 0.
    parts = np.array([table.win, table.tie, table.lose])[:, ::-1] * table.share[::-1]
    return 100 * np.nan_to_num(parts)


def _draw_outcomes(
    ax: Axes, names: Sequence[str], parts: NDArray[np.float64], title: str, limit: float
) -> None:
    """Draw a bar for each category, split into the `_OUTCOMES`."""
    figures.open_chart(ax, "share of deals (%)", "", ruled="x")
    places = np.arange(len(names))
    left = np.zeros(len(names))
    for part, (label, colour) in zip(parts, _OUTCOMES, strict=True):
        ax.barh(places, part, 0.7, left=left, color=colour, label=label)
        left += part
    ax.set_xlim(0, limit)
    figures.name_bars(ax, range(len(names)), names)
    figures.legend_above(ax, _OUTCOME_NAMES, title)


def hits_chart(result: Hits) -> Chart:
    """Build the chart of a range's made hands and draws, as shares of the range's combos.

    Those that no combo has are left out. Before the flop, where there are none, it shows the
    categories at the river.
    """
    groups = [
        (label, colour, {name: group.share for name, group in found.items() if group.share})
        for label, colour, found in (
            ("made hands", figures.STRONG, result.made),
            ("draws", figures.PALE, result.draws),
        )
    ]
    if not result.made:
        groups = [("at the river", figures.STRONG, result.by_river)]
    groups = [group for group in groups if group[2]]
    known = figures.name_cards(result.board, result.dead)
    title = "\n".join(filter(None, (figures.name_text(result.range, _RANGE_WIDTH), known)))
    bars = sum(len(shares) for *_, shares in groups) + len(groups) - 1
    height = (
        0.6
        + figures.legend_height([name for name, *_ in groups], title)
        + 1.15 * figures.LINE * bars
    )
    return Chart([partial(_draw_hits, groups=groups, title=title)], height)


def _draw_hits(ax: Axes, groups: Sequence[tuple[str, str, dict[str, float]]], title: str) -> None:
    figures.open_chart(ax, "share of the range (%)", "", ruled="x")
    names: dict[int, str] = {}
    first = 0
    for label, colour, shares in groups:
        places = range(first, first + len(shares))
        values = [100 * share for share in shares.values()]
        ax.barh(places, values, 0.75, color=colour, label=label)
        figures.number_bars(ax, values, places, [percent(share, 1) for share in shares.values()])
        names |= dict(zip(places, shares, strict=True))
        first = places.stop + 1  # a gap between groups
    figures.name_bars(ax, list(names), list(names.values()))
    figures.limit_bars(ax, 100 * max(share for *_, shares in groups for share in shares.values()))
    figures.legend_above(ax, [label for label, *_ in groups], title)

"""Curves: distributions of equities, the convergence of a run, and equities street by street."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from numpy.typing import NDArray

from holdem.errors import HoldemValueError
from holdem.odds.breakdown import ComboTable, ConvergenceTable
from holdem.odds.explanation import Explanation
from holdem.odds.many_spots.equity_table import EquityTable
from holdem.odds.result import EquityResult
from holdem.report.cells import cards_in_report, number_players
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart
from holdem.trials.studies.results import PairResult, StudyResults

_DISTRIBUTION_HEIGHT = 2.4
_CONVERGENCE_HEIGHT = 1.8
_CONVERGENCE_LABELS = ("equity", "95 % interval", "result")
_STREETS_HEIGHT = 2.2
_MARKERS = "osD^v<>phX"


@attrs.frozen
class Distribution:
    """A distribution of weighted equities, which is drawn as one line."""

    name: str
    equity: NDArray[np.float64]
    """The equities, from 0 to 1, ``float64 (item,)``; NaN is left out."""
    weight: NDArray[np.float64]
    """The weight of each equity, ``float64 (item,)``."""

    def steps(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the steps of the line: cumulative shares, and equities in descending order.

        Returns:
            Each ``float64 (item + 1,)``. The items up to a share have at least the equity beside
            it. The first share is 0, with the highest equity.
        """
        known = ~np.isnan(self.equity)
        equity, weight = self.equity[known], self.weight[known]
        order = np.argsort(-equity, kind="stable")
        total = np.concatenate(([0.0], np.cumsum(weight[order])))
        equity = equity[order]
        return total / total[-1], np.concatenate((equity[:1], equity))


def combos_chart(table: ComboTable) -> Chart:
    """Build the chart of a player's equities by combo, weighted by the combos' weights."""
    return _distributions_chart([Distribution("", table.equity, table.weight)], "range")


def players_chart(result: EquityResult) -> Chart:
    """Build the chart of range against range, with a line for the combos of each player."""
    found = [
        Distribution(figures.range_name(player), player.by_combo.equity, player.by_combo.weight)
        for player in result.players
    ]
    return _distributions_chart(found, "range", figures.name_cards(result.board, result.dead))


def spots_chart(table: EquityTable) -> Chart:
    """Build the chart of the equities of many spots, with a line for each player."""
    found = [
        Distribution(f"player {number}", equity, np.ones(len(table)))
        for number, equity in enumerate(table.equity.T, 1)
    ]
    return _distributions_chart(found, "spots")


def pair_chart(pair: PairResult) -> Chart:
    """Build the chart of the hero's equities by board, weighted by the boards' probabilities."""
    return _distributions_chart([_distribution_of_pair(pair)], "boards")


def study_chart(results: StudyResults) -> Chart:
    """Build the chart of a study, which shows the equities of the first players.

    There is a line for each hero and villain who meet on several boards, over these boards. Other
    spots of a grid have a line for each number of opponents or villain, over the heroes. Spots
    outside grids have one line together.

    Raises:
        HoldemValueError: there is no result, or there are too many lines.
    """
    found = [_distribution_of_pair(pair) for pair in results.pairs]
    on_boards = {pair.cell for pair in results.pairs}
    groups: dict[tuple[int, str], list[float]] = {}
    for spot in results.spots:
        equity = spot.result.players[0].equity
        if equity is not None and spot.cell not in on_boards:
            key = (-1, "spots") if spot.cell is None else (spot.cell.grid, spot.cell.against)
            groups.setdefault(key, []).append(equity)
    found += [
        Distribution(figures.name_text(name), np.array(equities), np.ones(len(equities)))
        for (_, name), equities in groups.items()
    ]
    if not 0 < len(found) <= figures.LINE_STYLES:
        raise HoldemValueError(
            f"a chart of a study has 1 to {figures.LINE_STYLES} lines, and this one would have"
            f" {len(found)}; draw results.pairs one by one, or equities of results.to_frame()"
        )
    items = [name for name, own in (("boards", results.pairs), ("spots", groups)) if own]
    return _distributions_chart(found, " or ".join(items))


def _distribution_of_pair(pair: PairResult) -> Distribution:
    name = f"{figures.name_text(pair.hero, 20)} v {figures.name_text(pair.villain, 20)}"
    return Distribution(name, pair.equities, pair.probabilities)


def _distributions_chart(found: Sequence[Distribution], items: str, title: str = "") -> Chart:
    """Build a chart with a line for each distribution that contains an equity.

    Raises:
        HoldemValueError: none has one.
    """
    found = [each for each in found if not np.isnan(each.equity).all()]
    if not found:
        raise HoldemValueError("there is no equity to draw")
    names = [each.name for each in found if each.name]
    height = _DISTRIBUTION_HEIGHT + (figures.legend_height(names, title) if names else 0.0)
    return Chart([partial(_draw_distributions, found=found, items=items, title=title)], height)


def _draw_distributions(ax: Axes, found: Sequence[Distribution], items: str, title: str) -> None:
    figures.open_chart(ax, f"share of the {items}, highest first (%)", "equity (%)", ruled="both")
    for number, each in enumerate(found):
        share, equity = each.steps()
        style = figures.line_style(number)
        ax.step(100 * share, 100 * equity, where="pre", linewidth=1.3, label=each.name, **style)
    ax.set_xlim(0, 100)
    ax.set_ylim(0, 100)
    names = [each.name for each in found if each.name]
    if names:
        figures.legend_above(ax, names, title)


def convergence_chart(table: ConvergenceTable, names: Sequence[str] = ()) -> Chart:
    """Build the chart of a run's convergence, with a panel for each player.

    Args:
        table: the estimates after increasing numbers of deals.
        names: the players' names; numbers if empty.
    """
    panels = [
        partial(_draw_convergence, table=table, player=player, title=title)
        for player, title in enumerate(names or number_players(table.equity))
    ]
    return Chart(panels, _CONVERGENCE_HEIGHT + figures.legend_height(_CONVERGENCE_LABELS, "name"))


def _draw_convergence(ax: Axes, table: ConvergenceTable, player: int, title: str) -> None:
    figures.open_chart(ax, "deals", "equity (%)")
    equity, low, high = (
        100 * column[:, player] for column in (table.equity, table.low, table.high)
    )
    ax.set_xscale("log")
    wide = table.deals[-1] >= 100 * table.deals[0]
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))  # no small exponents
    ax.xaxis.set_minor_formatter(NullFormatter())
    marker = "o" if len(table) == 1 else ""
    ax.plot(
        table.deals,
        equity,
        color=figures.STRONG,
        linewidth=1.2,
        marker=marker,
        label=_CONVERGENCE_LABELS[0],
    )
    ax.fill_between(
        table.deals, low, high, color=figures.PALE, linewidth=0, label=_CONVERGENCE_LABELS[1]
    )
    ax.axhline(
        equity[-1], color="black", linewidth=0.6, linestyle="dashed", label=_CONVERGENCE_LABELS[2]
    )
    if len(table) == 1:
        ax.set_xticks(table.deals)
    figures.legend_above(ax, _CONVERGENCE_LABELS, title)


def explanation_chart(explanation: Explanation) -> Chart:
    """Build the chart of the equities street by street, with a line for each player.

    Streets whose equities would take too long to compute are left out.

    Raises:
        HoldemValueError: no street has equities.
    """
    if not any(street.equities for street in explanation.streets):
        raise HoldemValueError("there is no equity to draw: it would take too long to compute")
    names = [
        figures.player_name(player.player_name, str(player.hole))
        if player.player_name
        else figures.name_text(str(player.hole))
        for player in explanation.players
    ]
    panel = partial(_draw_streets, explanation=explanation, names=names)
    return Chart([panel], _STREETS_HEIGHT + figures.legend_height(names))


def _draw_streets(ax: Axes, explanation: Explanation, names: Sequence[str]) -> None:
    figures.open_chart(ax, "", "equity (%)")
    streets = [street for street in explanation.streets if street.equities]
    for number, name in enumerate(names):
        equities = [100 * street.equities[number] for street in streets if street.equities]
        ax.plot(
            range(len(streets)),
            equities,
            marker=_MARKERS[number],
            markersize=4,
            linewidth=1.3,
            clip_on=False,
            label=name,
            **figures.line_style(number),
        )
    # Each street has its new cards below its name.
    ticks, known = [], 0
    for street in streets:
        new = figures.with_symbols(cards_in_report(street.board[known:]))
        ticks.append(f"{street.street}\n{new}".strip())
        known = len(street.board)
    ax.set_xticks(range(len(streets)), ticks)
    ax.set_xlim(-0.3, len(streets) - 0.7)
    ax.set_ylim(0, 100)
    figures.legend_above(ax, names)

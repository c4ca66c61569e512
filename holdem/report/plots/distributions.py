"""Distributions of equities, from the highest to the lowest: of combos, spots and boards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import attrs
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from holdem.errors import HoldemValueError
from holdem.odds.combo_table import ComboTable
from holdem.odds.many_spots.equity_table import EquityTable
from holdem.odds.result import EquityResult
from holdem.report.equity_report import known_cards
from holdem.report.plots.figure_style import (
    COLUMN,
    LINE_STYLES,
    legend_above,
    legend_height,
    line_style,
    name_text,
    open_chart,
    with_symbols,
)
from holdem.report.plots.figures import Picture
from holdem.trials.studies.pairs import PairResult
from holdem.trials.studies.results import StudyResults

_HEIGHT = 2.4


@attrs.frozen
class Distribution:
    """Equities with weights, drawn as one line."""

    name: str
    equity: NDArray[np.float64]
    """The equities, from 0 to 1, ``float64 (item,)``; NaN is left out."""
    weight: NDArray[np.float64]
    """The weight of each equity, ``float64 (item,)``."""

    def steps(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the cumulative shares and the equities, highest first.

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


def combos_picture(table: ComboTable) -> Picture:
    """Return the picture of a player's equities by combo, which count by their weight."""
    return _picture([Distribution("", table.equity, table.weight)], "range")


def players_picture(result: EquityResult) -> Picture:
    """Return the picture of range against range: a line for each player's combos."""
    found = [
        Distribution(name_text(player.range), player.by_combo.equity, player.by_combo.weight)
        for player in result.players
    ]
    return _picture(found, "range", with_symbols(known_cards(result.board, result.dead)))


def spots_picture(table: EquityTable) -> Picture:
    """Return the picture of many spots: a line for each player."""
    found = [
        Distribution(f"player {number}", equity, np.ones(len(table)))
        for number, equity in enumerate(table.equity.T, 1)
    ]
    return _picture(found, "spots")


def pair_picture(pair: PairResult) -> Picture:
    """Return the picture of the hero's equities by board, which count by their probability."""
    return _picture([_pair(pair)], "boards")


def study_picture(results: StudyResults) -> Picture:
    """Return the picture of a study: the equities of the first players.

    There is a line for each hero and villain who meet on several boards, over these boards. Other
    spots of a grid have a line for each number of opponents or villain, over the heroes. Spots
    outside grids have one line together.

    Raises:
        HoldemValueError: there is no result, or there are too many lines.
    """
    found = [_pair(pair) for pair in results.pairs]
    on_boards = {pair.cell for pair in results.pairs}
    groups: dict[tuple[int, str], list[float]] = {}
    for spot in results.spots:
        equity = spot.result.players[0].equity
        if equity is not None and spot.cell not in on_boards:
            key = (-1, "spots") if spot.cell is None else (spot.cell.grid, spot.cell.against)
            groups.setdefault(key, []).append(equity)
    found += [
        Distribution(name_text(name), np.array(equities), np.ones(len(equities)))
        for (_, name), equities in groups.items()
    ]
    if not 0 < len(found) <= LINE_STYLES:
        raise HoldemValueError(
            f"a picture of a study has 1 to {LINE_STYLES} lines, and this one would have"
            f" {len(found)}; draw results.pairs one by one, or equities of results.to_frame()"
        )
    items = [name for name, own in (("boards", results.pairs), ("spots", groups)) if own]
    return _picture(found, " or ".join(items))


def _pair(pair: PairResult) -> Distribution:
    name = f"{name_text(pair.hero, 20)} v {name_text(pair.villain, 20)}"
    return Distribution(name, pair.equities, pair.probabilities)


def _picture(found: Sequence[Distribution], items: str, title: str = "") -> Picture:
    names = [each.name for each in found if each.name]
    height = _HEIGHT + (legend_height(names, title) if names else 0.0)
    return Picture([partial(_lines, found=found, items=items, title=title)], COLUMN, height)


def _lines(ax: Axes, found: Sequence[Distribution], items: str, title: str) -> None:
    open_chart(ax, f"share of the {items}, highest first (%)", "equity (%)", ruled="both")
    for number, each in enumerate(found):
        share, equity = each.steps()
        style = line_style(number)
        ax.step(100 * share, 100 * equity, where="pre", linewidth=1.3, label=each.name, **style)
    ax.set_xlim(0, 100)
    ax.set_ylim(0, 100)
    names = [each.name for each in found if each.name]
    if names:
        legend_above(ax, names, title)

"""Charts with bars or curves, and the choice of a chart for an equity result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING

import attrs
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from numpy.typing import NDArray

from holdem.arguments import checked_integer, require_text
from holdem.errors import HoldemValueError, quoted
from holdem.report import colours
from holdem.report.cells import cards_in_report, percent, rounded_percent
from holdem.report.plots import figures
from holdem.report.plots.figures import Chart, Panel
from holdem.report.plots.heat_maps import class_chart, next_card_chart, runout_chart

if TYPE_CHECKING:
    from holdem.matches.play_result import PlayResult
    from holdem.odds.breakdown import CategoryTable, ComboTable, ConvergenceTable
    from holdem.odds.explanation import Explanation
    from holdem.odds.hits import Hits
    from holdem.odds.many_spots.equity_table import EquityTable
    from holdem.odds.result import EquityResult, PlayerResult
    from holdem.trials.contest_result import Contender, ContestResult
    from holdem.trials.studies.results import PairResult, StudyResults

_OF_ALL_PLAYERS = ("equity", "combo")  # the others have a panel for each player
_PARTS = ("from wins", "from ties")
_OUTCOMES = tuple(zip(("wins", "ties", "losses"), colours.OUTCOMES, strict=True))
_OUTCOME_NAMES = [name for name, _ in _OUTCOMES]
_PLAYER_WIDTH, _RANGE_WIDTH = 18, 28  # characters of a name
_DISTRIBUTION_HEIGHT = 2.4
_CONVERGENCE_HEIGHT = 1.8
_CONVERGENCE_LABELS = ("equity", "95 % interval", "result")
_STREETS_HEIGHT = 2.2
_MARKERS = "osD^v<>phX"


def equity_chart(result: EquityResult, by: str | None = None, player: int | None = None) -> Chart:
    """Build the chart of an equity result that `EquityResult.plot` draws.

    `by` is ``"equity"``, ``"convergence"``, ``"class"``, ``"category"``, ``"combo"``,
    ``"next-card"`` or ``"runout"``. None is ``"convergence"`` for a sampled result and ``"equity"``
    for an exact one. Only the panel of `player`, from 0, is shown, or of all if it is None; charts
    by ``"equity"`` and ``"combo"`` always show all.
    """
    players, board = result.players, figures.name_cards(result.board, result.dead)
    if any(isnan(each.equity) for each in players):
        raise HoldemValueError("there is no equity to draw: the exact run was cut short")
    titles = [f"{figures.player_name(each.label, each.range)}\n{board}".strip() for each in players]
    charts: dict[str, Callable[[], Chart]] = {
        "equity": lambda: equity_bars(result),
        "convergence": lambda: convergence_chart(
            result.convergence, [figures.range_name(each) for each in players]
        ),
        "class": lambda: class_chart(*(each.by_class for each in players), titles=titles),
        "category": lambda: category_chart(*(each.by_category for each in players), titles=titles),
        "combo": lambda: players_chart(result),
        "next-card": lambda: next_card_chart(result.by_next_card, titles),
        "runout": lambda: runout_chart(result.by_runout, titles),
    }
    if by is None:
        by = "equity" if result.exact else "convergence"
    require_text(by, "the name of a chart")
    if by not in charts:
        raise HoldemValueError(f"no chart by {quoted(by)}; there are: {', '.join(charts)}")
    if player is None:
        return charts[by]()
    if by in _OF_ALL_PLAYERS:
        raise HoldemValueError(f"a chart by {by} shows all players; leave out player")
    player = checked_integer(player, "player", 0, len(players) - 1, HoldemValueError)
    chart = charts[by]()
    return attrs.evolve(chart, panels=[chart.panels[player]])


def equity_bars(result: EquityResult) -> Chart:
    """Build the chart of the players' equities, with one bar per player split into wins and ties.

    The second part of a bar is the equity from ties, so that the full bar is the equity. Sampled
    equities have their 95 % intervals.
    """
    title = figures.name_cards(result.board, result.dead)
    draw = partial(_draw_equities, players=result.players, title=title)
    return _bar_chart([draw], _PARTS, title, 1.6 * figures.LINE * len(result.players))


def _bar_chart(panels: Sequence[Panel], legend: Sequence[str], title: str, height: float) -> Chart:
    """Build a chart of bars below a legend; all bars of a panel are `height` inches high."""
    return Chart(panels, 0.6 + figures.legend_height(legend, title) + height)


def _draw_equities(ax: Axes, players: Sequence[PlayerResult], title: str) -> None:
    figures.open_chart(ax, "equity (%)", "", ruled="x")
    places = range(len(players))
    equities = [100 * player.equity for player in players]
    wins = [100 * player.win for player in players]
    ties = [equity - win for equity, win in zip(equities, wins, strict=True)]
    ax.barh(places, wins, 0.7, color=figures.STRONG, label=_PARTS[0])
    ax.barh(places, ties, 0.7, left=wins, color=figures.PALE, label=_PARTS[1])
    # Of random hands, a table may have the equity only.
    unknown = [place for place in places if isnan(wins[place])]
    if unknown:
        ax.barh(unknown, [equities[place] for place in unknown], 0.7, color="0.7")
    ends = equities
    if any(player.stderr for player in players):
        ends = [100 * player.ci95[1] for player in players]
        starts = [100 * player.ci95[0] for player in players]
        lows = [equity - start for equity, start in zip(equities, starts, strict=True)]
        highs = [end - equity for equity, end in zip(equities, ends, strict=True)]
        ax.errorbar(equities, places, xerr=(lows, highs), fmt="none", ecolor="black", elinewidth=1)
    texts = [rounded_percent(player.equity, player.stderr) for player in players]
    figures.number_bars(ax, ends, places, texts)
    figures.name_bars(ax, places, [figures.range_name(player, _PLAYER_WIDTH) for player in players])
    figures.limit_bars(ax, max(ends))
    figures.legend_above(ax, _PARTS, title)


def contest_chart(result: ContestResult) -> Chart:
    """Build the chart of a head-to-head: wins, ties and losses by category, a panel per player."""
    categories = result.categories
    parts = [_contender_parts(player, categories, result.deals) for player in result.players]
    pairs = zip(result.labels, result.players, strict=True)
    titles = [figures.player_name(label, player.range) for label, player in pairs]
    return _outcomes_chart(categories, parts, titles)


def play_chart(result: PlayResult) -> Chart:
    """Build the chart of a match: what each strategy won, with its 95 % interval."""
    return Chart(
        [partial(_draw_won, result=result)], 0.8 + 1.6 * figures.LINE * len(result.strategies)
    )


def _draw_won(ax: Axes, result: PlayResult) -> None:
    figures.open_chart(ax, "big blinds in 100 hands", "", ruled="x")
    rows = result.strategies
    places, rates = range(len(rows)), [own.bb_per_100 for own in rows]
    ax.barh(places, rates, 0.7, color=figures.PALE)
    errors = [own.ci95[1] - own.bb_per_100 if own.ci95 else 0.0 for own in rows]
    ax.errorbar(rates, places, xerr=errors, fmt="none", ecolor="black", elinewidth=1)
    ax.axvline(0, color="black", linewidth=0.8)
    figures.name_bars(ax, places, [figures.name_text(own.name, _RANGE_WIDTH) for own in rows])


def category_chart(*tables: CategoryTable, titles: Sequence[str] = ("",)) -> Chart:
    """Build the chart of wins, ties and losses by hand category, with a panel for each player.

    All tables have the same categories.
    """
    names: list[str] = tables[0].category[::-1].tolist()  # strongest first
    return _outcomes_chart(names, [_table_parts(table) for table in tables], titles)


def _outcomes_chart(
    names: Sequence[str], parts: Sequence[NDArray[np.float64]], titles: Sequence[str]
) -> Chart:
    """Build a chart of wins, ties and losses by category, with a panel for each player.

    Categories go from top to bottom. `parts` are each player's percentages of all deals,
    ``(outcome, category)``. The horizontal axes of all panels have the same limits.
    """
    limit = 1.05 * max(float(own.sum(axis=0).max()) for own in parts)
    panels = [
        partial(_draw_outcomes, names=names, parts=own, title=title, limit=limit)
        for own, title in zip(parts, titles, strict=True)
    ]
    return _bar_chart(panels, _OUTCOME_NAMES, titles[0], 1.3 * figures.LINE * len(names))


def _contender_parts(
    player: Contender, categories: Sequence[str], deals: int
) -> NDArray[np.float64]:
    by = [player.by_category.get(name) for name in categories]
    counts = np.array([attrs.astuple(found) if found else (0, 0, 0) for found in by])
    return 100 * counts.T / deals


def _table_parts(table: CategoryTable) -> NDArray[np.float64]:
    # The strongest first; NaN, without deals, becomes 0.
    parts = np.array([table.win, table.tie, table.lose])[:, ::-1] * table.share[::-1]
    return 100 * np.nan_to_num(parts)


def _draw_outcomes(
    ax: Axes, names: Sequence[str], parts: NDArray[np.float64], title: str, limit: float
) -> None:
    """Draw a bar for each category of one player's hands, divided into wins, ties and losses.

    Categories go from top to bottom. `parts` are percentages of all deals, ``(outcome, category)``,
    and so is `limit`, the end of the horizontal axis.
    """
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

    Made hands and draws that no combo has are left out. Without a board, the chart shows the made
    hands and draws on the flop.
    """
    street = "" if result.board else " on the flop"
    groups = [
        (label, colour, {name: group.share for name, group in found.items() if group.share})
        for label, colour, found in (
            (f"made hands{street}", figures.STRONG, result.made),
            (f"draws{street}", figures.PALE, result.draws),
        )
    ]
    groups = [group for group in groups if group[2]]
    known = figures.name_cards(result.board, result.dead)
    title = "\n".join(filter(None, (figures.name_text(result.range, _RANGE_WIDTH), known)))
    bars = sum(len(shares) for *_, shares in groups) + len(groups) - 1
    draw = partial(_draw_hits, groups=groups, title=title)
    return _bar_chart([draw], [name for name, *_ in groups], title, 1.15 * figures.LINE * bars)


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


@attrs.frozen
class Distribution:
    """Equities with weights, such as those of a range's combos, which are drawn as one line."""

    name: str
    """The name in the legend; empty for none."""
    equity: NDArray[np.float64]
    """The equities, 0 to 1, ``float64 (item,)``; items with NaN are left out."""
    weight: NDArray[np.float64]
    """The weight of each equity, ``float64 (item,)``."""

    def steps(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the points of the line, ``(item + 1,)``: shares of weight, and equities.

        Items with a known equity come highest first. ``equities[i]`` is the i-th highest equity,
        and ``shares[i]`` the share, 0 to 1, of the weight that the first i items have. The line
        starts with a share of 0 and the highest equity.
        """
        known = ~np.isnan(self.equity)
        equity, weight = self.equity[known], self.weight[known]
        order = np.argsort(-equity, kind="stable")
        total = np.concatenate(([0.0], np.cumsum(weight[order])))
        equity = equity[order]
        return total / total[-1], np.concatenate((equity[:1], equity))


def combos_chart(table: ComboTable) -> Chart:
    """Build the chart of how a player's equities are distributed over the combos of the range."""
    return _distributions_chart([Distribution("", table.equity, table.weight)], "range")


def players_chart(result: EquityResult) -> Chart:
    """Build the chart of how equities are distributed over each player's combos, one line each."""
    found = [
        Distribution(figures.range_name(player), player.by_combo.equity, player.by_combo.weight)
        for player in result.players
    ]
    return _distributions_chart(found, "range", figures.name_cards(result.board, result.dead))


def spots_chart(table: EquityTable) -> Chart:
    """Build the chart of how equities are distributed over many spots, a line for each player."""
    found = [
        Distribution(figures.name_text(name), equity, np.ones(len(table)))
        for name, equity in zip(
            table.names or [f"player {number}" for number in range(1, table.players + 1)],
            table.equity.T,
            strict=True,
        )
    ]
    return _distributions_chart(found, "spots")


def pair_chart(pair: PairResult) -> Chart:
    """Build the chart of a hero's equities over the boards of a study, weighted by probability."""
    return _distributions_chart([_distribution_of_pair(pair)], "boards")


def study_chart(results: StudyResults) -> Chart:
    """Build the chart of how the first player's equities are distributed over a study's spots.

    A grid of a study combines several hands of a hero with several villains or numbers of random
    opponents. If a grid has several boards, there is a line for each such combination, over the
    boards. Otherwise, there is a line for each villain or number of opponents, over the heroes.
    All spots outside grids share one line.
    """
    found = [_distribution_of_pair(pair) for pair in results.pairs]
    on_boards = {pair.cell for pair in results.pairs}
    groups: dict[tuple[int, str], list[float]] = {}
    for spot in results.spots:
        equity = spot.result.players[0].equity
        if not isnan(equity) and spot.cell not in on_boards:
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
    """Build a chart with one line for each distribution that has at least one known equity.

    `items` is what the equities belong to: ``"range"``, ``"boards"`` or ``"spots"``.
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
    """Build the chart of how sampled equities converge, with a panel for each player.

    Without names, players are numbered.
    """
    panels = figures.player_panels(_draw_convergence, table, names)
    return Chart(panels, _CONVERGENCE_HEIGHT + figures.legend_height(_CONVERGENCE_LABELS, "name"))


def _draw_convergence(ax: Axes, table: ConvergenceTable, player: int, title: str) -> None:
    figures.open_chart(ax, "deals", "equity (%)")
    equity, low, high = (
        100 * column[:, player] for column in (table.equity, table.low, table.high)
    )
    of_run, of_interval, of_result = _CONVERGENCE_LABELS
    is_single = len(table) == 1
    ax.set_xscale("log")
    wide = table.deals[-1] >= 100 * table.deals[0]
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))  # no small exponents
    ax.xaxis.set_minor_formatter(NullFormatter())
    style = {"color": figures.STRONG, "linewidth": 1.2, "marker": "o" if is_single else ""}
    ax.plot(table.deals, equity, label=of_run, **style)
    ax.fill_between(table.deals, low, high, color=figures.PALE, linewidth=0, label=of_interval)
    ax.axhline(equity[-1], color="black", linewidth=0.6, linestyle="dashed", label=of_result)
    if is_single:
        ax.set_xticks(table.deals)
    figures.legend_above(ax, _CONVERGENCE_LABELS, title)


def explanation_chart(explanation: Explanation) -> Chart:
    """Build the chart of known hands' equities on each street, with a line for each player.

    Streets without equities, which would have taken too long to compute, are left out.
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

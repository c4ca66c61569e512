"""Results of a sample: the players' estimates, and breakdowns for which deals are drawn again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import run
from holdem.jobs.workers import Workers, in_worker_thread
from holdem.odds.breakdown import Breakdown, By, ComputeBoardReport
from holdem.odds.breakdown_tables import (
    CategoryTable,
    ClassTable,
    ComboTable,
    ConvergenceTable,
    live_classes,
)
from holdem.odds.result import PlayerResult
from holdem.odds.sampling.estimates import estimate_players
from holdem.odds.sampling.redraw import GroupSums, Redraw
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import Spot
from holdem.odds.tally import outcomes, tally_size, winners_in

# Of the report on convergence.
_POINTS = 60
_FIRST = 100  # deals at the first point, at least, of runs of more than 1,000
_DECADES = 3  # between the first point and the last
_BLOCKS_AT_ONCE = 64


def make_player_results(
    texts: tuple[str, ...],
    combos: tuple[int, ...],
    counts: NDArray[np.int64],
    sampler: Callable[[], Sampler],
    workers: int = 1,
    compute_board_report: ComputeBoardReport | None = None,
) -> tuple[PlayerResult, ...]:
    """Compute the players' results from the tally of a sample.

    Args:
        texts: the players' ranges as given.
        combos: the number of live combos of each player.
        counts: the tally, ``int64 (size,)``, of at least one deal.
        sampler: function that returns the sampler of these deals, for reports on demand.
        workers: the number of threads of these reports.
        compute_board_report: computes the reports by next card and by runout.
    """
    winners, sets = winners_in(counts), outcomes(len(texts))
    deals = int(winners.sum())
    parts = SampledBreakdown(sampler, deals, workers, compute_board_report)
    results = []
    for player, (equity, win, tie) in enumerate(estimate_players(counts)):
        wins, ties, losses = (int(winners[sets[outcome, player]].sum()) for outcome in range(3))
        results.append(
            PlayerResult(
                range=texts[player],
                combos=combos[player],
                wins=wins,
                ties=ties,
                losses=losses,
                lose=losses / deals,
                equity=equity,
                win=win,
                tie=tie,
                breakdown=parts,
                seat=player,
            )
        )
    return tuple(results)


class SampledBreakdown(Breakdown):
    """Breakdown that draws a sample's deals again, for results by class, category and combo."""

    def __init__(
        self,
        sampler: Callable[[], Sampler],
        deals: int,
        workers: int,
        compute_board_report: ComputeBoardReport | None,
    ) -> None:
        """Create the breakdown of a sample.

        Args:
            sampler: returns the sampler of the deals.
            deals: the number of deals.
            workers: the number of threads.
            compute_board_report: computes the reports by next card and by runout.
        """
        super().__init__(compute_board_report)
        self._sampler = sampler
        self._deals = deals
        self._workers = workers

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        job = Redraw(self._sampler, self._deals, by)
        sums = run(job, self._workers, progress=progress, within=within)
        make = {
            "combo": _make_combo_table,
            "class": _make_class_table,
            "category": _make_category_table,
        }[by]
        return tuple(make(job.spot, player, own) for player, own in enumerate(sums))


def _make_combo_table(spot: Spot, player: int, sums: GroupSums) -> ComboTable:
    live = spot.live[player]
    weight = spot.weights(player).copy()
    return ComboTable(numbers=live.copy(), weight=weight, **_outcomes(sums, live))


def _make_class_table(spot: Spot, player: int, sums: GroupSums) -> ClassTable:
    numbers, combos, weight = live_classes(spot.live[player], spot.weights(player))
    return ClassTable(numbers=numbers, combos=combos, weight=weight, **_outcomes(sums, numbers))


def _make_category_table(spot: Spot, _: int, sums: GroupSums) -> CategoryTable:
    names = np.array(spot.evaluator.rules.categories)
    own = _outcomes(sums, np.arange(len(names)))
    return CategoryTable(category=names, share_stderr=sums.share_errors, **own)


def _outcomes(sums: GroupSums, groups: NDArray[np.intp]) -> dict[str, Any]:
    """Compute the columns that the tables of all sampled breakdowns share."""
    return {
        "equity": sums.equity[groups],
        "win": sums.win[groups],
        "tie": sums.tie[groups],
        "deals": sums.deals[groups],
        "stderr": sums.equity_errors[groups],
    }


def measure_convergence(sampler: Callable[[], Sampler], deals: int) -> ConvergenceTable:
    """Draw a run's deals again, and estimate the equities after each of about 60 deal counts.

    The points are at equal ratios of numbers of deals: from a tenth of them on if they are few,
    from a thousandth if they are many. Those above the size of a block of deals are whole blocks.
    The last point has all deals.

    Args:
        sampler: function that returns the sampler of the run.
        deals: the number of deals of the run.
    """
    return in_worker_thread(lambda: _estimate_points(sampler(), deals))


def _estimate_points(sampler: Sampler, deals: int) -> ConvergenceTable:
    points = _choose_points(deals, sampler.cluster_size)
    rows = []
    tally, done = np.zeros(tally_size(sampler.spot.players), dtype=np.int64), 0
    for point in points.tolist():
        tally = tally + _tally_deals(sampler, done, point)
        done = point
        estimates = [equity for equity, _, _ in estimate_players(tally)]
        rows.append([(each.mean, each.stderr, *each.ci95) for each in estimates])
    # (point, player, number)
    equity, stderr, low, high = np.moveaxis(np.array(rows), 2, 0).copy()
    return ConvergenceTable(points, equity, stderr, low, high)


def _tally_deals(sampler: Sampler, start: int, stop: int) -> NDArray[np.int64]:
    """Tally consecutive deals of a run, ``int64 (size,)``.

    Args:
        sampler: the sampler of the run.
        start: the number of deals before the first; whole clusters.
        stop: the number of deals up to the last.
    """
    tally = np.zeros(tally_size(sampler.spot.players), dtype=np.int64)
    while start < stop:
        block, skipped = divmod(start, BLOCK)
        if skipped == 0 and stop - start >= BLOCK:
            blocks = min((stop - start) // BLOCK, _BLOCKS_AT_ONCE)
            tally += sampler.count(block, [BLOCK] * blocks).sum(axis=0)
            start += blocks * BLOCK
        else:
            size = min(BLOCK - skipped, stop - start)
            tally += sampler.count_batch(block, skipped, size)
            start += size
    return tally


def _choose_points(deals: int, cluster_size: int) -> NDArray[np.int64]:
    """Choose the numbers of deals after which to estimate, ascending, ``int64 (point,)``.

    All but the last are whole clusters.
    """
    first = max(min(max(_FIRST, deals // 10**_DECADES), deals // 10), 1)
    points = np.geomspace(first, deals, _POINTS).round().astype(np.int64)
    unit = np.where(points > BLOCK, BLOCK, cluster_size)
    points = np.maximum(points // unit, 1) * unit
    found: NDArray[np.int64] = np.unique(np.append(points[points < deals], deals))
    return found

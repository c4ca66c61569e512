"""Results of a sample: the players' estimates, and breakdowns, which draw the deals again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers, in_worker_thread
from holdem.odds.breakdown import (
    Breakdowns,
    By,
    ConvergenceTable,
    PlayerTable,
    make_player_table,
)
from holdem.odds.result import PlayerResult
from holdem.odds.sampling.intervals import ADDED, estimate_players
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.tally import outcomes, tally_size, winners_in
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, COMBO_COUNT, combo_numbers

# The number of points of the convergence table, at most.
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
    names: tuple[str, ...] | None = None,
) -> tuple[PlayerResult, ...]:
    """Compute the players' results from a sample's tally, ``int64 (size,)``, of at least a deal.

    `texts` are the ranges as given, and `combos` the numbers of live combos. `sampler` returns the
    sampler of these deals, for breakdowns, which `workers` threads compute when they are first
    used.
    """
    winners, sets = winners_in(counts), outcomes(len(texts))
    deals = int(winners.sum())
    parts = SampledBreakdowns(sampler, deals, workers)
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
                name=names[player] if names else None,
                equity=equity.mean,
                stderr=equity.stderr,
                ci95=equity.ci95,
                win=win.mean,
                win_stderr=win.stderr,
                win_ci95=win.ci95,
                tie=tie.mean,
                tie_stderr=tie.stderr,
                tie_ci95=tie.ci95,
                breakdowns=parts,
                seat=player,
            )
        )
    return tuple(results)


class SampledBreakdowns(Breakdowns):
    """Breakdowns of a sample by class, category or combo, which draw the deals again."""

    def __init__(self, sampler: Callable[[], Sampler], deals: int, workers: int) -> None:
        super().__init__()
        self._sampler = sampler
        self._deals = deals
        self._workers = workers

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        job = Redraw(self._sampler, self._deals, by)
        return run(job, self._workers, progress=progress, within=within)


def measure_convergence(sampler: Callable[[], Sampler], deals: int) -> ConvergenceTable:
    """Draw a run's deals again, and estimate the equities from the first deals of the run.

    There are about 60 estimates, each from more deals than the one before by about the same factor.
    The first one uses a tenth of all deals in runs of up to 1,000 deals, a thousandth in runs from
    100,000 deals on, and 100 deals in between; the last one uses all deals. Other estimates from
    more deals than the `BLOCK` of the sampler use whole blocks.
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
    return ConvergenceTable(deals=points, equity=equity, stderr=stderr, low=low, high=high)


def _tally_deals(sampler: Sampler, start: int, stop: int) -> NDArray[np.int64]:
    """Tally the deals of a run from `start`, a multiple of the cluster size, to before `stop`.

    The tally is ``int64 (tally_size,)``.
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
    """Choose after how many deals to estimate the equities, ascending, ``int64 (point,)``.

    All numbers but the last are multiples of the cluster size.
    """
    first = max(min(max(_FIRST, deals // 10**_DECADES), deals // 10), 1)
    points = np.geomspace(first, deals, _POINTS).round().astype(np.int64)
    unit = np.where(points > BLOCK, BLOCK, cluster_size)
    points = np.maximum(points // unit, 1) * unit
    found: NDArray[np.int64] = np.unique(np.append(points[points < deals], deals))
    return found


# --- deals drawn again ----------------------------------------------------------------------


class Redraw(Job[NDArray[np.float64], tuple[PlayerTable[Any], ...]]):
    """Job that draws a sample's deals again, to build tables by combo, class or category."""

    unit = "deals"
    total: int

    _sums: NDArray[np.float64]
    """``float64 (player, 7, group)``, where a group is a combo, a class or a category. The second
    axis is the number of deals, the sums of the pot shares, of the wins and of the ties in these
    deals, and the sums of n², n s and s² over all clusters.

    n is the number of deals of a cluster that are in the group, and s is the sum of the player's
    pot shares in these deals.
    """

    def __init__(self, sampler: Callable[[], Sampler], deals: int, by: By) -> None:
        self.total = deals
        self._make_sampler = sampler
        self._by = by

    def prepare(self) -> None:
        self._sampler = self._make_sampler()
        spot = self._sampler.spot
        self._scale, categories = spot.evaluator.ranker.scale, spot.evaluator.rules.categories
        sizes = {"combo": COMBO_COUNT, "class": CLASS_COUNT, "category": len(categories)}
        self._groups = sizes[self._by]
        self._sums = np.zeros((spot.players, 7, self._groups))

    def tasks(self) -> Iterator[Task[NDArray[np.float64]]]:
        for block, start in enumerate(range(0, self.total, BLOCK)):
            size = min(BLOCK, self.total - start)
            yield Task(partial(self._sum_block, block, size), size)

    def _sum_block(self, block: int, size: int, workers: Workers) -> NDArray[np.float64]:
        sampler = self._sampler
        dealt = sampler.deals(block, size)
        strengths = sampler.strengths(dealt, workers)
        at_top = strengths == strengths.max(axis=0)
        winners = at_top.sum(axis=0)
        sums = np.empty(self._sums.shape)
        for player, mine in enumerate(at_top):
            column = dealt.shape[1] - 2 * (len(at_top) - player)
            group = self._group_numbers(dealt[:, column : column + 2], strengths[player])
            share = mine / winners
            figures = (None, share, mine & (winners == 1), mine & (winners > 1))
            for row, figure in enumerate(figures):
                sums[player, row] = np.bincount(group, figure, minlength=self._groups)
            sums[player, 4:] = _cluster_squares(group, share, sampler.cluster_size, self._groups)
        return sums

    def _group_numbers(self, holes: CardArray, strengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the group of a player's hand in each deal, ``int64 (deal,)``.

        Hole cards are ``uint8 (deal, 2)``, strengths ``int64 (deal,)``.
        """
        if self._by == "category":
            return self._scale.categories(strengths).astype(np.int64)
        combos = combo_numbers(holes)
        return combos if self._by == "combo" else CLASS_OF_COMBO[combos].astype(np.int64)

    def add(self, part: NDArray[np.float64]) -> bool:
        self._sums = self._sums + part
        return False

    def answer(self, end: End) -> tuple[PlayerTable[Any], ...]:  # noqa: ARG002
        spot, size = self._sampler.spot, self._sampler.cluster_size
        tables = []
        for player, sums in enumerate(self._sums):
            if self._by == "combo":
                sums = sums[:, spot.live[player]]
            deals, shares, _, _, *squares = sums
            with np.errstate(invalid="ignore"):
                errors = ratio_errors(deals, shares / deals, squares)
            of_shares = _estimate_share_errors(deals, squares[0], size)
            tables.append(make_player_table(self._by, spot, player, sums[:4], errors, of_shares))
        return tuple(tables)


def _cluster_squares(
    group: NDArray[np.int64], share: NDArray[np.float64], cluster_size: int, groups: int
) -> NDArray[np.float64]:
    """Compute the sums of n², n s and s² over clusters for one player, ``float64 (3, group)``.

    n is the number of deals of a cluster that are in the group, and s is the sum of the player's
    pot shares in these deals. `group` and `share` are those of each deal, ``(deal,)``.
    """
    products: tuple[NDArray[Any] | None, ...] = (None, share, share * share)
    if cluster_size > 1:
        cluster = np.arange(len(group)) // cluster_size
        keys, index = np.unique(cluster * groups + group, return_inverse=True)
        deals, shares, group = np.bincount(index), np.bincount(index, share), keys % groups
        products = (deals * deals, deals * shares, shares * shares)
    return np.array([np.bincount(group, each, minlength=groups) for each in products])


def _estimate_share_errors(
    deals: NDArray[np.float64], squares: NDArray[np.float64], cluster_size: int
) -> NDArray[np.float64]:
    """Estimate the standard error of each group's fraction of all deals, ``float64 (group,)``.

    `deals` are those of each group, and `squares` the sums over clusters of n², where n is the
    number of deals of a cluster in the group, both ``float64 (group,)``.
    """
    total, of_group = deals.sum(), np.ones(len(deals))
    of_all = total // cluster_size * cluster_size**2 + (total % cluster_size) ** 2
    products = [of_all * of_group, cluster_size * deals, squares]
    return ratio_errors(total * of_group, deals / total, products)


def ratio_errors(
    deals: NDArray[np.float64], mean: NDArray[np.float64], squares: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Estimate the standard errors of sampled means from 0 to 1, ``float64 (group,)``.

    A mean is the ratio of two sums over independent clusters of deals. Its variance is estimated by
    linearization (Cochran, Sampling Techniques, 1977, section 6.3). If all deals of a group had the
    same outcome, the result is the standard error of the center of the Agresti-Coull interval.

    All arguments are ``float64 (group,)``; `mean` is NaN for a group without deals. `squares` are
    the sums over clusters of n², n s and s²: n is the number of deals of a cluster in the group,
    and s is the sum of the quantity in them.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        clusters = deals * deals / squares[0]  # as many clusters of equal size
        residuals = squares[2] - 2 * mean * squares[1] + mean * mean * squares[0]
        variance = np.maximum(residuals, 0) / deals**2 * clusters / np.maximum(clusters - 1, 1)
        weight = clusters + 2 * ADDED
        middle = (clusters * mean + ADDED) / weight
        of_center = middle * (1 - middle) / weight
        found: NDArray[np.float64] = np.sqrt(
            np.where(variance > 1e-12 * of_center, variance, of_center)
        )
        return found

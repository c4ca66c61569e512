"""Convergence of a sampled run: its estimates after increasing numbers of deals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.workers import in_worker_thread
from holdem.odds.breakdown.result_tables import ConvergenceTable
from holdem.odds.sampling.players import player_estimates
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.tally import tally_size

_POINTS = 60
_FIRST = 100  # deals at the first point, at least, of runs of more than 1,000
_DECADES = 3  # between the first point and the last
_BLOCKS_AT_ONCE = 64


def convergence(sampler: Callable[[], Sampler], deals: int) -> ConvergenceTable:
    """Draw the deals of a run again and estimate the equities at some 60 points.

    The points are at equal ratios of numbers of deals: from a tenth of them on if they are few,
    from a thousandth if they are many. Those above the size of a block of deals are whole blocks.
    The last point has all deals.

    Args:
        sampler: function that returns the sampler of the run.
        deals: the number of deals of the run.
    """
    return in_worker_thread(lambda: _converge(sampler(), deals))


def _converge(sampler: Sampler, deals: int) -> ConvergenceTable:
    points = _points(deals, sampler.cluster_size)
    rows = []
    tally, done = np.zeros(tally_size(sampler.spot.players), dtype=np.int64), 0
    for point in points.tolist():
        tally = tally + _tally(sampler, done, point)
        done = point
        estimates = [equity for equity, _, _ in player_estimates(tally)]
        rows.append([(each.mean, each.stderr, *each.ci95) for each in estimates])
    # (point, player, figure)
    equity, stderr, low, high = np.moveaxis(np.array(rows), 2, 0).copy()
    return ConvergenceTable(points, equity, stderr, low, high)


def _tally(sampler: Sampler, start: int, stop: int) -> NDArray[np.int64]:
    """Return the tally of consecutive deals of a run, ``int64 (size,)``.

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


def _points(deals: int, cluster_size: int) -> NDArray[np.int64]:
    """Return the numbers of deals at which to estimate, ascending, ``int64 (point,)``.

    All but the last are whole clusters.
    """
    first = max(min(max(_FIRST, deals // 10**_DECADES), deals // 10), 1)
    points = np.geomspace(first, deals, _POINTS).round().astype(np.int64)
    unit = np.where(points > BLOCK, BLOCK, cluster_size)
    points = np.maximum(points // unit, 1) * unit
    found: NDArray[np.int64] = np.unique(np.append(points[points < deals], deals))
    return found

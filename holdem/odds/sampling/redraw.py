"""Drawing a sample's deals again, to sum each player's outcomes by group of hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jobs.run import End, Job, Task
from holdem.jobs.workers import Workers
from holdem.odds.breakdown import By
from holdem.odds.sampling.estimates import ADDED
from holdem.odds.sampling.sampler import BLOCK, Sampler
from holdem.odds.spot import Spot
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, COMBO_COUNT, combo_numbers


@attrs.frozen(eq=False)
class GroupSums:
    """A player's sums over the deals of a sample, by group of the player's hands."""

    deals: NDArray[np.float64]
    """The number of deals, ``float64 (group,)``."""
    shares: NDArray[np.float64]
    """The sum of the shares of the pot, ``float64 (group,)``."""
    wins: NDArray[np.float64]
    ties: NDArray[np.float64]
    squares: NDArray[np.float64]
    """Sums over clusters of n², n s and s², ``float64 (3, group)``.

    n is the number of deals of a cluster in the group, and s the sum of the shares in them.
    """
    cluster_size: int

    @property
    def equity(self) -> NDArray[np.float64]:
        """The equities, ``float64 (group,)``; NaN without deals."""
        return _ratio(self.shares, self.deals)

    @property
    def win(self) -> NDArray[np.float64]:
        """The shares of deals won alone, ``float64 (group,)``; NaN without deals."""
        return _ratio(self.wins, self.deals)

    @property
    def tie(self) -> NDArray[np.float64]:
        """The shares of deals with a tie for the best hand, ``float64 (group,)``; NaN without
        deals.
        """
        return _ratio(self.ties, self.deals)

    @property
    def equity_errors(self) -> NDArray[np.float64]:
        """The standard errors of the equities, ``float64 (group,)``; NaN without deals."""
        return ratio_errors(self.deals, self.equity, self.squares)

    @property
    def share_errors(self) -> NDArray[np.float64]:
        """The standard errors of each group's share of all deals, ``float64 (group,)``."""
        deals, size = self.deals.sum(), self.cluster_size
        of_all = deals // size * size**2 + (deals % size) ** 2
        squares = np.array([np.full(len(self.deals), of_all), size * self.deals, self.squares[0]])
        return ratio_errors(np.full(len(self.deals), deals), self.deals / deals, squares)


def _ratio(sums: NDArray[np.float64], deals: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = sums / deals
        return found


class Redraw(Job[NDArray[np.float64], tuple[GroupSums, ...]]):
    """Job that draws a sample's deals again and sums each player's outcomes by group."""

    unit = "deals"
    total: int

    def __init__(self, sampler: Callable[[], Sampler], deals: int, by: By) -> None:
        """Create the job.

        Args:
            sampler: returns the sampler of the deals.
            deals: the number of deals.
            by: the groups: all combos, all classes, or the categories of the rule set.
        """
        self.total = deals
        self._make_sampler = sampler
        self._by = by

    @property
    def spot(self) -> Spot:
        """The spot of the sample, once the job is prepared."""
        return self._sampler.spot

    def prepare(self) -> None:
        """Prepare the sampler and load the evaluator."""
        self._sampler = self._make_sampler()
        self._scale, rules = self.spot.evaluator.scale, self.spot.evaluator.rules
        sizes = {"combo": COMBO_COUNT, "class": CLASS_COUNT, "category": len(rules.categories)}
        self._groups = sizes[self._by]
        self._sums = np.zeros((self.spot.players, 7, self._groups))

    def tasks(self) -> Iterator[Task[NDArray[np.float64]]]:
        """Yield a task for each block of deals."""
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
            group = self._group(dealt[:, column : column + 2], strengths[player])
            share = mine / winners
            figures = (None, share, mine & (winners == 1), mine & (winners > 1))
            for row, figure in enumerate(figures):
                sums[player, row] = np.bincount(group, figure, minlength=self._groups)
            sums[player, 4:] = _cluster_squares(group, share, sampler.cluster_size, self._groups)
        return sums

    def _group(self, holes: CardArray, strengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the number of a player's group in each deal, ``int64 (deal,)``."""
        if self._by == "category":
            return self._scale.categories(strengths).astype(np.int64)
        combos = combo_numbers(holes)
        return combos if self._by == "combo" else CLASS_OF_COMBO[combos].astype(np.int64)

    def add(self, part: NDArray[np.float64]) -> bool:
        """Add the sums of a block of deals; return False, because every block is needed."""
        self._sums = self._sums + part
        return False

    def answer(self, end: End) -> tuple[GroupSums, ...]:  # noqa: ARG002
        """Collect the sums of each player."""
        size = self._sampler.cluster_size
        return tuple(
            GroupSums(deals, shares, wins, ties, np.array(squares), size)
            for deals, shares, wins, ties, *squares in self._sums
        )


def _cluster_squares(
    group: NDArray[np.int64], share: NDArray[np.float64], cluster_size: int, groups: int
) -> NDArray[np.float64]:
    """Compute the squares of `GroupSums` for complete clusters, ``float64 (3, group)``."""
    products: tuple[NDArray[Any] | None, ...] = (None, share, share * share)
    if cluster_size > 1:
        cluster = np.arange(len(group)) // cluster_size
        keys, index = np.unique(cluster * groups + group, return_inverse=True)
        deals, shares, group = np.bincount(index), np.bincount(index, share), keys % groups
        products = (deals * deals, deals * shares, shares * shares)
    return np.array([np.bincount(group, each, minlength=groups) for each in products])


def ratio_errors(
    deals: NDArray[np.float64], mean: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Estimate the standard errors of sampled means from 0 to 1, ``float64 (group,)``.

    A mean is the ratio of two sums over independent clusters of deals. Its variance is
    estimated by linearization (Cochran, Sampling Techniques, 1977, section 6.3). If all deals of a
    group had the same outcome, the error is that of the center of the Agresti-Coull interval.

    Args:
        deals: the number of deals of each group, ``float64 (group,)``.
        mean: the means over these deals, ``float64 (group,)``; NaN without deals.
        squares: sums over clusters, as in `GroupSums`, ``float64 (3, group)``.
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

"""Cluster sampling: deals that share hole cards, and their effective sample size.

Where hole cards are costly to draw, several boards are dealt for each draw of them. The deals of
such a *cluster* are not independent of each other, because hole cards decide part of the outcome.
Different clusters are independent, so standard errors are computed from clusters. For this purpose,
a tally (`holdem.odds.tally`) contains *cluster squares*. They are sums over all clusters: of the
squared number of deals in a cluster, and, for each player, of the squares of the cluster's sum of
pot shares, of its number of deals won, and of its number of deals tied. All of these are integers,
so tallies can be added in any order.

The *design effect* ``D`` is the variance of the mean of a sample, divided by the variance for the
same number of independent deals (Kish, Survey sampling, 1965). It lies between 1 and the cluster
size. The estimate of ``D`` includes two extra clusters, each with the same outcome in all of its
deals. So while a rare outcome has hardly been seen, each cluster counts as a single deal. Intervals
and stops by standard error use the *effective sample size*, the number of deals divided by ``D``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdem.odds.tally import (
    MIN_CLUSTERED,
    cluster_squares_in,
    outcomes,
    players_of,
    winner_sets,
    winners_in,
)

#: Cluster sizes, each after the least product of rows and combos at which it is used (see
#: `choose_cluster_size`). Each size divides the number of deals in a group. Of 25 spots measured,
#: clusters reached a given error sooner in all with a product of at least 7,000, and in one with a
#: smaller product.
CLUSTER_SIZES = ((90_000, 16), (7_000, 8))

#: The pot in the units of cluster squares: up to six players can share it evenly.
POT = 60

_PRIOR = 2  # clusters in which hole cards decide everything


def choose_cluster_size(players: int, rows: float, combos: Sequence[int]) -> int:
    """Choose the cluster size: how many boards are dealt for each draw of hole cards, 1 at least.

    Hole cards are drawn from lists of possible holes. The more draws a deal takes, the more time
    clusters save; the more combos a player has, the less precision is lost. The size therefore
    depends on the product of the two. `rows` is the mean number of rows drawn from these lists for
    one deal, and `combos` has the number of each player who draws from a list.
    """
    if players < MIN_CLUSTERED or not combos:
        return 1
    product = round(rows * (sum(combos) / len(combos)), 3)
    return next((size for least, size in CLUSTER_SIZES if product >= least), 1)


@cache
def _counted(players: int) -> NDArray[np.int64]:
    """Tabulate each player's pot share, wins and ties in one deal with each set of winners.

    The table is ``int64 (3, player, set)``. Its first axis is share, in units of ``1 / POT``, win
    (0 or 1) and tie (0 or 1).
    """
    member = winner_sets(players)
    share = member * (POT // np.maximum(member.sum(axis=0), 1))
    wins, ties, _ = outcomes(players)
    counted: NDArray[np.int64] = np.stack([share, wins, ties]).astype(np.int64)
    return counted


def effective_fraction(tallies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Estimate effective sample sizes, as fractions of the deals, from tallies ``int64 (…, size)``.

    Each tally has at least one deal. The fractions are for the means of pot shares, wins and ties,
    ``float64 (…, 3, player)``, above 0 and at most 1. All are 1 if the deals are not in clusters.
    """
    players = players_of(tallies)
    squares = cluster_squares_in(tallies)
    if not squares.any():
        return np.ones((*tallies.shape[:-1], 3, players))
    winners, counted = winners_in(tallies), _counted(players)
    deals = winners.sum(axis=-1)[..., None, None]
    means = (counted @ winners[..., None, :, None])[..., 0] / deals
    variance = (counted**2 @ winners[..., None, :, None])[..., 0] / deals - means**2
    cluster_size = squares[..., :1, None] / deals  # the mean over all deals
    of_clusters = squares[..., 1:].reshape(*squares.shape[:-1], 3, players) / deals
    cluster_variance = of_clusters - means**2 * cluster_size
    most = np.array([POT, 1, 1])[:, None]
    rarer = np.minimum(means, most - means) / most * deals
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.clip(cluster_variance / variance, 1, cluster_size)
    design_effect = np.where(variance > 0, ratio, cluster_size)
    fraction: NDArray[np.float64] = (rarer + _PRIOR) / (
        rarer * design_effect + _PRIOR * cluster_size
    )
    return fraction

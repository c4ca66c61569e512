"""Cluster sampling: deals that share hole cards, and their effective sample size.

Where hole cards are costly to draw, several boards are dealt for each draw of them. The deals of
such a *cluster* are not independent of each other, because hole cards decide part of the outcome.
Different clusters are independent, so standard errors are computed from clusters. For this a
tally has *cluster squares*: the sum over all clusters of the squared number of deals, and for each
player the sums of the squared shares of the pot, deals won and deals tied. They are integers, so
tallies can be added in any order.

The *design effect* ``D`` is the variance of a mean divided by its variance for as many independent
deals (Kish, Survey sampling, 1965). It lies between 1 and the cluster size. The estimate from the
cluster squares includes two more clusters in which hole cards decide everything, so that a cluster
counts as one deal while a rare outcome has hardly been seen. Intervals and stops by standard error
use the *effective sample size*, the number of deals divided by ``D``.
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

#: Cluster sizes, each with the least product of rows and combos at which it is used (see
#: `choose_cluster_size`). Each size divides the deals of a group. Of 25 spots measured, clusters
#: reached a given error sooner in all from 7,000 on, and in one below.
CLUSTER_SIZES = ((90_000, 16), (7_000, 8))

#: The pot in the units of cluster squares: up to six players can share it evenly.
POT = 60

_PRIOR = 2  # clusters in which hole cards decide everything


def choose_cluster_size(players: int, rows: float, combos: Sequence[int]) -> int:
    """Choose the cluster size, which is the number of boards dealt for each draw of hole cards.

    Clusters save more time the more rows a deal takes, and lose less precision the more combos a
    player has. Therefore the product of the two is compared.

    Args:
        players: the number of players.
        rows: the mean number of rows drawn from lists for one deal.
        combos: the number of combos of each player who draws from a list.
    """
    if players < MIN_CLUSTERED or not combos:
        return 1
    product = round(rows * (sum(combos) / len(combos)), 3)
    return next((size for least, size in CLUSTER_SIZES if product >= least), 1)


@cache
def _counted(players: int) -> NDArray[np.int64]:
    """Tabulate what each set of winners adds to each player's pot share, wins and ties.

    The table is ``int64 (3, player, set)``, with shares in units of ``1 / POT``.
    """
    member = winner_sets(players)
    share = member * (POT // np.maximum(member.sum(axis=0), 1))
    wins, ties, _ = outcomes(players)
    counted: NDArray[np.int64] = np.stack([share, wins, ties]).astype(np.int64)
    return counted


def effective_fraction(tallies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Estimate the players' effective sample sizes, as fractions of the number of deals.

    Args:
        tallies: ``int64 (..., size)``, each of at least one deal.

    Returns:
        The fractions for shares of the pot, wins and ties, ``float64 (..., 3, player)``: above 0
        and at most 1; 1 without clusters.
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

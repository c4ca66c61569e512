"""Cluster sampling: deals that share hole cards, and their effective sample size.

Where holes cost much to draw, several boards are dealt for one draw of them. The deals of such a
*cluster* are not independent of each other, those of different clusters are. Holes decide part
of the outcome, so errors have to come from the clusters. For this a tally has *cluster squares*:
the sum over all clusters of the square of their number of deals, and for each player those of
their deals won, of their deals tied, and of their shares of the pot. They are integers, so
tallies add up in any order.

The *design effect* ``D`` is the variance of a mean over that of as many independent deals (Kish,
Survey sampling, 1965). It lies between 1 and the cluster size. It is estimated from the cluster
squares as if two more clusters had been seen in which the holes decide all, so that a cluster
counts as one deal when little was seen of a rare outcome. Intervals and stops by standard error
are those of the *effective sample size*, the number of deals over ``D``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdem.odds.sampling.joint_holes import JointHoles
from holdem.odds.tally import (
    MIN_CLUSTERED,
    cluster_squares_in,
    outcomes,
    players_of,
    winner_sets,
    winners_in,
)

#: Cluster sizes, each from so many rows times combos on (see `choose_cluster_size`); each divides
#: the deals of a group. From 7,000 on an error was reached sooner in every spot that was tried,
#: below hardly ever (`docs/variance.md`).
CLUSTER_SIZES = ((300_000, 16), (40_000, 8), (7_000, 4))

#: What cluster squares count a pot as: up to six players share it in whole numbers.
POT = 60

_PRIOR = 2  # clusters in which the holes decide all


def choose_cluster_size(players: int, rows: float, lists: Sequence[JointHoles]) -> int:
    """Return how many boards to deal for each draw of the holes that come from lists.

    The more rows are drawn the more is saved, and the more combos a player has the less a hole
    decides: the product of the two is compared.

    Args:
        players: how many.
        rows: the mean number of rows drawn from lists for one deal.
        lists: the holes of each player who draws from a list.
    """
    if players < MIN_CLUSTERED:
        return 1
    product = round(rows * (sum(len(own.sets) for own in lists) / len(lists)), 3)
    return next((size for least, size in CLUSTER_SIZES if product >= least), 1)


@cache
def _counted(players: int) -> NDArray[np.int64]:
    """Return what cluster squares count of a deal, by its winners, ``int64 (3, player, set)``.

    The first axis is the share of the pot, a win, a tie.
    """
    member = winner_sets(players)
    share = member * (POT // np.maximum(member.sum(axis=0), 1))
    wins, ties, _ = outcomes(players)
    counted: NDArray[np.int64] = np.stack([share, wins, ties]).astype(np.int64)
    return counted


def effective_fraction(tallies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the effective sample size of each mean over the number of deals.

    Args:
        tallies: ``int64 (..., size)``, of one deal each at least.

    Returns:
        ``float64 (..., 3, player)`` for shares of the pot, wins and ties: above 0 and at most 1;
        1 without clusters.
    """
    players = players_of(tallies)
    squares = cluster_squares_in(tallies)
    if not squares.any():
        return np.ones((*tallies.shape[:-1], 3, players))
    winners, counted = winners_in(tallies), _counted(players)
    deals = winners.sum(axis=-1)[..., None, None]
    means = (counted @ winners[..., None, :, None])[..., 0] / deals
    variance = (counted**2 @ winners[..., None, :, None])[..., 0] / deals - means**2
    cluster_size = squares[..., :1, None] / deals  # the mean one, by deal
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

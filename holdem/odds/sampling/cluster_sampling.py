"""Deals that share holes, and what they are worth as a sample.

Where holes cost much to draw, several boards are dealt for one draw of them: the deals of that
*draw* are not independent of each other, those of different draws are. Holes decide a part of
what becomes of a deal, so a deal is worth less than an independent one, and errors have to
come from the draws. A tally has an account of them for that: the sum over all draws of the
square of the number of deals in it, and for each player those of the deals won, of the deals
tied, and of the shares of the pot, in integers, so that accounts add up in any order.

``D``, the variance of a mean over that of as many independent deals (the *design effect* of
surveys that question whole households: Kish, Survey sampling, 1965), lies between 1 and the
number of deals a draw. It is taken from the account, as if two draws more had been seen in which
the holes decide all: with little seen of something rare a draw counts as one deal. Intervals and
stops by error then are those of ``1 / D`` as many deals.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from holdem.odds.tally import (
    LEAST_SHARING,
    account_in,
    outcomes,
    players_of,
    winner_sets,
    winners_in,
)

#: From so much on of what `boards_a_draw` weighs, so many boards are dealt for one draw of holes.
#: Each number divides the deals of a group. From 7,000 on an error was reached sooner in every
#: spot that was tried, below it hardly ever (`docs/variance.md`).
SHARED_BOARDS = ((300_000, 16), (40_000, 8), (7_000, 4))

#: What the account counts a pot as: up to six players share it in whole numbers.
POT = 60

_PRIOR = 2  # draws in which the holes decide all


def boards_a_draw(players: int, rows: float, combos: float) -> int:
    """Return how many boards are dealt for each draw of the holes that come from lists.

    The more rows are drawn the more is saved, and the more combos there are the less a hole
    decides: the product of the two is weighed.

    Args:
        players: how many.
        rows: how many rows are drawn from lists for one deal, on average.
        combos: how many each player can have who draws from a list, on average.
    """
    if players < LEAST_SHARING:
        return 1
    weighed = round(rows * combos, 3)
    return next((boards for least, boards in SHARED_BOARDS if weighed >= least), 1)


@cache
def _counted(players: int) -> NDArray[np.int64]:
    """Return what a deal counts in the account, by its winners, ``int64 (3, player, set)``.

    The first axis is the share of the pot, a win, a tie.
    """
    member = winner_sets(players)
    share = member * (POT // np.maximum(member.sum(axis=0), 1))
    wins, ties, _ = outcomes(players)
    counted: NDArray[np.int64] = np.stack([share, wins, ties]).astype(np.int64)
    return counted


def worth_of_deals(tallies: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how many independent deals one is worth, for each mean: 1 where none share holes.

    Args:
        tallies: ``int64 (…, size)``, of one deal each at least.

    Returns:
        ``float64 (…, 3, player)``, greater than 0 and at most 1: for shares of the pot, wins, ties.
    """
    players = players_of(tallies)
    account = account_in(tallies)
    if not account.any():
        return np.ones((*tallies.shape[:-1], 3, players))
    winners, counted = winners_in(tallies), _counted(players)
    deals = winners.sum(axis=-1)[..., None, None]
    means = (counted @ winners[..., None, :, None])[..., 0] / deals
    alone = (counted**2 @ winners[..., None, :, None])[..., 0] / deals - means**2
    a_draw = account[..., :1, None] / deals  # deals in it, by the deal
    squares = account[..., 1:].reshape(*account.shape[:-1], 3, players) / deals
    together = squares - means**2 * a_draw
    most = np.array([POT, 1, 1])[:, None]
    rarer = np.minimum(means, most - means) / most * deals
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(alone > 0, np.clip(together / alone, 1, a_draw), a_draw)
    found: NDArray[np.float64] = (rarer + _PRIOR) / (rarer * effect + _PRIOR * a_draw)
    return found

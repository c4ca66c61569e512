"""Kernels that tally the winners of deals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import Words
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.cluster_sampling import POT
from holdem.odds.winners import update_winners

_ONE = np.uint64(1)


@inlined
def count_deals(winners: Words, cluster_size: int, players: Any, counts: NDArray[np.int64]) -> None:
    """Tally the winners of deals, and the sums of the squares of cluster totals.

    Args:
        winners: ``uint64 (deal,)``: the set of the winners of each deal.
        cluster_size: how many consecutive deals share holes, from the first on.
        players: the number of players.
        counts: the tally, ``int64 (size,)``, added to.
    """
    for deal in range(np.uint64(len(winners))):
        counts[winners[deal]] += 1
    if cluster_size == 1:
        return
    squares = counts[_ONE << np.uint64(players) :]
    for first in range(0, len(winners), cluster_size):
        cluster = winners[first : first + cluster_size]
        squares[0] += len(cluster) * len(cluster)
        for player in range(np.int64(players)):
            won = tied = share = np.int64(0)
            mine = _ONE << np.uint64(player)
            for winning in cluster:
                if winning & mine:
                    count, left = np.int64(0), winning
                    while left:
                        left &= left - _ONE
                        count += 1
                    won += count == 1
                    tied += count > 1
                    share += POT // count
            squares[1 + player] += share * share
            squares[1 + players + player] += won * won
            squares[1 + 2 * players + player] += tied * tied


@kernel
def count_winners(
    strengths: NDArray[np.int64], cluster_size: int, counts: NDArray[np.int64]
) -> None:
    """Tally the winners of deals, given the players' hand strengths from any evaluator.

    Args:
        strengths: ``int64 (player, deal)``.
        cluster_size: how many consecutive deals share holes, from the first on.
        counts: the tally, ``int64 (size,)``, added to.
    """
    players = np.uint64(strengths.shape[0])
    winners = np.empty(strengths.shape[1], dtype=np.uint64)
    for deal in range(strengths.shape[1]):
        best, winning = strengths[0, deal], _ONE
        for player in range(_ONE, players):
            best, winning = update_winners(best, winning, strengths[player, deal], _ONE << player)
        winners[deal] = winning
    count_deals(winners, cluster_size, players, counts)

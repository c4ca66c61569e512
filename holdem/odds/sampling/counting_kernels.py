"""Who shared the top, counted from strengths that any evaluator gave."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.ordering.ranked_combos import BLOCKED
from holdem.odds.sampling.cluster_sampling import POT

_ONE = np.uint64(1)


@inlined
def count_deals(
    winners: NDArray[np.uint64], boards: int, players: Any, counts: NDArray[np.int64]
) -> None:
    """Count deals, and keep account of those that share holes.

    Args:
        winners: ``uint64 (deal,)``: the set of the winners of each.
        boards: how many deals side by side share holes; the first one is the first of them.
        players: how many.
        counts: the tally, ``int64 (size,)``, added to.
    """
    for deal in range(np.uint64(len(winners))):
        counts[winners[deal]] += 1
    if boards == 1:
        return
    for first in range(0, len(winners), boards):
        own = winners[first : first + boards]
        account = counts[_ONE << np.uint64(players) :]
        account[0] += len(own) * len(own)
        for player in range(np.int64(players)):
            won = tied = share = np.int64(0)
            mine = _ONE << np.uint64(player)
            for together in own:
                if together & mine:
                    heads, left = np.int64(0), together
                    while left:
                        left &= left - _ONE
                        heads += 1
                    won += heads == 1
                    tied += heads > 1
                    share += POT // heads
            account[1 + player] += share * share
            account[1 + players + player] += won * won
            account[1 + 2 * players + player] += tied * tied


@kernel
def count_winners(strengths: NDArray[np.int64], boards: int, counts: NDArray[np.int64]) -> None:
    """Count the winners of deals.

    Args:
        strengths: ``int64 (player, deal)``.
        boards: how many deals side by side share holes, from the first on.
        counts: the tally, ``int64 (size,)``, added to.
    """
    top = np.empty(strengths.shape[1], dtype=np.uint64)
    for deal in range(strengths.shape[1]):
        best, winners = strengths[0, deal], np.uint64(1)
        for player in range(1, strengths.shape[0]):
            value, mine = strengths[player, deal], np.uint64(1) << np.uint64(player)
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        top[deal] = winners
    count_deals(top, boards, strengths.shape[0], counts)


@kernel
def count_winners_by_matchup(
    strengths: NDArray[np.int64],
    rows: NDArray[np.int64],
    times: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of every match-up over some boards.

    Args:
        strengths: ``int64 (combo, board)``, `BLOCKED` where a combo meets the board.
        rows: ``int64 (match-up, player)``: each player's row of `strengths`.
        times: ``int64 (board,)``: how many boards each one stands for.
        counts: ``int64 (match-up, 2^players)``, added to.
    """
    for matchup in range(rows.shape[0]):
        for board in range(strengths.shape[1]):
            best = strengths[rows[matchup, 0], board]
            winners = np.uint64(1)
            blocked = best == BLOCKED
            for player in range(1, rows.shape[1]):
                value, mine = (
                    strengths[rows[matchup, player], board],
                    np.uint64(1) << np.uint64(player),
                )
                blocked |= value == BLOCKED
                winners = mine if value > best else winners | mine if value == best else winners
                best = max(best, value)
            if not blocked:
                counts[matchup, winners] += times[board]

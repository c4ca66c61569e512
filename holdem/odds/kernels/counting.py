"""Who shared the top, counted from strengths that any evaluator gave."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.compilation import kernel
from holdem.odds.ranked_combos import BLOCKED


@kernel
def count_winners(strengths: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """Count the winners of deals.

    Args:
        strengths: ``int64 (player, deal)``.
        counts: ``int64 (2^players,)``, added to.
    """
    for deal in range(strengths.shape[1]):
        best, winners = strengths[0, deal], np.uint64(1)
        for player in range(1, strengths.shape[0]):
            value, mine = strengths[player, deal], np.uint64(1) << np.uint64(player)
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        counts[winners] += 1


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

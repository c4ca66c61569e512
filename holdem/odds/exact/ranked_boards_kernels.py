"""Kernel that counts winners from hand strengths assigned by any evaluator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import kernel
from holdem.odds.exact.ranked_combos import BLOCKED
from holdem.odds.tally import update_winners


@kernel
def count_winners_by_matchup(
    strengths: NDArray[np.int64],
    rows: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of each match-up over a batch of boards.

    Args:
        strengths: ``int64 (combo, board)``, `BLOCKED` for combos that share a card with the
            board.
        rows: each player's row of `strengths`, ``int64 (match-up, player)``.
        orbit_sizes: the number of boards in each board's orbit, ``int64 (board,)``.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            2^players)``, updated in place.
    """
    for matchup in range(rows.shape[0]):
        for board in range(strengths.shape[1]):
            best = strengths[rows[matchup, 0], board]
            winners = np.uint64(1)
            blocked = best == BLOCKED
            for player in range(1, rows.shape[1]):
                value = strengths[rows[matchup, player], board]
                blocked |= value == BLOCKED
                best, winners = update_winners(
                    best, winners, value, np.uint64(1) << np.uint64(player)
                )
            if not blocked:
                counts[matchup, winners] += orbit_sizes[board]

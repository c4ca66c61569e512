"""Winners of match-ups, counted from the strengths of their combos on boards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import kernel
from holdem.odds.exact.ordering.ranked_combos import BLOCKED
from holdem.odds.winners import update_winners

_ONE = np.uint64(1)


@kernel
def count_winners_by_matchup(
    strengths: NDArray[np.int64],
    rows: NDArray[np.int64],
    times: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of every match-up over some boards.

    Args:
        strengths: ``int64 (combo, board)``, `BLOCKED` if a combo shares a card with the board.
        rows: ``int64 (match-up, player)``: each player's row of `strengths`.
        times: ``int64 (board,)``: how many boards each one represents.
        counts: ``int64 (match-up, 2^players)``, added to.
    """
    players = np.uint64(rows.shape[1])
    for matchup in range(rows.shape[0]):
        for board in range(strengths.shape[1]):
            best = strengths[rows[matchup, 0], board]
            winners, blocked = _ONE, best == BLOCKED
            for player in range(_ONE, players):
                strength = strengths[rows[matchup, player], board]
                blocked |= strength == BLOCKED
                best, winners = update_winners(best, winners, strength, _ONE << player)
            if not blocked:
                counts[matchup, winners] += times[board]

"""Head-to-head: who won with what against what, counted from strengths and categories."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import kernel

#: The third axis of the counts: won alone, shared the top, lost.
WIN, TIE, LOSS = 0, 1, 2


@kernel
def count_contest(
    strengths: NDArray[np.int64],
    categories: NDArray[np.int64],
    winners: NDArray[np.int64],
    against: NDArray[np.int64],
) -> None:
    """Count the outcomes of deals.

    Args:
        strengths: ``int64 (player, deal)``.
        categories: ``int64 (player, deal)``, 0 for the weakest.
        winners: ``int64 (2^players,)``, added to: how often each set shared the top.
        against: ``int64 (player, own category, best opposing category, outcome)``, added to.
            The best opposing category is that of the strongest of the other hands.
    """
    players, deals = strengths.shape
    for deal in range(deals):
        best, at_top = strengths[0, deal], np.uint64(1)
        top = 0
        for player in range(1, players):
            value, mine = strengths[player, deal], np.uint64(1) << np.uint64(player)
            if value > best:
                best, at_top, top = value, mine, player
            elif value == best:
                at_top |= mine
        winners[at_top] += 1
        # The best of the others is the top hand for everybody but who holds it alone.
        runner_up = -1
        for player in range(players):
            if player != top and (
                runner_up < 0 or strengths[player, deal] > strengths[runner_up, deal]
            ):
                runner_up = player
        tied = at_top & (at_top - np.uint64(1)) != 0
        for player in range(players):
            rival = runner_up if player == top else top
            if not at_top >> np.uint64(player) & np.uint64(1):
                outcome = LOSS
            elif tied:
                outcome = TIE
            else:
                outcome = WIN
            against[player, categories[player, deal], categories[rival, deal], outcome] += 1

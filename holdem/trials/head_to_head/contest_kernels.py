"""The kernel that counts the outcomes of head-to-head trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import kernel
from holdem.odds.winners import update_winners

#: Indices of the outcomes.
WIN, TIE, LOSS = 0, 1, 2


@kernel
def count_contest(
    strengths: NDArray[np.int64],
    categories: NDArray[np.int64],
    winners: NDArray[np.int64],
    against: NDArray[np.int64],
) -> None:
    """Count the outcomes of deals by adding to arrays of counts.

    Args:
        strengths: ``int64 (player, deal)``.
        categories: the categories of the strengths, ``int64 (player, deal)``, 0 for the weakest.
        winners: ``int64 (2^players,)``, added to: deals by the set of players who win or share
            the pot.
        against: ``int64 (player, own category, best opposing category, outcome)``, added to.
    """
    one = np.uint64(1)
    players, deals = strengths.shape
    for deal in range(deals):
        best, at_top = strengths[0, deal], one
        for player in range(1, players):
            bit = one << np.uint64(player)
            best, at_top = update_winners(best, at_top, strengths[player, deal], bit)
        winners[at_top] += 1
        is_tied = at_top & (at_top - one) != 0
        top = runner_up = 0  # categories: of the winners, and the best of the others
        for player in range(players):
            category = categories[player, deal]
            if at_top >> np.uint64(player) & one:
                top = category
            else:
                runner_up = max(runner_up, category)
        for player in range(players):
            opposing = top
            if not at_top >> np.uint64(player) & one:
                outcome = LOSS
            elif is_tied:
                outcome = TIE
            else:
                outcome, opposing = WIN, runner_up
            against[player, categories[player, deal], opposing, outcome] += 1

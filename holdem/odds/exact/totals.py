"""Totals computed by the exact methods: each combo's wins, ties, losses and shares of the pot."""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.exact.integer_weights import IntegerWeights, Sums
from holdem.odds.spot import Spot


@attrs.frozen(eq=False)
class ComboTotals:
    """Wins, ties, losses and pot shares of one player's combos, before weighting by the player's
    own weights.

    Each deal is weighted by the product of the other players' weights. With weights of 0 and 1,
    wins, ties and losses are integers, exact below 2^53, and the shares of two players are
    multiples of 1/2. Multiplied by the player's own weights, they sum to the player's totals.
    """

    combos: NDArray[np.intp]
    """The player's live combos, lowest first, ``intp (combo,)``."""

    wins: NDArray[np.float64]
    """Deals that the combo wins alone, ``float64 (combo,)``."""

    ties: NDArray[np.float64]
    """Deals in which the combo ties for the best hand, ``float64 (combo,)``."""

    losses: NDArray[np.float64]
    """All other deals, ``float64 (combo,)``."""

    shares: NDArray[np.float64]
    """The combo's share of the pot, summed over all deals: a win counts 1, a tie of k players
    1/k, ``float64 (combo,)``."""

    @property
    def deals(self) -> NDArray[np.float64]:
        """Total weight of the deals in which the player has each combo, ``float64 (combo,)``."""
        return self.wins + self.ties + self.losses


class PlayerSums(NamedTuple):
    """Wins, ties, losses and pot shares of one player, weighted by all players' weights.

    Without weights the first three are integers.
    """

    wins: int | float
    ties: int | float
    losses: int | float
    share: float

    @property
    def deals(self) -> int | float:
        """Total weight of the deals."""
        return self.wins + self.ties + self.losses


def sum_over_combos(spot: Spot, player: int, totals: ComboTotals) -> PlayerSums:
    """Sum a player's totals over all combos, weighted by the player's own weights."""
    own = spot.weights(player)
    counts = (totals.wins, totals.ties, totals.losses)
    if not spot.is_unweighted:
        return PlayerSums(*[fsum((own * sums).tolist()) for sums in (*counts, totals.shares)])
    wins, ties, losses = (int(own.dot(sums)) for sums in counts)
    # Shares of two players are multiples of 1/2, whose sums are exact.
    share = own.dot(totals.shares) if spot.players == 2 else fsum((own * totals.shares).tolist())
    return PlayerSums(wins, ties, losses, float(share))


def convert_two_players(won: int, tied: int, deals: int) -> tuple[PlayerSums, PlayerSums]:
    """Convert the deals that the first of two players wins and ties, and all deals, to the sums of
    both.
    """
    lost, half = deals - won - tied, tied / 2
    return PlayerSums(won, tied, lost, won + half), PlayerSums(lost, tied, won, lost + half)


def combine_outcomes(
    combos: NDArray[np.intp], against: IntegerWeights, outcome_sums: Sums
) -> ComboTotals:
    """Convert outcome sums in integer weights to a player's combo totals against one opponent.

    Args:
        combos: the player's live combos.
        against: the opponent's weights.
        outcome_sums: deals won, tied and lost, weighted by the integers of `against`,
            ``(3, layer, combo)``.
    """
    won, tied, lost = against.combine(outcome_sums.swapaxes(0, 1))
    wins, ties, _ = outcome_sums
    return ComboTotals(combos, won, tied, lost, shares=against.combine(wins + ties / 2))

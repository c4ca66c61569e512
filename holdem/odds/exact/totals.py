"""Totals computed by the exact methods: each combo's wins, ties, losses and shares of the pot."""

from __future__ import annotations

from functools import cache, reduce
from math import fsum
from typing import NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.exact.integer_weights import IntegerWeights, Sums
from holdem.odds.spot import Spot
from holdem.odds.symmetry.matchups import Matchups
from holdem.odds.tally import SHARE_UNIT, outcomes, share_units
from holdem.ranges.combos import COMBO_COUNT


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


def player_sums(spot: Spot, player: int, totals: ComboTotals) -> PlayerSums:
    """Return the sums of a player's totals over all combos."""
    own = spot.weights(player)
    counts = (totals.wins, totals.ties, totals.losses)
    if not spot.is_unweighted:
        wins, ties, losses = (fsum((own * sums).tolist()) for sums in counts)
        return PlayerSums(wins, ties, losses, fsum((own * totals.shares).tolist()))
    wins, ties, losses = (int(own.dot(sums)) for sums in counts)
    if spot.players == 2:  # exact, because all shares are multiples of 1/2
        return PlayerSums(wins, ties, losses, float(own.dot(totals.shares)))
    return PlayerSums(wins, ties, losses, fsum((own * totals.shares).tolist()))


def two_player_totals(
    combos: NDArray[np.intp], against: IntegerWeights, outcome_sums: Sums
) -> ComboTotals:
    """Return the wins, ties, losses and pot shares of one player's combos against a single
    opponent.

    Args:
        combos: the player's live combos.
        against: the opponent's weights.
        outcome_sums: deals won, tied and lost, weighted by the integers of `against`,
            ``(3, layer, combo)``.
    """
    won, tied, lost = against.combine(outcome_sums.swapaxes(0, 1))
    wins, ties, _ = outcome_sums
    return ComboTotals(combos, won, tied, lost, shares=against.combine(wins + ties / 2))


def matchup_totals(
    spot: Spot, matchups: Matchups, rows: NDArray[np.intp], counts: NDArray[np.int64]
) -> tuple[ComboTotals, ...]:
    """Return the wins, ties, losses and pot shares of each player's combos, given the counts of
    winners in each match-up.

    Args:
        spot: the spot.
        matchups: all its match-ups.
        rows: the row of `counts` for each match-up, ``intp (match-up,)``.
        counts: how often each set of players (bits) shared the best hand, ``int64 (row,
            2^players)``.
    """
    held = matchups.combos.T
    weights = [own.weights[combos] for own, combos in zip(spot.ranges, held, strict=True)]
    # Sums of integers below 2^53 are exact in doubles, whose matrix product is three times as fast.
    figures = _figures(spot.players) @ counts.T.astype(np.float64)
    found = []
    for player, live in enumerate(spot.live):
        own = held[player]
        others = reduce(np.multiply, weights[:player] + weights[player + 1 :])
        sums = figures[player].take(rows, axis=1)
        sums *= others
        if not np.array_equal(own, live):  # if they are equal, each combo has one match-up
            sums = np.array([np.bincount(own, figure, COMBO_COUNT)[live] for figure in sums])
        wins, ties, losses, shared = sums
        found.append(ComboTotals(live, wins, ties, losses, shared / SHARE_UNIT))
    return tuple(found)


@cache
def _figures(players: int) -> NDArray[np.float64]:
    """Return whether each player wins, ties and loses, and the pot share in units of 1/2520, for
    each set of winners, ``float64 (player, 4, set)``.
    """
    return np.stack([*outcomes(players), share_units(players)], axis=1)

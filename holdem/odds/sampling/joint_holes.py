"""Lists of holes that players are dealt together: pairs, triples, ... that share no card."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import fractions
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS


@attrs.frozen(eq=False)
class JointHoles:
    """The holes of some players, a row for each way to deal them."""

    players: tuple[int, ...]

    cards: CardArray
    """``uint8 (row, 2 * player)``, in the order of `players`."""

    sets: NDArray[np.uint64]
    """The index set of each row, ``uint64 (row,)``."""

    weights: NDArray[np.float64]
    """The product of the players' weights, ``float64 (row,)``."""


def holes_of(spot: Spot, player: int) -> JointHoles:
    """Return the list of one player alone."""
    combos = spot.live[player]
    return JointHoles((player,), COMBO_CARDS[combos], COMBO_SETS[combos], spot.weights(player))


def join(groups: Sequence[JointHoles], limit: int) -> list[JointHoles]:
    """Put players into common lists, in their order, as long as a list stays small.

    Args:
        groups: lists of different players.
        limit: no list is made that could have more rows.
    """
    left = list(groups)
    joined: list[JointHoles] = []
    while left:
        own = left.pop(0)
        while left and len(own.sets) * len(left[0].sets) <= limit:
            other = left.pop(0)
            rows, others = np.nonzero((own.sets[:, None] & other.sets[None, :]) == 0)
            own = JointHoles(
                own.players + other.players,
                np.concatenate([own.cards[rows], other.cards[others]], axis=1),
                own.sets[rows] | other.sets[others],
                own.weights[rows] * other.weights[others],
            )
        joined.append(own)
    return joined


def rows_that_fit(groups: Sequence[JointHoles], tries: int) -> tuple[float, float]:
    """Estimate how often rows drawn from each of some lists share no card, and what that costs.

    The same on every machine, for deals depend on it.

    Returns:
        The share of the draws that fit, 0..1; how many rows are drawn, list after list, until
        one of each fits, infinite if none did.
    """
    if len(groups) < 2:
        return 1.0, float(len(groups))
    stream = np.random.PCG64(0)
    used = np.zeros(tries, dtype=np.uint64)
    fits = np.ones(tries, dtype=np.bool_)
    rows = 0
    for group in groups:
        rows += int(fits.sum())
        chances = np.cumsum(group.weights)
        points = fractions(stream, tries)
        drawn = group.sets[np.searchsorted(chances / chances[-1], points, side="right")]
        fits &= used & drawn == 0
        used |= drawn
    kept = int(fits.sum())
    return kept / tries, rows / kept if kept else float("inf")

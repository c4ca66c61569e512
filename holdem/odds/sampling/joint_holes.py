"""Lists of the combinations of hole cards that several players can hold at the same time."""

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
    """The ways to deal hole cards (*holes*) to one or more players, one row for each way."""

    players: tuple[int, ...]

    cards: CardArray
    """``uint8 (row, 2 * player)``, in the order of `players`."""

    sets: NDArray[np.uint64]
    """The card set of each row, ``uint64 (row,)``."""

    weights: NDArray[np.float64]
    """The product of the players' weights, ``float64 (row,)``."""


def holes_of(spot: Spot, player: int) -> JointHoles:
    """Return the hole cards that one player can hold as a `JointHoles`."""
    combos = spot.live[player]
    return JointHoles((player,), COMBO_CARDS[combos], COMBO_SETS[combos], spot.weights(player))


def join(lists: Sequence[JointHoles], limit: int) -> list[JointHoles]:
    """Merge consecutive lists of hole cards as long as each merged list stays small.

    Args:
        lists: lists of different players.
        limit: the most rows that a joint list may have before rows with duplicate cards are
            left out.
    """
    joined: list[JointHoles] = []
    for other in lists:
        if not joined or len(joined[-1].sets) * len(other.sets) > limit:
            joined.append(other)
            continue
        own = joined[-1]
        rows, others = np.nonzero((own.sets[:, None] & other.sets[None, :]) == 0)
        joined[-1] = JointHoles(
            own.players + other.players,
            np.concatenate([own.cards[rows], other.cards[others]], axis=1),
            own.sets[rows] | other.sets[others],
            own.weights[rows] * other.weights[others],
        )
    return joined


def acceptance(lists: Sequence[JointHoles], tries: int) -> tuple[float, float]:
    """Estimate the probability that hole cards drawn from every list share no card, and the
    expected number of draws until they share none.

    The estimate is the same on every machine, since deals depend on it.

    Returns:
        The acceptance rate, 0..1, and the mean number of rows drawn, list after list, until one
        of each fits; infinite if none fitted.
    """
    if len(lists) < 2:
        return 1.0, float(len(lists))
    stream = np.random.PCG64(0)
    used = np.zeros(tries, dtype=np.uint64)
    fits = np.ones(tries, dtype=np.bool_)
    rows = 0
    for own in lists:
        rows += int(fits.sum())
        chances = np.cumsum(own.weights)
        points = fractions(stream, tries)
        drawn = own.sets[np.searchsorted(chances / chances[-1], points, side="right")]
        fits &= used & drawn == 0
        used |= drawn
    accepted = int(fits.sum())
    return accepted / tries, rows / accepted if accepted else float("inf")

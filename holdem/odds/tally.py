"""Tallies, which count deals by the set of players who share the best hand, and `Outcomes`.

All numbers of a sampled result come from a tally: wins and ties, the shares of the pot, their
variance and the covariance of two players' shares. A tally is an array of integers, ``int64
(size,)``: element ``m`` of the first ``2^players`` counts the deals in which exactly the players
whose bits are set in ``m`` shared the best hand. With four players or more, these counts are
followed by the cluster squares, sums from which standard errors are computed when deals share hole
cards (`holdem.odds.sampling.cluster_sampling`). There are fewer of them than sets of players, so
the size of a tally determines the number of players. Tallies are merged by adding them, in any
order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.errors import SpotError
from holdem.jit.kernels import inlined

#: Pot shares are multiples of 1/2520 for up to ten winners.
SHARE_UNIT = 2520

# Doubles have fewer digits below 2e-308, so that sums of such products would be wrong.
_LEAST_PRODUCT = 1e-304

#: The fewest players whose tally has cluster squares.
MIN_CLUSTERED = 4


def tally_size(players: int) -> int:
    """Compute the number of elements in the tally of a given number of players."""
    return (1 << players) + (1 + 3 * players if players >= MIN_CLUSTERED else 0)


def players_of(tally: NDArray[np.int64]) -> int:
    """Derive the number of players from the size of one or more tallies, ``int64 (…, size)``."""
    return int(tally.shape[-1]).bit_length() - 1


def winners_in(tally: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the part of a tally that counts deals by set of winners, ``int64 (…, 2^players)``."""
    return tally[..., : 1 << players_of(tally)]


def cluster_squares_in(tally: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the part of a tally that contains cluster squares, ``int64 (…, 1 + 3 * players)``.

    Standard errors are computed from cluster squares when deals share hole cards
    (`holdem.odds.sampling.cluster_sampling`). The part is empty, ``int64 (…, 0)``, with fewer than
    `MIN_CLUSTERED` players.
    """
    return tally[..., 1 << players_of(tally) :]


def deals_in(tally: NDArray[np.int64]) -> int:
    """Count the deals in a tally, or in several tallies together, ``int64 (…, size)``."""
    return int(winners_in(tally).sum())


@cache
def winner_sets(players: int) -> NDArray[np.bool_]:
    """Tabulate whether each player belongs to each set of winners, ``bool (player, 2^players)``.

    Player ``p`` belongs to the sets whose number has bit ``p`` set.
    """
    sets = np.arange(1 << players)
    member: NDArray[np.bool_] = (sets >> np.arange(players)[:, None] & 1).astype(np.bool_)
    return member


@cache
def shares(players: int) -> NDArray[np.float64]:
    """Tabulate the share of the pot that each player gets, ``float64 (player, 2^players)``.

    The second axis is the set of winners, with a bit for each player. The share is 1/k for each of
    k winners, and 0 for the others.
    """
    member = winner_sets(players)
    share: NDArray[np.float64] = member / np.maximum(member.sum(axis=0), 1)
    return share


@cache
def share_units(players: int) -> NDArray[np.float64]:
    """Tabulate `shares` in units of 1/`SHARE_UNIT`, which makes them whole numbers."""
    return np.rint(shares(players) * SHARE_UNIT)


@cache
def outcomes(players: int) -> NDArray[np.bool_]:
    """Tabulate each set of winners by win (alone), tie (with others) and loss for each player.

    The table is ``bool (3, player, 2^players)``; a set of winners has a bit for each player.
    """
    member = winner_sets(players)
    alone = member & (member.sum(axis=0) == 1)
    result = np.stack([alone, member & ~alone, ~member])
    result[:, :, 0] = False  # no deal has an empty set of winners
    return result


def tally_record(counts: NDArray[np.int64]) -> dict[str, int]:
    """Convert a tally to a dict for JSON: its nonzero elements, by index in the tally as text."""
    return {str(number): int(counts[number]) for number in np.flatnonzero(counts).tolist()}


def tally_of_record(record: Mapping[str, int], players: int) -> NDArray[np.int64]:
    """Convert a mapping made by `tally_record` back to a tally."""
    counts = np.zeros(tally_size(players), dtype=np.int64)
    for text, count in record.items():
        number = int(text)
        if type(count) is not int or count < 0 or not 0 < number < len(counts):
            raise ValueError(f"not a count of a set of winners: {text!r}: {count!r}")
        counts[number] = count
    return counts


def require_precise(weight: float) -> None:
    """Raise an error if the weight of one or all deals is too small for a precise double."""
    if weight < _LEAST_PRODUCT:
        raise SpotError(
            "the players' weights multiply to almost 0; give a player larger weights, which"
            " change no equity if all are multiplied by the same factor"
        )


def proportion(sums: NDArray[Any], deals: NDArray[Any] | int) -> NDArray[np.float64]:
    """Divide sums of weights by the weight of all deals, which is at least as large.

    Quotients above 1, which separate rounding of both numbers can cause, are replaced by 1. The
    result is NaN where `sums` and `deals` are both 0. The two arguments are broadcast.
    """
    with np.errstate(invalid="ignore"):
        quotient: NDArray[np.float64] = np.minimum(sums / deals, 1.0)
    return quotient


@attrs.frozen
class Outcomes:
    """Counts of wins (the whole pot), ties (a shared pot) and losses."""

    wins: int
    ties: int
    losses: int

    @property
    def deals(self) -> int:
        """The number of deals: wins, ties and losses together."""
        return self.wins + self.ties + self.losses


@attrs.frozen
class HandOutcomes(Outcomes):
    """Counts of dealt hands won, tied and lost, and their fractions of all hands."""

    @property
    def hands(self) -> int:
        return self.deals

    @property
    def win(self) -> float:
        """The fraction of hands won, from 0 to 1."""
        return self.wins / self.hands

    @property
    def tie(self) -> float:
        """The fraction of hands tied, from 0 to 1."""
        return self.ties / self.hands

    @property
    def lose(self) -> float:
        """The fraction of hands lost, from 0 to 1."""
        return self.losses / self.hands


@inlined
def update_winners(best: Any, winners: Any, strength: Any, player: Any) -> Any:
    """Compare one more player's hand with the best so far; return the new `best` and `winners`.

    `best` is below every strength for the first player; `winners` and `player` are bit masks of the
    same type.
    """
    winners = player if strength > best else winners | player if strength == best else winners
    return max(best, strength), winners


@inlined
def add_weighted(weight: float, counts: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    """Add a match-up's counts, multiplied by its weight, to `sums` by category.

    `counts` are the boards on which a player's hand has a category, ``int64 (player, category,
    players + 1)``. The last axis is 0 if the player loses; otherwise, it is the number of players
    who share the best hand, 1 if the player wins alone. `sums` are ``float64`` of the same shape.
    """
    # In loops, because numba takes half a second to compile an expression of arrays, or the
    # assignment to all elements of one.
    for player in range(sums.shape[0]):
        for category in range(sums.shape[1]):
            for shared in range(sums.shape[2]):
                sums[player, category, shared] += weight * counts[player, category, shared]

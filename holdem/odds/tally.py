"""A tally: how often each set of players shared the top. Adding two is merging them.

Every figure of a result comes from it: who won alone, who tied with how many, the shares of
the pot and their variance, and the covariance of two players' shares. It is an array of
integers, ``int64 (size,)``: element ``m`` of the first ``2^players`` counts the deals in which
exactly the players whose bits are set in ``m`` shared the top. With four players or more the
account of deals that share holes follows (`holdem.odds.sampling.cluster_sampling`): fewer elements than
those before it, so that the size tells the players. Integers add up the same in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

#: With so many players and more a tally has an account of deals that share holes.
LEAST_SHARING = 4


def tally_size(players: int) -> int:
    """Return how many elements a tally of so many players has."""
    return (1 << players) + (1 + 3 * players if players >= LEAST_SHARING else 0)


def players_of(tally: NDArray[np.int64]) -> int:
    """Return of how many players tallies are, ``int64 (…, size)``."""
    return int(tally.shape[-1]).bit_length() - 1


def winners_in(tally: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return of tallies how often each set of players shared the top, ``(…, 2^players)``."""
    return tally[..., : 1 << players_of(tally)]


def account_in(tally: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return of tallies the account of deals that share holes, ``(…, 1 + 3 * players)``, or 0."""
    return tally[..., 1 << players_of(tally) :]


def deals_in(tally: NDArray[np.int64]) -> int:
    """Return how many deals tallies count, all together."""
    return int(winners_in(tally).sum())


@cache
def winner_sets(players: int) -> NDArray[np.bool_]:
    """Return who is in each set of winners, ``bool (player, set)``."""
    sets = np.arange(1 << players)
    member: NDArray[np.bool_] = (sets >> np.arange(players)[:, None] & 1).astype(np.bool_)
    return member


@cache
def shares(players: int) -> NDArray[np.float64]:
    """Return each player's share of the pot for each set of winners, ``float64 (player, set)``."""
    member = winner_sets(players)
    share: NDArray[np.float64] = member / np.maximum(member.sum(axis=0), 1)
    return share


@cache
def outcomes(players: int) -> NDArray[np.bool_]:
    """Return what each set of winners is to each player, ``bool (3, player, set)``.

    The first axis is win (alone), tie (with others), loss.
    """
    member = winner_sets(players)
    alone = member & (member.sum(axis=0) == 1)
    result = np.stack([alone, member & ~alone, ~member])
    result[:, :, 0] = False  # nobody at the top: no deal
    return result


def tally_record(counts: NDArray[np.int64]) -> dict[str, int]:
    """Return a tally as a plain record: the number of each element that is not 0, and it."""
    return {str(number): int(counts[number]) for number in np.flatnonzero(counts).tolist()}


def tally_of_record(record: Mapping[str, int], players: int) -> NDArray[np.int64]:
    """Return the tally of a record that `tally_record` made.

    Raises:
        ValueError: it is none: a set that cannot be, or what is no count.
    """
    counts = np.zeros(tally_size(players), dtype=np.int64)
    for text, count in record.items():
        number = int(text)
        if type(count) is not int or count < 0 or not 0 < number < len(counts):
            raise ValueError(f"no count of winners: {text!r}: {count!r}")
        counts[number] = count
    return counts

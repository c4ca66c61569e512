"""Match-ups: one combo for each player, no two of which share a card."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.odds.card_removal import count_unblocked, sum_unblocked_pairs
from holdem.odds.spot import Spot
from holdem.odds.symmetry import card_fixing_permutations, permuted_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS

#: The most match-ups that are listed; 2^21 of two players take 32 MB.
MATCHUP_LIMIT = 1 << 21
_CANDIDATE_LIMIT = 1 << 24
_FEW_MATCHUPS = 1 << 14  # of three players; up to this many are listed faster than summed
_COUNTS_LIMIT = 1 << 24  # counts that a run keeps: 2^players for each match-up


@attrs.frozen(eq=False)
class Matchups:
    """The match-ups of a spot, grouped into orbits.

    An orbit contains the match-ups that are mapped to each other by the suit permutations that
    leave the board and the dead cards unchanged. With more than six players, each match-up is an
    orbit of its own.
    """

    combos: NDArray[np.intp]
    """The number of each player's combo, ``intp (match-up, player)``."""

    orbits: NDArray[np.intp]
    """The index of each match-up's orbit in `representatives`, ``intp (match-up,)``."""

    representatives: NDArray[np.intp]
    """The combos of one match-up of each orbit, ``intp (orbit, player)``."""


def list_matchups(spot: Spot, limit: int = MATCHUP_LIMIT) -> Matchups | None:
    """List a spot's match-ups; None if there are more than `limit`, or too many for the memory.

    The memory holds the list, or counts for each match-up.
    """
    chosen = _choose_combos(spot, limit)
    if chosen is None:
        return None
    combos = np.array(chosen).T
    permutations = card_fixing_permutations(spot)
    # 1326^6 fits in 63 bits; with more players few symmetries are left.
    if len(permutations) == 1 or len(combos) == 1 or spot.players > 6:
        return Matchups(combos, np.arange(len(combos)), combos)
    codes = np.full(len(combos), np.iinfo(np.int64).max)
    for image in permuted_combos()[permutations]:
        code = np.zeros(len(combos), dtype=np.int64)
        for player in range(spot.players):
            code = code * COMBO_COUNT + image[chosen[player]]
        np.minimum(codes, code, out=codes)
    _, first, orbits = np.unique(codes, return_index=True, return_inverse=True)
    return Matchups(combos, orbits, combos[first])


def _choose_combos(spot: Spot, limit: int = MATCHUP_LIMIT) -> list[NDArray[np.intp]] | None:
    """List players' combos in each match-up, ``intp (match-up,)``; None as in `list_matchups`."""
    limit = min(limit, MATCHUP_LIMIT, _COUNTS_LIMIT >> spot.players)
    # Each held card blocks the combos that contain it, which gives a lower bound. It rejects five
    # random hands at once; listing them would take a tenth of a second to fail.
    least = 1
    for player, live in enumerate(spot.live):
        with_card = np.sort(np.bincount(COMBO_CARDS[live].ravel()))
        least *= max(len(live) - int(with_card[::-1][: 2 * player].sum()), 0)
        if least > limit:
            return None
    chosen = [spot.live[0]]  # in every match-up of the players so far
    held = COMBO_SETS[spot.live[0]]
    for player in range(1, spot.players):
        own = COMBO_SETS[spot.live[player]]
        if len(held) * len(own) > _CANDIDATE_LIMIT:
            return None
        rows, columns = np.nonzero((held[:, None] & own[None, :]) == 0)
        if len(rows) > limit:
            return None
        chosen = [combos[rows] for combos in chosen] + [spot.live[player][columns]]
        held = held[rows] | own[columns]
    return chosen


def count_listable_matchups(spot: Spot) -> int | None:
    """Count the match-ups of a spot; None if there are too many to list."""
    matchups = count_matchups(spot)
    return None if matchups is None or matchups > MATCHUP_LIMIT else matchups


@lru_cache(maxsize=16)  # the plan, its text and the result ask for it
def count_matchups(spot: Spot) -> int | None:
    """Count the match-ups of a spot; None if there are too many to count."""
    if spot.all_known:
        return 1  # live combos occur in some deal, so these share no card
    if spot.players == 2:
        return int(count_unblocked(*spot.live).sum())
    if spot.players == 3 and prod(map(len, spot.live)) > _FEW_MATCHUPS:
        held = (spot.all_weights > 0).astype(np.float64)
        return int(sum_unblocked_pairs(held[1], held[2]) @ held[0])
    chosen = _choose_combos(spot)
    return None if chosen is None else len(chosen[0])

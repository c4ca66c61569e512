"""Match-ups: every way to give all players one of their combos, no card twice."""

from __future__ import annotations

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.odds.exact.totals import pairs_left, weight_left
from holdem.odds.spot import Spot
from holdem.odds.symmetry.suit_permutations import renamed_combos, renamings_that_keep
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_SETS

#: More match-ups than this are not listed: 2^21 of two players are 32 MB.
MATCHUP_LIMIT = 1 << 21
_CANDIDATE_LIMIT = 1 << 24
_FEW = 4096  # pairs of combos: counted one by one in microseconds
_COUNTS_LIMIT = 1 << 24  # counts of a run: 2^players for each match-up


@attrs.frozen(eq=False)
class Matchups:
    """The match-ups of a spot, and which of them are the same up to suits."""

    combos: NDArray[np.intp]
    """Each player's combo, ``intp (match-up, player)``."""

    kind: NDArray[np.intp]
    """The kind of each match-up, ``intp (match-up,)``: its row in `representatives`."""

    representatives: NDArray[np.intp]
    """One match-up of each kind, ``intp (kind, player)``. A renaming of suits that leaves
    board and dead cards as they are takes it into every other one of its kind."""

    def holes(self) -> CardArray:
        """Return the cards of each kind, ``uint8 (kind, player, 2)``."""
        return np.ascontiguousarray(COMBO_CARDS[self.representatives])


def list_matchups(spot: Spot, most: int = MATCHUP_LIMIT) -> Matchups | None:
    """List the match-ups of a spot; None where there are more than `most`, or too many at all."""
    most = min(most, MATCHUP_LIMIT, _COUNTS_LIMIT >> spot.players)
    # Each of the cards that are held is in 51 combos. Where even what that leaves is too many
    # nothing is listed: of five random hands that took a tenth of a second.
    least = 1
    for player, live in enumerate(spot.live):
        least *= max(len(live) - 51 * 2 * player, 0)
        if least > most:
            return None
    combos = spot.live[0][:, None]
    held = COMBO_SETS[spot.live[0]]
    for player in range(1, spot.players):
        mine = COMBO_SETS[spot.live[player]]
        if len(held) * len(mine) > _CANDIDATE_LIMIT:
            return None
        rows, columns = np.nonzero((held[:, None] & mine[None, :]) == 0)
        if len(rows) > most:
            return None
        combos = np.concatenate([combos[rows], spot.live[player][columns][:, None]], axis=1)
        held = held[rows] | mine[columns]
    renamings = renamed_combos()[question_renamings(spot)]
    # 1326^6 fits 63 bits; with more players there are few symmetries left to find.
    if len(renamings) == 1 or spot.players > 6:
        return Matchups(combos, np.arange(len(combos)), combos)
    codes = np.full(len(combos), np.iinfo(np.int64).max)
    for becomes in renamings:
        code = np.zeros(len(combos), dtype=np.int64)
        for player in range(spot.players):
            code = code * len(COMBO_SETS) + becomes[combos[:, player]]
        np.minimum(codes, code, out=codes)
    _, first, kind = np.unique(codes, return_index=True, return_inverse=True)
    return Matchups(combos, kind, combos[first])


def count_matchups(spot: Spot) -> int | None:
    """Return the number of match-ups of a spot; None where there are too many to count."""
    if all(len(combos) == 1 for combos in spot.live):
        return 1  # live: some deal holds each of them
    if spot.players == 2 and len(spot.live[0]) * len(spot.live[1]) <= _FEW:
        first, second = (COMBO_SETS[combos] for combos in spot.live)
        return int(np.count_nonzero(first[:, None] & second == 0))
    held = np.zeros((spot.players, COMBO_COUNT))
    for player, combos in enumerate(spot.live):
        held[player, combos] = 1.0
    if spot.players == 2:
        return int(weight_left(held[1:])[0] @ held[0])
    if spot.players == 3:
        return int(pairs_left(held[1], held[2]) @ held[0])
    matchups = list_matchups(spot)
    return None if matchups is None else len(matchups.combos)


def fixing_renamings(spot: Spot) -> NDArray[np.intp]:
    """Return the renamings that change no live combo, no board card and no dead card.

    Boards that such a renaming takes into each other have the same outcome in every
    match-up. They are ``intp (renaming,)``, identity first.
    """
    renamings = question_renamings(spot)
    becomes = renamed_combos()[renamings]
    fixed = [(becomes[:, combos] == combos).all(axis=1) for combos in spot.live]
    return renamings[np.all(fixed, axis=0)]


def question_renamings(spot: Spot) -> NDArray[np.intp]:
    """Return the renamings that leave board and dead cards as they are, ``intp (renaming,)``."""
    return renamings_that_keep(np.zeros((0, COMBO_COUNT)), (spot.board, spot.dead))

"""Match-ups: every way to give all players one of their combos, no card twice."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray, index_set
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

#: More match-ups than this are not listed: 2^21 of two players are 32 MB.
MATCHUP_LIMIT = 1 << 21
_CANDIDATE_LIMIT = 1 << 24
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
    renamings = [
        combo_of
        for card_of, combo_of in suit_renamings()
        if _same(card_of, spot.board) and _same(card_of, spot.dead)
    ]
    # 1326^6 fits 63 bits; with more players there are few symmetries left to find.
    if len(renamings) == 1 or spot.players > 6:
        return Matchups(combos, np.arange(len(combos)), combos)
    codes = np.full(len(combos), np.iinfo(np.int64).max)
    for combo_of in renamings:
        code = np.zeros(len(combos), dtype=np.int64)
        for player in range(spot.players):
            code = code * len(COMBO_SETS) + combo_of[combos[:, player]]
        np.minimum(codes, code, out=codes)
    _, first, kind = np.unique(codes, return_index=True, return_inverse=True)
    return Matchups(combos, kind, combos[first])


@cache
def suit_renamings() -> tuple[tuple[CardArray, NDArray[np.intp]], ...]:
    """Return the 24 renamings of suits, identity first.

    Each is a pair: the card that each card becomes, ``uint8 (52,)``, and the combo that each
    combo becomes, ``intp (1326,)``.
    """
    renamings = []
    cards = np.arange(DECK_SIZE)
    for suits in permutations(range(4)):
        card_of = (cards // 4 * 4 + np.array(suits)[cards % 4]).astype(np.uint8)
        pairs = np.sort(card_of[COMBO_CARDS].astype(np.intp), axis=1)
        renamings.append((card_of, pairs[:, 1] * (pairs[:, 1] - 1) // 2 + pairs[:, 0]))
    return tuple(renamings)


def fixing_renamings(spot: Spot) -> list[CardArray]:
    """Return the renamings that change no live combo, no board card and no dead card.

    Boards that such a renaming takes into each other have the same outcome in every
    match-up. Each is the card that every card becomes, ``uint8 (52,)``; identity first.
    """
    return [
        card_of
        for card_of, combo_of in suit_renamings()
        if _same(card_of, spot.board)
        and _same(card_of, spot.dead)
        and all((combo_of[combos] == combos).all() for combos in spot.live)
    ]


def _same(card_of: CardArray, cards: tuple[int, ...]) -> bool:
    return index_set(int(card_of[card]) for card in cards) == index_set(cards)

"""Boards: all that can still come, as arrays, and those that are the same up to suits."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, cards_in_sets, index_sets
from holdem.odds.matchups import fixing_renamings
from holdem.odds.spot import BOARD_SIZE, Spot

_BLOCK = 1 << 16
_BINOMIALS = np.array([[comb(n, k) for n in range(53)] for k in range(6)], dtype=np.int64)


@attrs.frozen(eq=False)
class Boards:
    """Complete boards, each with how many it stands for."""

    cards: CardArray
    """``uint8 (board, 5)``."""

    times: NDArray[np.int64]
    """``int64 (board,)``: how many boards are the same up to a renaming of suits."""


def complete_boards(spot: Spot) -> Boards:
    """List the boards of a spot, holes not yet taken out.

    Boards that a renaming of suits takes into each other are listed once where that renaming
    changes no combo that a player can hold, nor the board and dead cards: then every
    match-up has the same outcome on all of them.
    """
    blocks = list(_runouts(spot))
    renamings = fixing_renamings(spot)
    if len(renamings) == 1 or spot.to_come == 0:
        cards = np.concatenate(blocks)
        return Boards(cards, np.ones(len(cards), dtype=np.int64))
    codes = []
    for block in blocks:
        code = np.full(len(block), np.iinfo(np.uint64).max)
        for card_of in renamings:
            np.minimum(code, index_sets(card_of[block]), out=code)
        codes.append(code)
    found, times = np.unique(np.concatenate(codes), return_counts=True)
    return Boards(cards_in_sets(found, BOARD_SIZE), times.astype(np.int64))


def _runouts(spot: Spot) -> Iterator[CardArray]:
    """Yield blocks of complete boards, ``uint8 (board, 5)``."""
    size, total = spot.to_come, comb(len(spot.board_cards), spot.to_come)
    known = np.array(spot.board, dtype=np.uint8)
    for start in range(0, total, _BLOCK):
        left = np.arange(start, min(start + _BLOCK, total))
        block = np.empty((len(left), BOARD_SIZE), dtype=np.uint8)
        block[:, size:] = known
        # The combinatorial number system: the highest place is the greatest n with
        # C(n, k) <= number, and what is left over numbers the other places.
        for k in range(size, 0, -1):
            place = np.searchsorted(_BINOMIALS[k], left, side="right") - 1
            left = left - _BINOMIALS[k][place]
            block[:, k - 1] = spot.board_cards[place]
        yield block

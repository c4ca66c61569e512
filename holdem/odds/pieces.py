"""Spots whose deals can be put together from pieces: all holes that are not known in one list."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.lookup.keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.joint_holes import holes_of, join
from holdem.odds.kernels.pieces import PIECE_BITS, PieceTables
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.weighted_rows import alias_table
from holdem.ranges.combos import COMBO_CARDS

# How the cards to come on the board are divided into two pieces.
_MOST_HOLES = 1 << 16  # rows of the list: a megabyte at most, which stays in the second cache
_BOARD_PIECES = {5: (3, 2), 2: (2, 0), 1: (1, 0), 0: (0, 0)}


def piece_tables(spot: Spot) -> PieceTables | None:
    """Prepare a spot for the kernels that deal in pieces; None where holes are too many to list."""
    unknown = [player for player in range(spot.players) if not len(spot.known[player])]
    joined = join([holes_of(spot, player) for player in unknown], _MOST_HOLES)
    if len(joined) > 1:
        return None
    drawn = max(len(unknown), 1)
    cards = joined[0].cards if joined else np.zeros((1, 0), dtype=np.uint8)
    weights = joined[0].weights if joined else np.ones(1)
    first, second = _BOARD_PIECES[spot.to_come]
    rows = [_rows(spot.board_cards, first), _rows(spot.board_cards, second), cards]
    width = max(3, 2 * drawn)
    columns = np.full((3, width), -1, dtype=np.int64)
    known = len(spot.board)
    columns[0, :first] = np.arange(known, known + first)
    columns[1, :second] = np.arange(known + first, known + first + second)
    template = np.zeros(BOARD_SIZE + 2 * spot.players, dtype=np.uint8)
    template[:known] = spot.board
    held = np.empty((len(cards), spot.players), dtype=np.uint16)
    for player in range(spot.players):
        place = BOARD_SIZE + 2 * player
        if player in unknown:
            slot = 2 * unknown.index(player)
            hole = cards[:, slot : slot + 2]
            columns[2, slot : slot + 2] = place, place + 1
        else:
            hole = spot.known[player]
            template[place : place + 2] = hole
        held[:, player] = 2 * _combos(hole)
    alike = bool((weights == weights[0]).all())
    keep, alias = alias_table(weights[:0] if alike else weights)
    sizes = np.array([len(part) for part in rows], dtype=np.uint64)
    fractions = np.array([1 << bits for bits in PIECE_BITS], dtype=np.uint64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.uint64)
    boards = np.concatenate([_sums(rows[0]), _sums(rows[1]), _LOST])
    boards[: len(rows[0])] += _START + _sums(template[None, :known])
    return PieceTables(
        template=template,
        scheme=np.stack([sizes, starts, fractions % sizes], axis=1),
        boards=boards.ravel(),
        masks=_sums(cards)[:, 1] | _NO_CARD,
        held=held.ravel(),
        holes=_HOLES.ravel(),
        cards=np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in rows]),
        columns=columns,
        keep=keep,
        alias=alias,
    )


def _rows(cards: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Return every choice of `size` cards, ``uint8 (row, size)``; one empty row for none."""
    return cards[_choices(len(cards), size)]


@cache
def _choices(count: int, size: int) -> NDArray[np.uint8]:
    """Return every choice of `size` places of `count`, ``uint8 (row, size)``."""
    places = chain.from_iterable(combinations(range(count), size))
    return np.fromiter(places, np.uint8, comb(count, size) * size).reshape(comb(count, size), size)


def _sums(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return key sums and suit masks of rows of cards, ``uint64 (row, 2)``."""
    keys = CARD_KEYS[rows].sum(axis=1, dtype=np.uint64)
    masks = np.bitwise_or.reduce(CARD_MASKS[rows], axis=1, initial=np.uint64(0))
    return np.stack([keys, masks], axis=1)


# Key sum and suit mask: what counting begins with, every combo, and the row taken for an unfair
# one. Its mask has a bit that is no card's, and so have all rows of the third piece.
_START = np.array([[SUIT_COUNT_START, 0]], dtype=np.uint64)
_HOLES = _sums(COMBO_CARDS)
_NO_CARD = np.uint64(1 << 63)
_LOST = np.array([[0, _NO_CARD]], dtype=np.uint64)


def _combos(holes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of each combo, ``int64 (row,)``, of ``uint8 (row, 2)`` or one ``(2,)``."""
    high, low = holes.max(axis=-1).astype(np.int64), holes.min(axis=-1)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers

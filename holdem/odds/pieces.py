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

# How the cards to come on the board are divided into two pieces.
_MOST_HOLES = 1 << 16  # rows of the list: a few megabytes, which stay in the second cache
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
    seats = np.zeros((spot.players, 3), dtype=np.uint64)
    for player in range(spot.players):
        place = BOARD_SIZE + 2 * player
        seats[player, 2] = drawn
        if player in unknown:
            slot = unknown.index(player)
            columns[2, 2 * slot : 2 * slot + 2] = place, place + 1
            seats[player, 2] = slot
        template[place : place + len(spot.known[player])] = spot.known[player]
        held = [*spot.board, *spot.known[player].tolist()]
        seats[player, 0] = np.uint64(SUIT_COUNT_START) + CARD_KEYS[held].sum(dtype=np.uint64)
        seats[player, 1] = np.bitwise_or.reduce(CARD_MASKS[held], initial=np.uint64(0))
    alike = bool((weights == weights[0]).all())
    keep, alias = alias_table(weights[:0] if alike else weights)
    sizes = np.array([len(part) for part in rows], dtype=np.uint64)
    fractions = np.array([1 << bits for bits in PIECE_BITS], dtype=np.uint64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.uint64)
    sums = [_sums(part) for part in rows]
    holes = np.zeros((len(cards), drawn, 2), dtype=np.uint64)
    for slot in range(len(unknown)):
        holes[:, slot] = _sums(cards[:, 2 * slot : 2 * slot + 2])
    return PieceTables(
        template=template,
        scheme=np.stack([sizes, starts, fractions % sizes], axis=1),
        masks=np.concatenate([part[:, 1] for part in sums]),
        sums=np.concatenate(sums[:2]),
        holes=holes,
        cards=np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in rows]),
        columns=columns,
        keep=keep,
        alias=alias,
        seats=seats,
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

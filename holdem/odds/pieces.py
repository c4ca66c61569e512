"""Spots whose deals can be put together from pieces: known hands, and at most one that is not."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.lookup.keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.kernels.pieces import PIECE_BITS, PieceTables
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.weighted_rows import alias_table
from holdem.ranges.combos import COMBO_CARDS

# How the cards to come on the board are divided into two pieces.
_BOARD_PIECES = {5: (3, 2), 2: (2, 0), 1: (1, 0), 0: (0, 0)}


def piece_tables(spot: Spot) -> PieceTables | None:
    """Prepare a spot for the kernels that deal in pieces; None where two hands are unknown."""
    unknown = [player for player in range(spot.players) if not len(spot.known[player])]
    if len(unknown) > 1:
        return None
    first, second = _BOARD_PIECES[spot.to_come]
    rows = [_rows(spot.board_cards, first), _rows(spot.board_cards, second)]
    rows.append(COMBO_CARDS[spot.live[unknown[0]]] if unknown else _rows(spot.free, 0))
    columns = np.full((3, 3), -1, dtype=np.int64)
    known = len(spot.board)
    columns[0, :first] = np.arange(known, known + first)
    columns[1, :second] = np.arange(known + first, known + first + second)
    template = np.zeros(BOARD_SIZE + 2 * spot.players, dtype=np.uint8)
    template[:known] = spot.board
    seats = np.zeros((spot.players, 3), dtype=np.uint64)
    for player in range(spot.players):
        place = BOARD_SIZE + 2 * player
        if player in unknown:
            columns[2, :2] = place, place + 1
            seats[player, 2] = ~np.uint64(0)
        template[place : place + len(spot.known[player])] = spot.known[player]
        cards = [*spot.board, *spot.known[player].tolist()]
        seats[player, 0] = np.uint64(SUIT_COUNT_START) + CARD_KEYS[cards].sum(dtype=np.uint64)
        seats[player, 1] = np.bitwise_or.reduce(CARD_MASKS[cards], initial=np.uint64(0))
    weights = spot.weights(unknown[0]) if unknown else np.ones(1)
    alike = bool((weights == weights[0]).all())
    keep, alias = alias_table(weights[:0] if alike else weights)
    sizes = np.array([len(part) for part in rows], dtype=np.uint64)
    fractions = np.array([1 << bits for bits in PIECE_BITS], dtype=np.uint64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.uint64)
    return PieceTables(
        template=template,
        scheme=np.stack([sizes, starts, fractions % sizes], axis=1),
        sums=np.concatenate([_sums(part) for part in rows]),
        cards=np.concatenate([np.pad(part, ((0, 0), (0, 3 - part.shape[1]))) for part in rows]),
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

"""Spots whose deals can be put together from pieces: unknown holes in one list or two."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.lookup.keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.joint_holes import JointHoles, holes_of, join, rows_that_fit
from holdem.odds.kernels.picks import LIST_SHIFTS
from holdem.odds.kernels.pieces import PIECE_BITS, PieceTables
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.odds.weighted_rows import alias_table
from holdem.ranges.combos import COMBO_CARDS

# Rows of a list of holes, whose numbers and one more have 16 bits. Lists are a megabyte at most,
# which stays in the second cache.
_MOST_HOLES = (1 << 16) - 1
_TRIES, _LEAST_FIT = 1 << 12, 1 / 8  # of two lists; where fewer fit, `drawing` knows better ways
_NO_HOLES = JointHoles(
    (), np.zeros((1, 0), dtype=np.uint8), np.zeros(1, dtype=np.uint64), np.ones(1)
)
# How the cards to come on the board are divided into two pieces.
_BOARD_PIECES = {5: (3, 2), 2: (2, 0), 1: (1, 0), 0: (0, 0)}


def piece_tables(spot: Spot) -> PieceTables | None:
    """Prepare a spot for the kernels that deal in pieces; None where holes are too many to list."""
    unknown = [player for player in range(spot.players) if not len(spot.known[player])]
    lists = join([holes_of(spot, player) for player in unknown], _MOST_HOLES) or [_NO_HOLES]
    if len(lists) > len(LIST_SHIFTS) or rows_that_fit(lists, _TRIES)[0] < _LEAST_FIT:
        return None
    first, second = _BOARD_PIECES[spot.to_come]
    known = len(spot.board)
    rows = [_rows(spot.board_cards, first), _rows(spot.board_cards, second)]
    rows += [own.cards for own in lists]
    width = max(3, *(own.cards.shape[1] for own in lists))
    columns = np.full((4, width), -1, dtype=np.int64)
    columns[0, :first] = np.arange(known, known + first)
    columns[1, :second] = np.arange(known + first, known + first + second)
    template = np.zeros(BOARD_SIZE + 2 * spot.players, dtype=np.uint8)
    template[:known] = spot.board
    for player, hole in enumerate(spot.known):
        place = BOARD_SIZE + 2 * player
        template[place : place + len(hole)] = hole
    held = [np.repeat(_combos(hole), len(lists[0].cards)) for hole in spot.known]
    shifts = np.full(spot.players, LIST_SHIFTS[0], dtype=np.uint64)
    for number, own in enumerate(lists):
        for slot, player in enumerate(own.players):
            place = BOARD_SIZE + 2 * player
            columns[2 + number, 2 * slot : 2 * slot + 2] = place, place + 1
            held[player] = _combos(own.cards[:, 2 * slot : 2 * slot + 2])
            shifts[player] = LIST_SHIFTS[number]
    sizes = np.zeros(4, dtype=np.uint64)
    sizes[: len(rows)] = [len(part) for part in rows]
    # The row after the last, taken for an unfair one, stays what it is.
    drawn = [(sizes[:0], sizes[:0])]
    if any((own.weights != own.weights[0]).any() for own in lists):
        drawn = [*(alias_table(own.weights) for own in lists), (sizes[3:], sizes[3:])]
    fractions = np.array([1 << bits for bits in PIECE_BITS], dtype=np.uint64)
    starts = np.cumsum(sizes) - sizes
    boards = np.concatenate([_sums(rows[0]), _sums(rows[1]), _LOST])
    boards[: len(rows[0])] += _START + _sums(template[None, :known])
    masks = [_sums(own.cards)[:, 1] for own in lists]
    masks[0] |= _NO_CARD
    return PieceTables(
        template=template,
        scheme=np.stack([sizes, starts, fractions % np.maximum(sizes, 1)], axis=1),
        boards=boards.ravel(),
        masks=np.concatenate([*masks, _LOST[:, 1]]),
        held=2 * np.concatenate(held).astype(np.uint16),
        starts=np.cumsum([0, *(len(own) for own in held[:-1])]).astype(np.uint64),
        shifts=shifts,
        holes=_HOLES.ravel(),
        cards=np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in rows]),
        columns=columns,
        keep=np.concatenate([keep for keep, _ in drawn]),
        alias=np.concatenate([alias for _, alias in drawn]),
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
# one. Its mask has a bit that is no card's, and so have all rows of the first list of holes.
_START = np.array([[SUIT_COUNT_START, 0]], dtype=np.uint64)
_HOLES = _sums(COMBO_CARDS)
_NO_CARD = np.uint64(1 << 63)
_LOST = np.array([[0, _NO_CARD]], dtype=np.uint64)


def _combos(holes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of each combo, ``int64 (row,)``, of ``uint8 (row, 2)`` or one ``(2,)``.

    None of ``(0,)``.
    """
    if not holes.size:
        return np.zeros(0, dtype=np.int64)
    high, low = holes.max(axis=-1).astype(np.int64), holes.min(axis=-1)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers

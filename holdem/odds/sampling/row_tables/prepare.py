"""Spots whose deals can be put together from pieces: unknown holes in one list or two."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.builtin.lookup.keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.sampling.alias_table import alias_table
from holdem.odds.sampling.joint_holes import JointHoles, holes_of, join, rows_that_fit
from holdem.odds.sampling.row_tables.tables import (
    LIST_SHIFTS,
    PIECE_BITS,
    RANK_BITS,
    SUITS_FROM,
    PieceTables,
)
from holdem.odds.spot import BOARD_SIZE, Spot
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
    singles = [holes_of(spot, player) for player in unknown]
    singles.sort(key=partial(_has_every_hole, spot))  # last, where deals can wait for it
    lists = join(singles, _MOST_HOLES) or [_NO_HOLES]
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
    if not all(map(_weigh_alike, lists)):
        drawn = [*(alias_table(own.weights) for own in lists), (sizes[3:], sizes[3:])]
    fractions = np.array([1 << bits for bits in PIECE_BITS], dtype=np.uint64)
    starts = np.cumsum(sizes) - sizes
    boards = np.concatenate([_sums(rows[0]), _sums(rows[1]), _LOST])
    boards[: len(rows[0])] += _START + _sums(template[None, :known])
    boards[:, 0] = _key_of_two(boards[:, 0], boards[:, 0], boards[:, 0])
    masks = [_sums(own.cards)[:, 1] for own in lists]
    masks[0] |= _NO_CARD
    return PieceTables(
        template=template,
        scheme=np.stack([sizes, starts, fractions % np.maximum(sizes, 1)], axis=1),
        waits=len(lists) > 1 and _has_every_hole(spot, lists[1]),
        boards=boards.ravel(),
        masks=np.concatenate([*masks, _LOST[:, 1]]),
        sums=_sums_of_two(lists, held) if spot.players == 2 else _NO_SUMS,
        held=2 * np.concatenate(held).astype(np.uint16),
        starts=np.cumsum([0, *(len(own) for own in held[:-1])]).astype(np.uint64),
        shifts=shifts,
        holes=_HOLES_OF_MANY.ravel(),
        cards=np.concatenate([np.pad(part, ((0, 0), (0, width - part.shape[1]))) for part in rows]),
        columns=columns,
        keep=np.concatenate([keep for keep, _ in drawn]),
        alias=np.concatenate([alias for _, alias in drawn]),
    )


def _has_every_hole(spot: Spot, own: JointHoles) -> bool:
    """Whether a list is all holes of the cards that are not known, all of one weight.

    Then as many of its rows fit to one deal of the other pieces as to any other.
    """
    every = comb(len(spot.board_cards), 2)
    return len(own.players) == 1 and len(own.sets) == every and _weigh_alike(own)


def _weigh_alike(own: JointHoles) -> bool:
    return bool((own.weights == own.weights[0]).all())


def _sums_of_two(lists: list[JointHoles], held: list[NDArray[np.int64]]) -> NDArray[np.uint64]:
    """Return the keys of two players' holes in each row of their lists, ``uint64 (row,)``.

    Args:
        lists: one, or one a player.
        held: the combos of both players, ``int64 (row,)`` each.
    """
    one, other = (_HOLES[own, 0] for own in held)
    if len(lists) == 1:
        counts = np.zeros_like(one)
        for suit in range(4):
            of_suit = np.uint64(0xF << 32 + 4 * suit)
            counts |= np.maximum(one & of_suit, other & of_suit)
        return _key_of_two(one, other, counts)
    parts = [_key_of_two(one, one * 0, one), _key_of_two(other * 0, other, other)]
    return np.concatenate(parts if lists[0].players == (0,) else parts[::-1])


def _key_of_two(
    one: NDArray[np.uint64], other: NDArray[np.uint64], counts: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Put two players' rank keys and the suits of a third key together."""
    ranks = one & _LOW_32 | (other & _LOW_32) << np.uint64(RANK_BITS)
    key: NDArray[np.uint64] = ranks | counts >> np.uint64(32) << np.uint64(SUITS_FROM)
    return key


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
    keys, masks = np.zeros(len(rows), dtype=np.uint64), np.zeros(len(rows), dtype=np.uint64)
    for cards in rows.T:  # numpy takes ten times as long to sum up short rows
        keys += CARD_KEYS[cards]
        masks |= CARD_MASKS[cards]
    return np.stack([keys, masks], axis=1)


# Key sum and suit mask: what counting begins with, every combo, and the row taken for an unfair
# one. Its mask has a bit that is no card's, and so have all rows of the first list of holes.
_START = np.array([[SUIT_COUNT_START, 0]], dtype=np.uint64)
_LOW_32 = np.uint64(0xFFFFFFFF)
_HOLES = _sums(COMBO_CARDS)
_HOLES_OF_MANY = np.stack(
    [_key_of_two(_HOLES[:, 0], _HOLES[:, 0] * 0, _HOLES[:, 0]), _HOLES[:, 1]], axis=1
)
_NO_SUMS = np.zeros(0, dtype=np.uint64)
_NO_CARD = np.uint64(1 << 63)
_LOST = np.array([[0, _NO_CARD]], dtype=np.uint64)


def _combos(holes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of each combo, ``int64 (row,)``, of ``uint8 (row, 2)`` or one ``(2,)``.

    None of ``(0,)``.
    """
    if not holes.size:
        return np.zeros(0, dtype=np.int64)
    one, other = holes[..., 0].astype(np.int64), holes[..., 1].astype(np.int64)
    high, low = np.maximum(one, other), np.minimum(one, other)
    numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
    return numbers

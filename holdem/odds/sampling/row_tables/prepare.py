"""Preparation of row tables for spots whose unknown hole cards fit into one or two lists."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.odds.sampling.alias_table import alias_table
from holdem.odds.sampling.joint_holes import JointHoles, acceptance, holes_of, join
from holdem.odds.sampling.row_tables.tables import (
    LIST_SHIFTS,
    RANK_BITS,
    ROW_BITS,
    SUITS_FROM,
    RowTables,
)
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.ranges.combos import COMBO_CARDS, combo_numbers

# The most rows of a list of holes: row numbers, and one more, fit into 16 bits. Lists are a
# megabyte at most, which stays in the L2 cache.
_MAX_HOLES = (1 << 16) - 1
_TRIES, _MIN_ACCEPTANCE = 1 << 12, 1 / 8  # of two lists; below, `deck_draws` has better methods
_NO_HOLES = JointHoles(
    (), np.zeros((1, 0), dtype=np.uint8), np.zeros(1, dtype=np.uint64), np.ones(1)
)
# The cards of a row of each of the two board tables, by the number of cards to come.
_CARDS_TO_COME = {5: (3, 2), 2: (2, 0), 1: (1, 0), 0: (0, 0)}


def row_lists(spot: Spot, max_holes: int = _MAX_HOLES) -> list[JointHoles] | None:
    """Return the lists of hole cards of a spot's row tables; None where `row_tables` returns None.

    Args:
        spot: the spot whose deals are drawn.
        max_holes: the most rows of a list of holes of several players.
    """
    unknown = [player for player in range(spot.players) if not len(spot.known[player])]
    singles = [holes_of(spot, player) for player in unknown]
    singles.sort(key=partial(_has_every_hole, spot))  # such a list comes second
    lists = join(singles, max_holes) or [_NO_HOLES]
    if len(lists) > len(LIST_SHIFTS) or acceptance(lists, _TRIES)[0] < _MIN_ACCEPTANCE:
        return None
    return lists


def row_tables(spot: Spot, max_holes: int = _MAX_HOLES) -> RowTables | None:
    """Return tables of a spot's partial boards and hole cards; None if they would be too long or
    too many draws would be rejected.

    Args:
        spot: the spot whose deals are drawn.
        max_holes: the most rows of a list of holes of several players.
    """
    lists = row_lists(spot, max_holes)
    if lists is None:
        return None
    first, second = _CARDS_TO_COME[spot.to_come]
    known = len(spot.board)
    rows = [_choices(spot.board_cards, first), _choices(spot.board_cards, second)]
    rows += [own.cards for own in lists]
    width = max(3, *(own.cards.shape[1] for own in lists))
    columns = np.full((4, width), -1, dtype=np.int64)
    columns[0, :first] = np.arange(known, known + first)
    columns[1, :second] = np.arange(known + first, known + first + second)
    template = np.zeros(BOARD_SIZE + 2 * spot.players, dtype=np.uint8)
    template[:known] = spot.board
    held = [np.zeros(0, dtype=np.int64)] * spot.players
    list_shifts = np.full(spot.players, LIST_SHIFTS[0], dtype=np.uint64)
    for player, hole in enumerate(spot.known):
        if len(hole):
            column = BOARD_SIZE + 2 * player
            template[column : column + 2] = hole
            held[player] = np.repeat(combo_numbers(hole), len(lists[0].cards))
    for number, own in enumerate(lists):
        for slot, player in enumerate(own.players):
            column = BOARD_SIZE + 2 * player
            columns[2 + number, 2 * slot : 2 * slot + 2] = column, column + 1
            held[player] = combo_numbers(own.cards[:, 2 * slot : 2 * slot + 2])
            list_shifts[player] = LIST_SHIFTS[number]
    sizes = np.zeros(4, dtype=np.uint64)
    sizes[: len(rows)] = [len(table) for table in rows]
    aliases = [(sizes[:0], sizes[:0])]
    if not all(map(_is_unweighted, lists)):
        # The row after the last, which stands for a rejected draw, is its own alias.
        aliases = [*(alias_table(own.weights) for own in lists), (sizes[3:], sizes[3:])]
    boards = np.concatenate([_key_sums(rows[0]), _key_sums(rows[1]), _REJECTED])
    boards[: len(rows[0])] += _START + _key_sums(template[None, :known])
    boards[:, 0] = _key_of_two(boards[:, 0], boards[:, 0], boards[:, 0])
    hole_masks = [_key_sums(own.cards)[:, 1] for own in lists]
    hole_masks[0] |= _NO_CARD
    fractions = np.array([1 << bits for bits in ROW_BITS], dtype=np.uint64)
    return RowTables(
        template=template,
        layout=np.stack(
            [sizes, np.cumsum(sizes) - sizes, fractions % np.maximum(sizes, 1)], axis=1
        ),
        redraws_second=len(lists) > 1 and _has_every_hole(spot, lists[1]),
        boards=boards.ravel(),
        hole_masks=np.concatenate([*hole_masks, _REJECTED[:, 1]]),
        hole_keys=_keys_of_two(lists, held) if spot.players == 2 else sizes[:0],
        held=2 * np.concatenate(held).astype(np.uint16),
        held_starts=np.cumsum([0, *(len(own) for own in held[:-1])]).astype(np.uint64),
        list_shifts=list_shifts,
        combos=_COMBOS_OF_MANY.ravel(),
        cards=np.concatenate([np.pad(own, ((0, 0), (0, width - own.shape[1]))) for own in rows]),
        columns=columns,
        keep=np.concatenate([keep for keep, _ in aliases]),
        alias=np.concatenate([alias for _, alias in aliases]),
    )


def _has_every_hole(spot: Spot, own: JointHoles) -> bool:
    """Return whether a list contains every possible pair of hole cards, all with equal weights.

    The rest of any deal then leaves the same number of its rows, so its rows can be redrawn
    until one fits.
    """
    every = comb(len(spot.board_cards), 2)
    return len(own.players) == 1 and len(own.sets) == every and _is_unweighted(own)


def _is_unweighted(own: JointHoles) -> bool:
    return bool((own.weights == own.weights[0]).all())


def _keys_of_two(lists: list[JointHoles], held: list[NDArray[np.int64]]) -> NDArray[np.uint64]:
    """Return the combined key of two players for each row of their lists of hole cards as ``uint64
    (row,)``.

    Args:
        lists: one, or one for each player.
        held: the combos of both players, ``int64 (row,)`` each.
    """
    first, second = (_COMBOS[own, 0] for own in held)
    if len(lists) == 1:
        counts = np.zeros_like(first)
        for suit in range(4):
            of_suit = np.uint64(0xF << 32 + 4 * suit)
            counts |= np.maximum(first & of_suit, second & of_suit)
        return _key_of_two(first, second, counts)
    parts = [_key_of_two(first, first * 0, first), _key_of_two(second * 0, second, second)]
    return np.concatenate(parts if lists[0].players == (0,) else parts[::-1])


def _key_of_two(
    first: NDArray[np.uint64], second: NDArray[np.uint64], counts: NDArray[np.uint64]
) -> NDArray[np.uint64]:
    """Pack two players' rank keys and the suit counts of a third key into one key."""
    ranks = first & _LOW_32 | (second & _LOW_32) << np.uint64(RANK_BITS)
    key: NDArray[np.uint64] = ranks | counts >> np.uint64(32) << np.uint64(SUITS_FROM)
    return key


def _choices(cards: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Return every combination of `size` of the cards as ``uint8 (row, size)``.

    For size 0 this is one empty row.
    """
    return cards[_index_choices(len(cards), size)]


@cache
def _index_choices(count: int, size: int) -> NDArray[np.uint8]:
    """Return every combination of `size` indices below `count` as ``uint8 (row, size)``."""
    indices = chain.from_iterable(combinations(range(count), size))
    shape = comb(count, size), size
    return np.fromiter(indices, np.uint8, shape[0] * size).reshape(shape)


def _key_sums(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return the sum of card keys and the suit bit mask of each row of cards as ``uint64 (row,
    2)``.
    """
    keys, masks = np.zeros(len(rows), dtype=np.uint64), np.zeros(len(rows), dtype=np.uint64)
    for cards in rows.T:  # ten times as fast as numpy's sum over short rows
        keys += CARD_KEYS[cards]
        masks |= CARD_MASKS[cards]
    return np.stack([keys, masks], axis=1)


_LOW_32 = np.uint64(0xFFFFFFFF)
# Key sums and suit masks: the start of suit counts, every combo, and the row that stands for a
# rejected draw. Its mask has a bit of no card, which all rows of the first list of holes have.
_START = np.array([[SUIT_COUNT_START, 0]], dtype=np.uint64)
_COMBOS = _key_sums(COMBO_CARDS)
_COMBOS_OF_MANY = np.stack(
    [_key_of_two(_COMBOS[:, 0], _COMBOS[:, 0] * 0, _COMBOS[:, 0]), _COMBOS[:, 1]], axis=1
)
_NO_CARD = np.uint64(1 << 63)
_REJECTED = np.array([[0, _NO_CARD]], dtype=np.uint64)

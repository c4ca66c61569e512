"""The default evaluator, which sums card keys and looks up the strength.

The tables are those of a rule set (`holdem.evaluation.builtin.lookup_tables`). Kernels take them as
arguments and pass them on to inlined helpers only. If a helper were not inlined, each call would
count references to its tables, and kernels would rank 38 instead of 800 million hands a second.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.builtin.lookup_tables import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    OFFSETS,
    OFFSETS_7,
    ROW_BITS,
    SUIT_COUNT_START,
    StrengthTable,
    StrengthTables,
    look_up_ranks,
    tables_of,
)
from holdem.jit.kernels import MOST_HANDS, import_numba, inlined, kernel, kernel_or_numpy
from holdem.rules import STANDARD, RuleSet

_OFFSETS_5, _OFFSETS_6 = OFFSETS[5], OFFSETS[6]
_START = np.uint64(SUIT_COUNT_START)
_FLUSH = np.uint64(FLUSH_BITS)
_CLUBS, _DIAMONDS, _HEARTS = np.uint64(8 << 32), np.uint64(8 << 36), np.uint64(8 << 40)
_ROW = np.uint32(ROW_BITS)
_BLOCK = 512  # hands
# Padded to all bytes, so that invalid ids cannot read outside the tables.
_KEYS, _MASKS = (np.pad(cards, (0, 256 - len(cards))) for cards in (CARD_KEYS, CARD_MASKS))
_CARDS = np.uint64(DECK_SIZE)
# The same as Python integers, for single hands.
_KEY_OF, _MASK_OF = CARD_KEYS.tolist(), CARD_MASKS.tolist()
_FIRST_FLUSH_BIT = 35  # of clubs; those of the other suits are 4, 8 and 12 bits higher
_32_BITS = (1 << 32) - 1
_8_BITS, _13_BITS = np.uint64(8), np.uint64(0x1FFF)


@inlined
def flush_strength(table: StrengthTable, key: np.uint64, mask: np.uint64) -> np.uint16:
    """Look up the strength of a hand that contains a flush.

    `table` may be that of any size: all three have the same flushes. `key` is the sum of the cards'
    `CARD_KEYS` and `SUIT_COUNT_START`, `mask` their `CARD_MASKS` combined by OR.
    """
    if key & _CLUBS:
        ranks = mask
    elif key & _DIAMONDS:
        ranks = mask >> np.uint64(16)
    elif key & _HEARTS:
        ranks = mask >> np.uint64(32)
    else:
        ranks = mask >> np.uint64(48)
    return table[ranks & _13_BITS]  # type: ignore[no-any-return]


@inlined
def rank_strength(table: StrengthTable, key_sum: np.uint32) -> np.uint16:
    """Look up the strength of seven cards without a flush.

    `table` is the table for hands of seven cards, and `key_sum` is the sum of the `RANK_KEYS` of
    their ranks.
    """
    return table[np.uint32(key_sum + OFFSETS_7[key_sum >> _ROW])]  # type: ignore[no-any-return]


@inlined
def strength_of_ranks(table: StrengthTable, key_sum: np.uint32, size: Any) -> Any:
    """Look up the strength of five to seven cards without a flush.

    `table` is the table for hands of this size, and `key_sum` is the sum of the `RANK_KEYS` of
    their ranks. `size` is the number of cards, ``uint64``. If it is a constant, the machine code
    has no branch.
    """
    if size == np.uint64(5):
        return table[np.uint32(key_sum + _OFFSETS_5[key_sum >> _ROW])]
    if size == np.uint64(6):
        return table[np.uint32(key_sum + _OFFSETS_6[key_sum >> _ROW])]
    return rank_strength(table, key_sum)


@inlined
def strength(table: StrengthTable, key: np.uint64, mask: np.uint64) -> np.uint16:
    """Look up the strength of seven cards; the arguments are as in `flush_strength`."""
    if key & _FLUSH:
        return flush_strength(table, key, mask)
    return rank_strength(table, np.uint32(key))


@kernel
def _rank_five(
    hands: CardArray, sums: NDArray[np.uint64], table: StrengthTable, strengths: NDArray[np.int16]
) -> None:
    _rank(hands, np.uint64(5), sums, table, strengths)


@kernel
def _rank_six(
    hands: CardArray, sums: NDArray[np.uint64], table: StrengthTable, strengths: NDArray[np.int16]
) -> None:
    _rank(hands, np.uint64(6), sums, table, strengths)


@kernel
def _rank_seven(
    hands: CardArray, sums: NDArray[np.uint64], table: StrengthTable, strengths: NDArray[np.int16]
) -> None:
    _rank(hands, np.uint64(7), sums, table, strengths)


@inlined
def _rank(
    hands: CardArray,
    size: Any,
    sums: NDArray[np.uint64],
    table: StrengthTable,
    strengths: NDArray[np.int16],
) -> None:
    """Write the strengths of hands ``uint8 (hand, size)`` to `strengths`, ``int16 (hand,)``.

    A block of hands is ranked without regard to flushes. Then the hands with a flush, one in
    thirty, are ranked again. A branch for each hand would be mispredicted too often.

    Hands are not checked. `size` is a constant, `sums` is from `_two_card_sums`, and `table` is
    that of this size.
    """
    rows = np.empty(_BLOCK, dtype=np.uint64)
    keys = np.empty(_BLOCK, dtype=np.uint64)
    first, count = np.uint64(0), np.uint64(len(hands))
    while first < count:
        last = min(first + np.uint64(_BLOCK), count)
        flushes = np.uint64(0)
        for i in range(first, last):
            key = _START
            for pair in range(size >> np.uint64(1)):
                key += sums[_two_bytes(hands, i, pair << np.uint64(1))]
            if size & np.uint64(1):
                key += _KEYS[hands[i, size - np.uint64(1)]]
            strengths[i] = strength_of_ranks(table, np.uint32(key), size)
            rows[flushes], keys[flushes] = i, key
            flushes += np.uint64(key & _FLUSH != 0)
        for place in range(flushes):
            i, mask = rows[place], np.uint64(0)
            for j in range(size):
                mask |= _MASKS[hands[i, j]]
            strengths[i] = flush_strength(table, keys[place], mask)
        first = last


@inlined
def _two_bytes(hands: CardArray, hand: Any, place: Any) -> Any:
    """Read the ids in row `hand` and the columns `place` and `place + 1` as a 16-bit integer.

    Only as a separate function is this compiled to one instruction.
    """
    return np.uint64(hands[hand, place]) | np.uint64(hands[hand, place + np.uint64(1)]) << _8_BITS


_KERNELS = {5: _rank_five, 6: _rank_six, 7: _rank_seven}


class RankByTables:
    """A batch function that ranks hands of five to seven cards by the tables of a rule set."""

    def __init__(self, rules: RuleSet) -> None:
        self.tables: StrengthTables = tables_of(rules)

    def __call__(self, hands: CardArray) -> NDArray[np.int16]:
        """Rank hands, ``uint8 (hand, card)``; return ``int16 (hand,)``, 1 for the weakest class."""
        strengths = np.empty(len(hands), dtype=np.int16)
        size = hands.shape[1]
        rank = kernel_or_numpy(_KERNELS[size], _rank_in_numpy, len(hands), MOST_HANDS)
        rank(hands, _two_card_sums(), self.tables.of_size[size], strengths)
        return strengths


def rank_batch(hands: CardArray) -> NDArray[np.int16]:
    """Rank hands ``uint8 (hand, 5..7)``, unchecked, by standard rules: ``int16 (hand,)``."""
    return rank_by_standard_rules()(hands)


@cache
def rank_by_standard_rules() -> RankByTables:
    """Return the batch function of the default evaluator."""
    return RankByTables(STANDARD)


def _rank_in_numpy(
    hands: CardArray,
    sums: NDArray[np.uint64],  # noqa: ARG001 - as the kernels
    table: StrengthTable,
    strengths: NDArray[np.int16],
) -> None:
    """Write the strengths of hands to `strengths` in numpy, with the arguments of the kernels."""
    keys = np.full(len(hands), _START)
    for cards in hands.T:
        keys += _KEYS[cards]
    strengths[:] = look_up_ranks(table, keys.astype(np.uint32), hands.shape[1])
    (rows,) = np.nonzero(keys & _FLUSH)
    masks = np.bitwise_or.reduce(_MASKS[hands[rows]], axis=1)
    strengths[rows] = _look_up_flushes(table, keys[rows], masks)


def rank_holes(table: NDArray[Any], boards: CardArray, holes: CardArray) -> NDArray[np.int16]:
    """Rank holes, ``uint8 (hole, 2)``, with each board, ``uint8 (board, 3..5)``, in numpy.

    The result is ``int16 (board, hole)``, meaningless if a hole card is on the board. `table` is
    that of the board and hole cards together, or one of its layout with other values for strengths.
    """
    size = boards.shape[1] + 2
    board_keys, hole_keys = (CARD_KEYS[cards].sum(axis=1) for cards in (boards, holes))
    keys = (board_keys + _START)[:, None] + hole_keys
    strengths = look_up_ranks(table, keys.astype(np.uint32), size).astype(np.int16)
    rows, columns = np.nonzero(keys & _FLUSH)
    board_masks, hole_masks = (
        np.bitwise_or.reduce(CARD_MASKS[cards], axis=1) for cards in (boards, holes)
    )
    masks = board_masks[rows] | hole_masks[columns]
    strengths[rows, columns] = _look_up_flushes(table, keys[rows, columns], masks)
    return strengths


def _look_up_flushes(
    table: NDArray[Any], keys: NDArray[np.uint64], masks: NDArray[np.uint64]
) -> NDArray[np.uint16]:
    """Look up the strengths of hands with a flush.

    The arguments are those of `flush_strength`; `keys` and `masks` are ``uint64 (hand,)``.
    """
    # The flag of each suit is the last of four bits, the first suit's of those from bit 32 on.
    flags = keys & _FLUSH
    suits = (np.bitwise_count(flags - np.uint64(1)) - np.uint64(35)) >> np.uint64(2)
    found: NDArray[np.uint16] = table[masks >> np.uint64(16) * suits & _13_BITS]
    return found


@cache
def _two_card_sums() -> NDArray[np.uint64]:
    """Compute the sum of the keys of two cards for all pairs of bytes, ``uint64 (65536,)``.

    The index is one id plus 256 times the other. Kernels thus need one look-up for two cards. Hands
    use only 22 kB of the half megabyte, which stay in the L1 and L2 caches.
    """
    return np.add.outer(_KEYS, _KEYS).ravel()


def rank_one(tables: StrengthTables, hand: bytes) -> int:
    """Rank one hand, the ids of its cards, in plain Python, in about a microsecond.

    The strength is 1 or more; 0 says that the bytes are not a hand: another number of cards, an id
    that is not a card or not in the deck, or a card twice.
    """
    size = len(hand)
    if size not in OFFSETS or max(hand) >= DECK_SIZE or len(set(hand)) < size:
        return 0
    table = tables.of_size[size]
    key = sum([_KEY_OF[card] for card in hand], SUIT_COUNT_START)
    if flush := key & FLUSH_BITS:
        if min(hand) < 4 * tables.rules.lowest_rank:  # the ranks of other suits are not looked up
            return 0
        suit = (flush >> _FIRST_FLUSH_BIT).bit_length() // 4
        mask = 0
        for card in hand:
            mask |= _MASK_OF[card]
        return table.item(mask >> 16 * suit & 0x1FFF)
    ranks = key & _32_BITS
    return table.item(ranks + OFFSETS[size].item(ranks >> ROW_BITS) & _32_BITS)


@kernel
def _rank_one_compiled(
    hand: Any, lowest: Any, five: StrengthTable, six: StrengthTable, seven: StrengthTable
) -> Any:
    """Rank one hand, given as bytes, as `rank_one` does; ids below `lowest` are not in the deck.

    `five`, `six` and `seven` are the tables for hands of each size.
    """
    size = np.uint64(len(hand))
    if size < np.uint64(5) or size > np.uint64(7):
        return np.int64(0)
    key, mask = _START, np.uint64(0)
    for place in range(size):
        card = np.uint64(hand[place])
        if card >= _CARDS or card < lowest or mask & CARD_MASKS[card]:
            return np.int64(0)
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    if key & _FLUSH:
        return np.int64(flush_strength(seven, key, mask))
    if size == np.uint64(5):
        return np.int64(strength_of_ranks(five, np.uint32(key), np.uint64(5)))
    if size == np.uint64(6):
        return np.int64(strength_of_ranks(six, np.uint32(key), np.uint64(6)))
    return np.int64(rank_strength(seven, np.uint32(key)))


@cache
def compile_rank_one(tables: StrengthTables) -> Callable[[bytes], int]:
    """Compile and return a function that ranks one hand as `rank_one` does, but thrice as fast.

    The function takes the ids of the cards as bytes, and returns the strength or 0.
    """
    import_numba()
    from numba import njit

    five, six, seven = (tables.of_size[size] for size in (5, 6, 7))
    lowest = np.uint64(4 * tables.rules.lowest_rank)

    # Kernels release the GIL, which would take a tenth of the time of such a short call.
    @njit
    def rank(hand: bytes) -> Any:
        return _rank_one_compiled(hand, lowest, five, six, seven)

    rank(b"")
    return rank  # type: ignore[no-any-return]

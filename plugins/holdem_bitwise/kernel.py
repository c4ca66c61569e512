"""The bitwise method: two bit fields name a hand, and the same two break ties.

The functions that are plain here answer one hand, given as the article gives it: ranks 2..14
with aces high, and a flag (a power of two) for each card's suit. Those marked ``inlined`` are
also what the batch kernel is made of. ``README.md`` derives the constants.

* **s**, the rank field: bit ``rank`` is set for each rank held;
* **v**, the count field: nibble ``rank`` is 0, 1, 3, 7, 15 for a rank held 0 to 4 times.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from holdem import inlined, kernel

#: The names of hands, each where the arithmetic of `name_index` comes out.
NAMES = (
    *("4 of a Kind", "Straight Flush", "Straight", "Flush", "High Card"),
    *("1 Pair", "2 Pair", "Royal Flush", "3 of a Kind", "Full House"),
)

#: The rank field of A 2 3 4 5, the one straight whose bits do not stand side by side.
WHEEL = 0x403C
#: The rank field of T J Q K A: in one suit, the royal flush.
ROYAL = 0x7C00
#: A digit for each name from `NAMES[0]` in the lowest nibble up: its place in the order of
#: categories. A royal flush is the straight flush whose ranks are highest.
ORDER = 0x6382105487

_WHEEL_ACE_LOW = 0x3C  # 2 3 4 5: what counts of the wheel
_EVERY_NIBBLE = 0x0111_1111_1111_1111  # the lowest bit of nibbles 0..14
_BLOCK = 512  # hands at a time: five columns of 2 KB stay in the first cache


@inlined
def count_card(v: int, rank: int) -> int:
    """Return the count field with one more card: its nibble n becomes 2n + 1, so 0, 1, 3, 7, 15."""
    one = 1 << 4 * rank
    return v + (v & 15 * one) + one


def fields(ranks: Sequence[int]) -> tuple[int, int]:
    """Return the fields s and v of five ranks, 2..14 for 2..A."""
    s = v = 0
    for rank in ranks:
        s |= 1 << rank
        v = count_card(v, rank)
    return s, v


def is_straight(s: int) -> bool:
    """Say whether five ranks are in a row: over its lowest bit, the field is 11111 in binary."""
    return s / (s & -s) == 31 or s == WHEEL


def is_flush(suits: Sequence[int]) -> bool:
    """Say whether the first card's suit flag is also the OR of the other four."""
    first, *others = suits
    together = 0
    for flag in others:
        together |= flag
    return first == together


@inlined
def name_index(s: int, v: int, straight: bool, flush: bool) -> int:
    """Return the place of a hand's name in `NAMES`.

    ``v % 15`` is the sum of the nibbles (16 is 1 modulo 15): 5 without a pair, 6 a pair, 7 two
    pair, 9 three of a kind, 10 a full house, and 1 for the 16 of four of a kind. A straight
    and a flush come only with 5, and move it to the places that are left.
    """
    return v % 15 - (3 if straight else 1) - flush * (-5 if s == ROYAL else 1)


def analyse(ranks: Sequence[int], suits: Sequence[int]) -> str:
    """Name a hand of five cards as the article does: ``"Straight (Ace low)"``.

    Args:
        ranks: five ranks, 2..14 for 2..A; trusted.
        suits: five suit flags, powers of two; trusted.
    """
    s, v = fields(ranks)
    name = NAMES[name_index(s, v, is_straight(s), is_flush(suits))]
    return name + (" (Ace low)" if s == WHEEL else "")


@inlined
def repeated_ranks(v: int) -> int:
    """Return, as a rank field, the ranks held three times or more, or if none those held twice.

    Bit 2 of a nibble says three or more, bit 1 two or more. Four folding steps bring the
    bits, which stand four apart, together.
    """
    thrice = v >> 2 & _EVERY_NIBBLE
    twice = v >> 1 & _EVERY_NIBBLE
    field = thrice if thrice else twice
    field = (field | field >> 3) & 0x0303_0303_0303_0303
    field = (field | field >> 6) & 0x000F_000F_000F_000F
    field = (field | field >> 12) & 0x0000_00FF_0000_00FF
    return (field | field >> 24) & 0x7FFF


@inlined
def combine(index: int, s: int, v: int) -> int:
    """Return the strength of a hand: category, then what stands more than once, then all ranks.

    Args:
        index: its name's place in `NAMES`.
        s: the rank field.
        v: the count field.

    Returns:
        ``category << 26 | repeated ranks << 13 | ranks``, below 2^30, the fields without
        their two empty low bits; category 0..8. Where category and repeated ranks are equal,
        the other ranks are single cards, or a full house's pair: the rank field orders them.
    """
    category = ORDER >> 4 * index & 15
    ranks = _WHEEL_ACE_LOW if s == WHEEL else s
    return category << 26 | repeated_ranks(v) << 11 | ranks >> 2


def strength(ranks: Sequence[int], suits: Sequence[int]) -> int:
    """Return the strength of a hand; arguments as for `analyse`. Equal is a tie."""
    s, v = fields(ranks)
    return combine(name_index(s, v, is_straight(s), is_flush(suits)), s, v)


@inlined
def in_a_row(s: int) -> bool:
    """Answer as `is_straight` does, with the lowest bit multiplied instead of divided by.

    Processors have no vector of integer divisions: with one, the batch ran at 85 million hands
    a second, not 280.
    """
    return (s == 31 * (s & -s)) | (s == WHEEL)


@inlined
def casting_out(v: int) -> int:
    """Return a number below 2^18 with the same remainder modulo 15 as the count field.

    2^32 and 2^16 are 1 modulo 15, so halves can be added. A modulo of 64 bits is emulated in
    vector code: 250 million hands a second, not 280; 95, not 210, without AVX-512.
    """
    half = (v & 0xFFFF_FFFF) + (v >> 32)
    return (half & 0xFFFF) + (half >> 16)


@kernel
def _rank(hands: NDArray[np.uint8], strengths: NDArray[np.int32]) -> None:
    """Rank ``uint8 (hand, 5)``, ids trusted, into ``int32 (hand,)``.

    Two passes over a block: the first turns rows into columns, after which the second, all
    of it arithmetic, becomes vector code: 280 instead of 135 million hands a second.
    """
    columns = np.empty((5, _BLOCK), dtype=np.int32)
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        answers = strengths[start : start + _BLOCK]
        for i in range(np.uint64(len(block))):
            for j in range(np.uint64(5)):
                columns[j, i] = block[i, j]
        for i in range(np.uint64(len(block))):
            s = v = suits = 0
            for j in range(np.uint64(5)):
                card = columns[j, i]
                rank = (card >> 2) + 2
                s |= 1 << rank
                v = count_card(v, rank)
                suits |= 1 << (card & 3)
            flush = suits == 1 << (columns[0, i] & 3)
            answers[i] = combine(name_index(s, casting_out(v), in_a_row(s), flush), s, v)


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Rank ``uint8 (hand, 5)``, trusted -> ``int32 (hand,)``; bigger is stronger."""
    strengths = np.empty(len(hands), dtype=np.int32)
    _rank(hands, strengths)
    return strengths

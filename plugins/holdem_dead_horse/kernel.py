"""The dead-horse method: OR, XOR and sum of five 17-bit cards determine the strength.

Plain functions take one hand of cards from `tables.CARDS`. Functions marked ``inlined`` are also
used by the batch kernel. ``README.md`` derives the constants. Three numbers describe a hand:

* **union**, the OR of the cards: all its ranks and suits;
* **odd**, the XOR of the rank bits: the ranks with one or three cards;
* **total**, the sum of the rank bits, each as often as there are cards of the rank.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from holdem import inlined, kernel
from holdem_dead_horse.tables import CARDS

#: The thirteen rank bits, as a mask that removes the suit.
RANKS = 8191
#: The ranks of A 2 3 4 5, and of the highest straight.
WHEEL, BROADWAY = 4111, 7936
#: The least common multiple of `WHEEL` and `BROADWAY`, and so of the rank bits of every straight.
STRAIGHT_MULTIPLE = 32_624_896
#: A multiple of each single suit bit.
FLUSH_MULTIPLE = 65_536
#: The ranks of the wheel without its ace: 2 3 4 5.
_WHEEL_ACE_LOW = 15

_FULL_HOUSE = 6
_BLOCK = 512  # hands: three columns of 4 KB fit in the L1 cache


def fold(cards: Sequence[int]) -> tuple[int, int, int]:
    """Return ``(union, odd, total)``: the OR of five 17-bit cards, the XOR and sum of rank bits."""
    union = odd = total = 0
    for card in cards:
        union |= card
        odd ^= card & RANKS
        total += card & RANKS
    return union, odd, total


def is_straight(union: int) -> bool:
    """Return whether five cards are a straight; `union` is the OR of the cards."""
    return STRAIGHT_MULTIPLE % (union & RANKS) == 0


def is_flush(union: int) -> bool:
    """Return whether five cards are of one suit; `union` is the OR of the cards."""
    return FLUSH_MULTIPLE % (union & ~RANKS) == 0


@inlined
def bits_set(ranks: int) -> int:
    """Count the ones among thirteen bits, by adding up pairs of bits, then fours, then eights."""
    pairs = ranks - (ranks >> 1 & 0x5555)
    fours = (pairs & 0x3333) + (pairs >> 2 & 0x3333)
    eights = fours + (fours >> 4) & 0x0F0F
    return eights + (eights >> 8) & 15


@inlined
def duplicates(union: int, odd: int) -> int:
    """Return the number of ones in `union` plus those in `odd`; it tells how ranks are repeated.

    It is 10 without a repeated rank, 7 for a pair, 4 for two pair, 6 for three of a kind and 3 for
    a full house or four of a kind. The arguments are those of `combine`.
    """
    return bits_set(union) + bits_set(odd)


@inlined
def is_four_of_a_kind(union: int, odd: int, total: int) -> bool:
    """Return whether a hand, which is four of a kind or a full house, is four of a kind.

    In four of a kind, `odd` is the single card, and the rest of `union` is the rank of the four.
    The arguments are those of `combine`.
    """
    return total == 4 * (union ^ odd) + odd


@inlined
def combine(union: int, odd: int, total: int, straight: bool, flush: bool) -> int:
    """Return the strength of a hand, ``category << 27 | repeated << 13 | ranks``, below 2^31.

    `union`, `odd` and `total` are the OR, the XOR and the sum of the rank bits, without suits. The
    category, 0..8, is a sum of comparisons; ``README.md`` has the speeds of this and of branches.
    """
    count = duplicates(union, odd)
    category = (
        1 * (count == 7)
        + 2 * (count == 4)
        + 3 * (count == 6)
        + (_FULL_HOUSE + is_four_of_a_kind(union, odd, total)) * (count == 3)
        + 4 * straight
        + 5 * flush
        - (straight & flush)  # both: 4 + 5 - 1 = 8
    )
    # The sum minus the OR counts each rank once less than the hand holds it, and orders the
    # hands of a category. In a full house the rank of the pair could outweigh that of the
    # three; there the XOR is the rank of the three.
    repeated = odd if category == _FULL_HOUSE else total - union
    ranks = _WHEEL_ACE_LOW if union == WHEEL else union
    return category << 27 | repeated << 13 | ranks


def strength(cards: Sequence[int]) -> int:
    """Return the strength of five 17-bit cards; bigger is stronger."""
    union, odd, total = fold(cards)
    return combine(union & RANKS, odd, total, is_straight(union), is_flush(union))


@inlined
def divides(divisor: int, number: int) -> bool:
    """Return whether ``number % divisor == 0``, for 0 < divisor < 2^17 and number < 2^26.

    x86 and Neon have no division of vectors of integers, but one of floating-point numbers;
    ``README.md`` has the speeds with either. The result is exact: a quotient that is not an integer
    differs from one by at least 1 / divisor > 2^-17, and doubles below 2^26 are at most 2^-27
    apart.
    """
    quotient = np.divide(number, divisor)
    return quotient == np.trunc(quotient)  # type: ignore[no-any-return]


@kernel
def _rank(hands: NDArray[np.uint8], strengths: NDArray[np.int32]) -> None:
    """Write the strengths of hands, ``uint8 (hand, 5)``, to `strengths`, ``int32 (hand,)``.

    The first pass over a block looks up the cards. LLVM vectorizes the second, which is pure
    arithmetic; ``README.md`` has the speeds with one pass and with two.
    """
    unions = np.empty(_BLOCK, dtype=np.int64)
    odds = np.empty(_BLOCK, dtype=np.int64)
    totals = np.empty(_BLOCK, dtype=np.int64)
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        answers = strengths[start : start + _BLOCK]
        for i in range(np.uint64(len(block))):
            union = odd = total = 0
            for j in range(np.uint64(5)):
                card = CARDS[block[i, j]]
                union |= card
                odd ^= card & RANKS
                total += card & RANKS
            unions[i], odds[i], totals[i] = union, odd, total
        for i in range(np.uint64(len(block))):
            ranks, suits = unions[i] & RANKS, unions[i] & ~RANKS
            straight = divides(ranks, STRAIGHT_MULTIPLE)
            flush = divides(suits, FLUSH_MULTIPLE)
            answers[i] = combine(ranks, odds[i], totals[i], straight, flush)


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Rank hands of five cards, ``uint8 (hand, 5)``, not checked; bigger is stronger."""
    strengths = np.empty(len(hands), dtype=np.int32)
    _rank(hands, strengths)
    return strengths

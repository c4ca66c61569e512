"""The cactus-kev method: the class of five cards, 1..7462, 1 for the strongest.

The class of a flush, or of five different ranks, is looked up by the rank bits. For any other hand,
a prime stands for each rank, and the product of the five primes is looked up with a binary search
or a perfect hash.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem_cactus_kev import cards, perfect_hash
from holdem_cactus_kev.tables import (
    CARDS,
    DISPLACEMENTS,
    EMPTY_SLOT,
    FLUSHES,
    HASH_MULTIPLIER,
    LAST_CLASSES,
    PRODUCTS,
    SLOT_VALUES,
    UNIQUE5,
    VALUES,
)

Field: TypeAlias = np.uint32  # a card as `cards.card_bitfield` makes it

_PRIME = np.uint32(cards.PRIME_MASK)
_SUIT = np.uint32(cards.SUIT_MASK)
_RANK_BIT_SHIFT = np.uint32(cards.RANK_BIT_SHIFT)
_MULTIPLIER = np.uint64(HASH_MULTIPLIER)
_WORD = np.uint64((1 << perfect_hash.WORD_BITS) - 1)
_BUCKET_SHIFT = np.uint64(perfect_hash.BUCKET_SHIFT)
_SLOT_SHIFT = np.uint64(perfect_hash.SLOT_SHIFT)
_SLOT = np.uint64(perfect_hash.SLOTS - 1)
_EMPTY = np.uint64(EMPTY_SLOT)
_WEAKEST = LAST_CLASSES[-1]


# --- products ----------------------------------------------------------------------------


@holdem.inlined
def prime_product(a: Field, b: Field, c: Field, d: Field, e: Field) -> np.uint64:
    """Return the product of the primes of five cards, which is at most 41^4 * 37 < 2^27."""
    product = np.uint64(a & _PRIME)
    product *= b & _PRIME
    product *= c & _PRIME
    product *= d & _PRIME
    product *= e & _PRIME
    return product


@holdem.inlined
def find_by_search(product: np.uint64) -> np.uint64:
    """Return the index of a product in `PRODUCTS`, found by binary search in at most 13 steps.

    The class is at the same index of `VALUES`. If the product isn't in `PRODUCTS`, which is not
    checked, the index is that of another product.
    """
    low, high = np.uint64(0), np.uint64(len(PRODUCTS) - 1)
    while low < high:
        middle = (low + high) >> np.uint64(1)
        if PRODUCTS[middle] < product:
            low = middle + np.uint64(1)
        else:
            high = middle
    return low


@holdem.inlined
def find_by_hash(product: np.uint64) -> np.uint64:
    """Return the index in `SLOT_VALUES` of the class that belongs to a product.

    If the product isn't in `PRODUCTS`, which is not checked, the index is that of some slot.
    """
    mixed = product * _MULTIPLIER & _WORD
    return mixed >> _SLOT_SHIFT & _SLOT ^ np.uint64(DISPLACEMENTS[mixed >> _BUCKET_SHIFT])


# --- five cards ----------------------------------------------------------------------------


@holdem.inlined
def class_by_search(a: Field, b: Field, c: Field, d: Field, e: Field) -> np.uint16:
    """Return the class of five cards, with a binary search for their product."""
    ranks = (a | b | c | d | e) >> _RANK_BIT_SHIFT
    if a & b & c & d & e & _SUIT:
        return np.uint16(FLUSHES[ranks])
    if UNIQUE5[ranks]:
        return np.uint16(UNIQUE5[ranks])
    return np.uint16(VALUES[find_by_search(prime_product(a, b, c, d, e))])


@holdem.inlined
def class_by_hash(a: Field, b: Field, c: Field, d: Field, e: Field) -> np.uint16:
    """Return the class of five cards, with the perfect hash of their product.

    Half of all hands have five different ranks, so the processor would mispredict a branch for
    them. Instead the product is always hashed, and hands of five different ranks then read an empty
    slot, which holds 0. This ranks more than twice as many hands a second; ``README.md`` has the
    numbers.
    """
    ranks = (a | b | c | d | e) >> _RANK_BIT_SHIFT
    if a & b & c & d & e & _SUIT:
        return np.uint16(FLUSHES[ranks])
    unique = UNIQUE5[ranks]
    slot = find_by_hash(prime_product(a, b, c, d, e))
    return np.uint16(unique | SLOT_VALUES[_EMPTY if unique else slot])


def hand_class(fields: Iterable[int], *, search: bool = False) -> int:
    """Return the class of five cards, 1 for a royal flush to 7462 for 7-5-4-3-2.

    `fields` are different cards as `cards.card_bitfield` makes them, not checked. `search` finds
    the product by binary search, not by the perfect hash.
    """
    a, b, c, d, e = np.array(list(fields), dtype=np.uint32)
    return int(class_by_search(a, b, c, d, e) if search else class_by_hash(a, b, c, d, e))


# --- batches -------------------------------------------------------------------------------


@holdem.kernel
def _rank_by_hash(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        a, b, c = CARDS[hands[i, 0]], CARDS[hands[i, 1]], CARDS[hands[i, 2]]
        d, e = CARDS[hands[i, 3]], CARDS[hands[i, 4]]
        strengths[i] = _WEAKEST + 1 - class_by_hash(a, b, c, d, e)


@holdem.kernel
def _rank_by_search(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        a, b, c = CARDS[hands[i, 0]], CARDS[hands[i, 1]], CARDS[hands[i, 2]]
        d, e = CARDS[hands[i, 3]], CARDS[hands[i, 4]]
        strengths[i] = _WEAKEST + 1 - class_by_search(a, b, c, d, e)


def rank_batch(hands: NDArray[np.uint8], *, search: bool = False) -> NDArray[np.int16]:
    """Rank hands of five cards, ``uint8 (hand, 5)``, not checked, by 7463 - class.

    `search` finds products by binary search, which is slower than the perfect hash.
    """
    strengths = np.empty(len(hands), dtype=np.int16)
    (_rank_by_search if search else _rank_by_hash)(hands, strengths)
    return strengths

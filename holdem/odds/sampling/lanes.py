"""Steps that are vectorized over many deals: random words, draws, and used cards.

A group of deals is stored card by card: the first board card of every deal, then the second one,
and so on. A loop over the deals of a group then has no branches and no look-ups, and compilers
turn it into instructions for 16 to 64 deals, its *lanes*. Groups are always drawn completely, so
that the first deals of a block do not depend on how many are needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdem.cards import CardArray
from holdem.dealing.seeds import GOLDEN, Words, random_word
from holdem.jit.decorators import inlined

#: Deals of a group. Their cards and keys stay in the L1 cache.
GROUP = 512

#: Increment of the counter from one group of random words to the next.
GROUP_STEP = np.uint64(GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)

_STEPS = np.arange(GROUP, dtype=np.uint64) * GOLDEN
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)


@inlined
def draw_words(counter: Any, words: Words, count: Any) -> None:
    """Draw `count` consecutive random words."""
    for i in range(count):
        words[i] = random_word(counter + _STEPS[i])


@inlined
def draw_rows(words: Words, size: Any, least: Any, rows: Words, count: Any) -> Any:
    """Draw a row index below `size` from each word's low half; return whether any draw was biased.

    A draw is the high half of a random 32-bit fraction times `size`. Some numbers would be more
    likely than others, so fractions whose low half is below `least`, ``2^32 % size``, are biased
    and must be drawn again. (Lemire: Fast random integer generation in an interval, 2019.)
    """
    size = size & _LOW_32  # processors multiply 32 bits in one step, 64 in three
    biased = np.uint64(0)
    for i in range(count):
        product = (words[i] & _LOW_32) * size
        rows[i] = product >> _32
        biased |= np.uint64(product & _LOW_32 < least)
    return biased


@inlined
def draw_three(
    words: Words,
    shift: Any,
    sizes: Any,
    least: Any,
    first: CardArray,
    second: CardArray,
    third: CardArray,
) -> Any:
    """Draw three numbers for each deal from 32 random bits; return whether any must be drawn anew.

    It must if its bits would favour some numbers over others.

    The low half of the first product is the fraction of the second draw, and so on. (Brackett-
    Rozinsky, Lemire: Batched ranged random integer generation, 2024.)

    Args:
        words: ``uint64 (GROUP,)``: random words.
        shift: the first of the 32 bits.
        sizes: the numbers that the draws are to be below.
        least: ``2^32 % product`` of the sizes.
        first: ``uint8 (GROUP,)``, written, like `second` and `third`.
        second: the second number.
        third: the third number.
    """
    size_1, size_2, size_3 = sizes[0] & _LOW_32, sizes[1] & _LOW_32, sizes[2] & _LOW_32
    biased = np.uint64(0)
    for i in range(GROUP):
        product = (words[i] >> shift & _LOW_32) * size_1
        first[i] = product >> _32
        product = (product & _LOW_32) * size_2
        second[i] = product >> _32
        product = (product & _LOW_32) * size_3
        third[i] = product >> _32
        biased |= np.uint64(product & _LOW_32 < least)
    return biased


@inlined
def skip_used(used: CardArray, count: Any, drawn: CardArray) -> None:
    """Convert indices into the unused cards to card numbers, in place.

    Args:
        used: ``uint8 (slot, GROUP)``: the used cards of each deal, ascending.
        count: how many slots are filled.
        drawn: ``uint8 (GROUP,)``, updated in place.
    """
    for slot in range(count):
        card = used[slot]
        for i in range(GROUP):
            drawn[i] = drawn[i] + np.uint8(1) if drawn[i] >= card[i] else drawn[i]


@inlined
def insert_used(used: CardArray, count: Any, drawn: CardArray) -> None:
    """Insert a drawn card into each deal's used cards, which stay in ascending order."""
    last = used[count]
    for i in range(GROUP):
        last[i] = drawn[i]
    for slot in range(count):
        card = used[slot]
        for i in range(GROUP):
            one, other = card[i], last[i]
            card[i] = one if one < other else other
            last[i] = other if one < other else one

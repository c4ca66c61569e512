"""Sampling without replacement: partial Fisher-Yates shuffles with unbiased draws.

A draw below n is the high half of a random 32-bit fraction times n. The low half is the fraction
of the next draw, so one word gives eight draws. The few fractions that would favour some numbers
are rejected, so every number is exactly equally likely. (Lemire: Fast random integer generation in
an interval, 2019; Brackett-Rozinsky, Lemire: Batched ranged random integer generation, 2024.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import GOLDEN, random_word
from holdem.jit.decorators import inlined
from holdem.odds.sampling.deck_draws.tables import GROUP

_ZERO, _ONE, _THREE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(3), np.uint64(4)
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_DEALS = np.uint64(GROUP)
_STEPS = np.arange(GROUP, dtype=np.uint64) * GOLDEN
_GROUP_STEP = np.uint64(GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)


@inlined
def draw_positions(
    ranges: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    counter: Any,
    fractions: NDArray[np.uint64],
    positions: NDArray[np.uint8],
) -> Any:
    """Draw positions in the deck for a group of deals that draw the same number of cards.

    Draw after draw, in loops over the deals that a processor runs four or eight at a time: in
    half the time of deal after deal.

    Args:
        ranges: that of `DrawTables`.
        thresholds: that of `DrawTables`.
        counter: the block's next counter.
        fractions: ``uint64 (3, GROUP)``, overwritten.
        positions: ``uint8 (8 * word, GROUP)``, written: what `swap_card` takes at each draw.

    Returns:
        The next counter.
    """
    high, low, biased = fractions[0], fractions[1], fractions[2]
    words = np.uint64(len(ranges)) >> _THREE
    for deal in range(_DEALS):
        biased[deal] = _ZERO
    for number in range(words):
        for deal in range(_DEALS):
            word = random_word(counter + _STEPS[deal])
            high[deal], low[deal] = word >> _32, word & _LOW_32
        first = number << _THREE
        for i in range(_FOUR):
            _draw_one(high, first + i, ranges, positions)
            _draw_one(low, first + i + _FOUR, ranges, positions)
        least, other_least = thresholds[number << _ONE], thresholds[(number << _ONE) + _ONE]
        for deal in range(_DEALS):
            is_biased = (high[deal] & _LOW_32 < least) | (low[deal] & _LOW_32 < other_least)
            biased[deal] |= np.uint64(is_biased)
        counter += _GROUP_STEP
    for deal in range(_DEALS):
        while biased[deal]:
            biased[deal] = _ZERO
            for number in range(words):
                fair = draw_eight(random_word(counter), number, ranges, thresholds, positions, deal)
                biased[deal] |= np.uint64(not fair)
                counter += GOLDEN
    return counter


@inlined
def _draw_one(
    fractions: NDArray[np.uint64],
    draw: Any,
    ranges: NDArray[np.uint64],
    positions: NDArray[np.uint8],
) -> None:
    """Make one draw of each deal from its fraction, and leave the next fraction."""
    chosen, size = positions[draw], ranges[draw] & _LOW_32  # 32 bits multiply in one step
    for deal in range(_DEALS):
        product = (fractions[deal] & _LOW_32) * size
        chosen[deal] = draw + (product >> _32)
        fractions[deal] = product


@inlined
def draw_eight(
    word: Any,
    number: Any,
    ranges: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    positions: NDArray[np.uint8],
    deal: Any,
) -> Any:
    """Make the eight draws of a deal's word; return whether they are unbiased.

    Args:
        word: random.
        number: which word of the deal it is.
        ranges, thresholds: those of `DrawTables`.
        positions: ``uint8 (8 * word, deal)``, written.
        deal: the column of `positions`.
    """
    high, low = word >> _32, word & _LOW_32
    for i in range(_FOUR):
        first = (number << _THREE) + i
        product = high * ranges[first]
        positions[first, deal] = first + (product >> _32)
        high = product & _LOW_32
        product = low * ranges[first + _FOUR]
        positions[first + _FOUR, deal] = first + _FOUR + (product >> _32)
        low = product & _LOW_32
    half = number << _ONE
    return (high >= thresholds[half]) & (low >= thresholds[half + _ONE])


@inlined
def swap_card(deck: NDArray[np.uint64], place: Any, other: np.uint64) -> np.uint64:
    """Swap the cards at two positions of a deck; return the one that comes to `place`."""
    card = deck[other]
    deck[other] = deck[place]
    deck[place] = card
    return card  # type: ignore[no-any-return]

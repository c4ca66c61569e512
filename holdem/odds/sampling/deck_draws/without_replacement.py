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

from holdem.dealing.random_words import GOLDEN, Words, random_word
from holdem.jit.decorators import inlined
from holdem.odds.sampling.deck_draws.tables import GROUP

_ZERO, _ONE, _TWO, _THREE, _FOUR = (np.uint64(number) for number in range(5))
_EIGHT = np.uint64(8)
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_DEALS = np.uint64(GROUP)
_STEPS = np.arange(GROUP, dtype=np.uint64) * GOLDEN
_GROUP_STEP = np.uint64(GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)


@inlined
def draw_positions(
    ranges: Words, thresholds: Words, counter: Any, fractions: Words, positions: NDArray[np.uint8]
) -> Any:
    """Draw deck positions for a group of deals that all take the same number of cards.

    Each draw is made for all deals before the next, in loops that a processor runs for four or
    eight deals at a time. This takes half the time of drawing deal by deal.

    Args:
        ranges: as in `DrawTables`.
        thresholds: as in `DrawTables`.
        counter: the block's next counter.
        fractions: ``uint64 (3, GROUP)``, overwritten.
        positions: ``uint8 (8 * word, GROUP)``, written: the position to swap with at each draw.

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
        for draw in range(first, first + _EIGHT):
            fraction, chosen = fractions[draw >> _TWO & _ONE], positions[draw]
            size = ranges[draw] & _LOW_32  # 32 bits multiply in one step, 64 in three
            for deal in range(_DEALS):
                product = (fraction[deal] & _LOW_32) * size
                chosen[deal] = draw + (product >> _32)
                fraction[deal] = product
        least, other_least = thresholds[number << _ONE], thresholds[(number << _ONE) + _ONE]
        for deal in range(_DEALS):
            is_biased = (high[deal] & _LOW_32 < least) | (low[deal] & _LOW_32 < other_least)
            biased[deal] |= np.uint64(is_biased)
        counter += _GROUP_STEP
    for deal in range(_DEALS):
        while biased[deal]:
            biased[deal] = _redraw(ranges, thresholds, counter, positions, deal)
            counter += words * GOLDEN
    return counter


@inlined
def position_buffers(ranges: Words) -> Any:
    """Return buffers for the last two arguments of `draw_positions`."""
    fractions = np.empty((3, GROUP), dtype=np.uint64)
    return fractions, np.empty((len(ranges), GROUP), dtype=np.uint8)


@inlined
def _redraw(
    ranges: Words, thresholds: Words, counter: Any, positions: NDArray[np.uint8], deal: Any
) -> Any:
    """Repeat all draws of one deal; return whether any of them is biased."""
    biased = _ZERO
    for half in range(np.uint64(len(ranges)) >> _TWO):
        word = random_word(counter + (half >> _ONE) * GOLDEN)
        fraction = word & _LOW_32 if half & _ONE else word >> _32
        for i in range(_FOUR):
            draw = (half << _TWO) + i
            drawn, fraction = draw_below(ranges[draw], fraction)
            positions[draw, deal] = draw + drawn
        biased |= np.uint64(fraction < thresholds[half])
    return biased


@inlined
def draw_below(size: Any, fraction: Any) -> Any:
    """Return a number below `size` from a random 32-bit fraction, and the next fraction."""
    product = fraction * size
    return product >> _32, product & _LOW_32


@inlined
def swap_card(deck: Words, place: Any, other: np.uint64) -> np.uint64:
    """Swap two cards in a deck; return the one moved to position `place`."""
    card = deck[other]
    deck[other] = deck[place]
    deck[place] = card
    return card  # type: ignore[no-any-return]

"""Draws from the deck for whole groups of deals, where every deal takes as many cards.

A draw is a place in the deck; `holdem.odds.sampling.deck_draws.kernels` says how it is chosen fairly. The
places of a group are found draw after draw, in loops over its deals that a processor does four or
eight of at once: half the time of deal after deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import GOLDEN, random_word
from holdem.jit.decorators import inlined
from holdem.odds.sampling.deck_draws.tables import DEALS_A_GROUP

_ZERO, _ONE, _THREE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(3), np.uint64(4)
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_DEALS = np.uint64(DEALS_A_GROUP)
_STEPS = np.arange(DEALS_A_GROUP, dtype=np.uint64) * GOLDEN
_STEP = np.uint64(DEALS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)


@inlined
def draw_places(
    ranges: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    counter: Any,
    fractions: NDArray[np.uint64],
    places: NDArray[np.uint8],
) -> Any:
    """Draw a group's places in the deck.

    Args:
        ranges: those of `DrawTables`.
        thresholds: those of `DrawTables`.
        counter: the block's next counter.
        fractions: ``uint64 (3, DEALS_A_GROUP)``, written over.
        places: ``uint8 (8 * word, DEALS_A_GROUP)``, written.

    Returns:
        The next counter.
    """
    high, low, unfair = fractions[0], fractions[1], fractions[2]
    words = np.uint64(len(ranges)) >> _THREE
    for deal in range(_DEALS):
        unfair[deal] = _ZERO
    for number in range(words):
        for deal in range(_DEALS):
            word = random_word(counter + _STEPS[deal])
            high[deal], low[deal] = word >> _32, word & _LOW_32
        for i in range(_FOUR):
            # 32 bits multiply at once, 64 in three steps.
            first, size = (number << _THREE) + i, ranges[(number << _THREE) + i] & _LOW_32
            chosen = places[first]
            for deal in range(_DEALS):
                product = (high[deal] & _LOW_32) * size
                chosen[deal] = first + (product >> _32)
                high[deal] = product
            first, size = first + _FOUR, ranges[first + _FOUR] & _LOW_32
            chosen = places[first]
            for deal in range(_DEALS):
                product = (low[deal] & _LOW_32) * size
                chosen[deal] = first + (product >> _32)
                low[deal] = product
        least, other_least = thresholds[number << _ONE], thresholds[(number << _ONE) + _ONE]
        for deal in range(_DEALS):
            is_unfair = (high[deal] & _LOW_32 < least) | (low[deal] & _LOW_32 < other_least)
            unfair[deal] |= np.uint64(is_unfair)
        counter += _STEP
    for deal in range(_DEALS):
        while unfair[deal]:
            unfair[deal] = _draw_again(ranges, thresholds, counter, places, deal)
            counter += words * GOLDEN
    return counter


@inlined
def _draw_again(
    ranges: NDArray[np.uint64],
    thresholds: NDArray[np.uint64],
    counter: Any,
    places: NDArray[np.uint8],
    deal: Any,
) -> Any:
    """Draw all places of one deal; return whether one of them is unfair again."""
    unfair = _ZERO
    for half in range(np.uint64(len(ranges)) >> np.uint64(2)):
        word = random_word(counter + (half >> _ONE) * GOLDEN)
        fraction = word & _LOW_32 if half & _ONE else word >> _32
        for i in range(_FOUR):
            first = (half << np.uint64(2)) + i
            product = fraction * ranges[first]
            places[first, deal] = first + (product >> _32)
            fraction = product & _LOW_32
        unfair |= np.uint64(fraction < thresholds[half])
    return unfair


@inlined
def take_card(deck: NDArray[np.uint64], place: Any, other: np.uint64) -> np.uint64:
    """Swap two cards of a deck, and return the one that comes to `place`."""
    card = deck[other]
    deck[other] = deck[place]
    deck[place] = card
    return card  # type: ignore[no-any-return]

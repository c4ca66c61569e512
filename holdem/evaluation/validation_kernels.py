"""The kernel that validates large batches of hands, 9 hands of seven cards at a time.

The cards of consecutive hands are compared with those one place on, two places on, and so on. Of
the results, a 64-bit mask for each distance keeps those where both cards are in the same hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import kernel
from holdem.jit.numba_extensions import bytes_above, bytes_equal

#: The number of cards that are compared at once.
WIDTH = 64


def _mask_pairs(size: int, distance: int) -> int:
    """Compute a bit mask of the cards that precede one of the same hand by `distance` positions.

    Bits are positions in the block. For distance 0, they are those of all cards.
    """
    used = WIDTH // size * size
    return sum(1 << place for place in range(used) if place % size + distance < size)


_PAIRS: NDArray[np.uint64] = np.array(
    [[_mask_pairs(size, distance) for distance in range(7)] for size in (5, 6, 7)], dtype=np.uint64
)


@kernel
def count_valid(
    cards: CardArray, size: np.uint64, lowest: CardArray, highest: CardArray
) -> np.uint64:
    """Count the valid hands before the first block with an invalid one.

    A hand is invalid if it has a card twice or one outside the deck. The last hands, at most
    `WIDTH` bytes and one hand, are not counted.

    Args:
        cards: the cards of all hands, ``uint8 (hand * size,)``; any bytes.
        size: the number of cards of a hand, 5 to 7.
        lowest: the lowest card of the deck, repeated, ``uint8 (WIDTH,)``.
        highest: the highest card of the deck, likewise.
    """
    start, none = np.uint64(0), np.uint64(0)
    pairs = _PAIRS[size - np.uint64(5)]
    step, end = np.uint64(WIDTH) // size * size, start + np.uint64(WIDTH) + size
    while start + end <= np.uint64(len(cards)):
        faults = bytes_above(cards, start, highest, none) | bytes_above(lowest, none, cards, start)
        faults &= pairs[0]
        for distance in range(np.uint64(1), size):
            faults |= bytes_equal(cards, start, cards, start + distance) & pairs[distance]
        if faults:
            break
        start += step
    return start // size

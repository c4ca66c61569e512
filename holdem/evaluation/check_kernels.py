"""The compiled part of the check of hands that come from outside."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.compilation import kernel

# The bit of each id in an index set; bit 63 for what is no card.
_BITS: NDArray[np.uint64] = np.array(
    [1 << (card if card < DECK_SIZE else 63) for card in range(256)], dtype=np.uint64
)


@kernel
def first_invalid(hands: CardArray, deck: np.uint64) -> np.int64:
    """Return the first hand with a card twice or outside `deck`; -1 if there is none.

    `hands` is any ``uint8 (hand, card)``, `deck` an index set. Bits that are all different
    have the same sum and union; a bit that stands twice carries.
    """
    for i in range(np.uint64(len(hands))):
        union, total = np.uint64(0), np.uint64(0)
        for j in range(np.uint64(hands.shape[1])):
            bit = _BITS[hands[i, j]]
            union |= bit
            total += bit
        if total != union or union & ~deck:
            return np.int64(i)
    return np.int64(-1)

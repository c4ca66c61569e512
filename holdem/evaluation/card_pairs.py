"""Tables indexed by pairs of cards, which halve the number of look-ups.

A table has an entry for every two bytes, half a megabyte. Hands of a deck use only 22 kB of it,
which stay in the L1 and L2 caches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import inlined

_ONE, _8_BITS = np.uint64(1), np.uint64(8)
_BYTES = 256


def two_card_table(card_values: NDArray[np.uint64], combine: np.ufunc) -> NDArray[np.uint64]:
    """Build a table of the combined values of every two card ids (bytes), ``uint64 (65536,)``.

    Args:
        card_values: the value of each byte from 0 on, ``uint64 (byte,)``. Missing bytes get 0.
        combine: combines two values; must be commutative.
    """
    table = np.zeros((_BYTES, _BYTES), dtype=np.uint64)
    table[: len(card_values), : len(card_values)] = combine.outer(card_values, card_values)
    return table.ravel()


@inlined
def two_card_index(hands: CardArray, hand: Any, place: Any) -> Any:
    """Compute the index in a two-card table of the cards at positions `place` and ``place + 1``.

    LLVM reads both bytes at once.
    """
    return np.uint64(hands[hand, place]) | np.uint64(hands[hand, place + _ONE]) << _8_BITS

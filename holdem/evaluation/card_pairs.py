"""Look-ups by two cards at a time: half as many as by one, from a table of every two bytes.

Of its half megabyte the hands of a deck use 22 kB, which stay in the first two caches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.jit.decorators import inlined

_ONE, _8_BITS = np.uint64(1), np.uint64(8)
_BYTES = 256


def table_of_two(of_one: NDArray[np.uint64], how: np.ufunc) -> NDArray[np.uint64]:
    """Return what stands for every two bytes, ``uint64 (65536,)``.

    Args:
        of_one: what stands for each byte, from 0 on; 0 for those that are missing.
        how: puts two together; the order of two must not matter.
    """
    table = np.zeros((_BYTES, _BYTES), dtype=np.uint64)
    table[: len(of_one), : len(of_one)] = how.outer(of_one, of_one)
    return table.ravel()


@inlined
def two_cards(hands: CardArray, hand: Any, place: Any) -> Any:
    """Return the place in a table of two of the cards at `place` and after it.

    LLVM reads both at once.
    """
    return np.uint64(hands[hand, place]) | np.uint64(hands[hand, place + _ONE]) << _8_BITS

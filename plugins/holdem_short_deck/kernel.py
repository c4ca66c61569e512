"""The short-deck method: a sum of keys, and a look-up by that sum or by the ranks of a flush.

A flush in up to seven cards excludes a full house and four of a kind, so it is always the best
hand, as with 52 cards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem_short_deck.tables import (
    CARD_KEYS,
    CARD_MASKS,
    FLUSH_BITS,
    FLUSH_STRENGTHS,
    STRENGTHS_5,
    STRENGTHS_6,
    STRENGTHS_7,
    SUIT_COUNT_START,
)

_Kernel: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int16]], None]

_START = np.uint64(SUIT_COUNT_START)
_FLUSH = np.uint64(FLUSH_BITS)
_CLUBS, _DIAMONDS, _HEARTS = np.uint64(8 << 32), np.uint64(8 << 36), np.uint64(8 << 40)
_9_BITS = np.uint64(0x1FF)


@holdem.inlined
def flush_strength(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength of a hand with a flush.

    `key` is the sum of `SUIT_COUNT_START` and the `CARD_KEYS` of the cards, `mask` the OR of their
    `CARD_MASKS`.
    """
    if key & _CLUBS:
        ranks = mask
    elif key & _DIAMONDS:
        ranks = mask >> np.uint64(16)
    elif key & _HEARTS:
        ranks = mask >> np.uint64(32)
    else:
        ranks = mask >> np.uint64(48)
    return FLUSH_STRENGTHS[ranks & _9_BITS]  # type: ignore[no-any-return]


def _make_kernel(size: np.uint64, strengths_by_key: NDArray[np.uint16]) -> _Kernel:
    """Return the kernel that ranks hands of `size` cards.

    `strengths_by_key` has the strength of hands of this size without a flush, by the sum of the
    rank keys. numba compiles both arguments as constants.
    """

    @holdem.kernel
    def rank(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
        for i in range(np.uint64(len(hands))):
            key, mask = _START, np.uint64(0)
            for j in range(size):
                key += CARD_KEYS[hands[i, j]]
            if key & _FLUSH:
                for j in range(size):
                    mask |= CARD_MASKS[hands[i, j]]
                strengths[i] = flush_strength(key, mask)
            else:
                strengths[i] = strengths_by_key[np.uint32(key)]

    return rank


_KERNELS = {
    5: _make_kernel(np.uint64(5), STRENGTHS_5),
    6: _make_kernel(np.uint64(6), STRENGTHS_6),
    7: _make_kernel(np.uint64(7), STRENGTHS_7),
}


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Rank hands of five to seven ids 16..51, ``uint8 (hand, card)``, not checked, by 1..1404."""
    strengths = np.empty(len(hands), dtype=np.int16)
    _KERNELS[hands.shape[1]](hands, strengths)
    return strengths

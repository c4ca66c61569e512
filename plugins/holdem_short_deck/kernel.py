"""The short-deck method: a sum of keys, and a look-up by ranks or by the flush.

A flush in up to seven cards excludes a full house and four of a kind, so it is always the best
hand, as with 52 cards.
"""

from __future__ import annotations

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

_START = np.uint64(SUIT_COUNT_START)
_FLUSH = np.uint64(FLUSH_BITS)
_CLUBS, _DIAMONDS, _HEARTS = np.uint64(8 << 32), np.uint64(8 << 36), np.uint64(8 << 40)
_9_BITS = np.uint64(0x1FF)


@holdem.inlined
def flush_strength(key: np.uint64, mask: np.uint64) -> np.uint16:
    """Return the strength of a hand with a flush from its key and its four fields of ranks."""
    if key & _CLUBS:
        ranks = mask
    elif key & _DIAMONDS:
        ranks = mask >> np.uint64(16)
    elif key & _HEARTS:
        ranks = mask >> np.uint64(32)
    else:
        ranks = mask >> np.uint64(48)
    return FLUSH_STRENGTHS[ranks & _9_BITS]  # type: ignore[no-any-return]


@holdem.inlined
def strength_of_ranks(key_sum: np.uint32, size: np.uint64) -> np.uint16:
    """Return the strength of five to seven ranks; a constant `size` takes no branch."""
    if size == np.uint64(5):
        return STRENGTHS_5[key_sum]  # type: ignore[no-any-return]
    if size == np.uint64(6):
        return STRENGTHS_6[key_sum]  # type: ignore[no-any-return]
    return STRENGTHS_7[key_sum]  # type: ignore[no-any-return]


@holdem.inlined
def _rank(hands: NDArray[np.uint8], size: np.uint64, strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        key, mask = _START, np.uint64(0)
        for j in range(size):
            key += CARD_KEYS[hands[i, j]]
        if key & _FLUSH:
            for j in range(size):
                mask |= CARD_MASKS[hands[i, j]]
            strengths[i] = flush_strength(key, mask)
        else:
            strengths[i] = strength_of_ranks(np.uint32(key), size)


@holdem.kernel
def _rank_five(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    _rank(hands, np.uint64(5), strengths)


@holdem.kernel
def _rank_six(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    _rank(hands, np.uint64(6), strengths)


@holdem.kernel
def _rank_seven(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    _rank(hands, np.uint64(7), strengths)


_KERNELS = {5: _rank_five, 6: _rank_six, 7: _rank_seven}


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Rank ``uint8 (hand, card)`` of 5 to 7 ids 16..51, trusted, to ``int16 (hand,)``, 1..1404."""
    strengths = np.empty(len(hands), dtype=np.int16)
    _KERNELS[hands.shape[1]](hands, strengths)
    return strengths

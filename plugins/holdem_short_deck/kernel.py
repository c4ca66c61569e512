"""Five to seven cards of the short deck: a sum of keys, a look-up by ranks or by the flush.

With a flush in up to seven cards there is neither a full house nor four of a kind, so a
flush is always the best hand there, as it is with 52 cards.
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
    """Return the strength of a hand whose `key` says that it holds a flush.

    `mask` is the four fields of rank bits of its cards.
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


@holdem.kernel
def _rank_five(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        key, mask = _START, np.uint64(0)
        for j in range(np.uint64(5)):
            key += CARD_KEYS[hands[i, j]]
        if key & _FLUSH:
            for j in range(np.uint64(5)):
                mask |= CARD_MASKS[hands[i, j]]
            strengths[i] = flush_strength(key, mask)
        else:
            strengths[i] = STRENGTHS_5[np.uint32(key)]


@holdem.kernel
def _rank_six(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        key, mask = _START, np.uint64(0)
        for j in range(np.uint64(6)):
            key += CARD_KEYS[hands[i, j]]
        if key & _FLUSH:
            for j in range(np.uint64(6)):
                mask |= CARD_MASKS[hands[i, j]]
            strengths[i] = flush_strength(key, mask)
        else:
            strengths[i] = STRENGTHS_6[np.uint32(key)]


@holdem.kernel
def _rank_seven(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        key, mask = _START, np.uint64(0)
        for j in range(np.uint64(7)):
            key += CARD_KEYS[hands[i, j]]
        if key & _FLUSH:
            for j in range(np.uint64(7)):
                mask |= CARD_MASKS[hands[i, j]]
            strengths[i] = flush_strength(key, mask)
        else:
            strengths[i] = STRENGTHS_7[np.uint32(key)]


_KERNELS = {5: _rank_five, 6: _rank_six, 7: _rank_seven}


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Rank ``uint8 (hand, card)`` of 5, 6 or 7 cards, trusted -> ``int16 (hand,)``, 1..1404.

    Cards are ids of the engine, 16..51: the six of clubs and up.
    """
    strengths = np.empty(len(hands), dtype=np.int16)
    _KERNELS[hands.shape[1]](hands, strengths)
    return strengths

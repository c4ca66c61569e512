"""The kernel that validates large batches of hands.

The cards of a hand are added up as powers of two. The sum has as many bits as the hand has cards
only if no card occurs twice, because a carry leaves fewer bits.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.card_pairs import two_card_index, two_card_table
from holdem.jit.decorators import inlined, kernel
from holdem.jit.numba_extensions import popcount

# The card set of each id. The last bit stands for a byte that is not a card.
_NO_CARD = np.uint64(1 << 63)
_SETS: NDArray[np.uint64] = np.array(
    [1 << card if card < DECK_SIZE else _NO_CARD for card in range(256)], dtype=np.uint64
)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_FIVE, _SIX, _SEVEN = np.uint64(5), np.uint64(6), np.uint64(7)
_BLOCK = np.uint64(512)  # hands between two tests for faults


def find_invalid(hands: CardArray, deck: np.uint64) -> int:
    """Find the row of the first invalid hand, or return -1 if all hands are valid.

    A hand is invalid if it has a card twice or one outside the deck.

    Args:
        hands: any C-contiguous ``uint8 (hand, card)`` of 5 to 7 cards.
        deck: a card set.
    """
    return int(_find_invalid(hands, _two_card_sums(), deck))


@cache
def _two_card_sums() -> NDArray[np.uint64]:
    return two_card_table(_SETS, np.add)


@kernel
def _find_invalid(hands: CardArray, sums: NDArray[np.uint64], deck: np.uint64) -> np.int64:
    hand, count = _ZERO, np.uint64(len(hands))
    while hand < count:
        last = min(hand + _BLOCK, count)
        # A constant number of cards lets LLVM unroll the loop over them: twice as fast.
        if hands.shape[1] == 7:
            wrong = _faults(hands, hand, last, _SEVEN, sums, deck)
        elif hands.shape[1] == 6:
            wrong = _faults(hands, hand, last, _SIX, sums, deck)
        else:
            wrong = _faults(hands, hand, last, _FIVE, sums, deck)
        if wrong:
            while not _faults(hands, hand, hand + _ONE, np.uint64(hands.shape[1]), sums, deck):
                hand += _ONE
            return np.int64(hand)
        hand = last
    return np.int64(-1)


@inlined
def _faults(
    hands: CardArray,
    first: Any,
    last: Any,
    size: Any,
    sums: NDArray[np.uint64],
    deck: Any,
) -> Any:
    """Combine the faults of a block of hands into a number: 0 if all are valid."""
    faults = union = _ZERO
    for hand in range(first, last):
        total = _ZERO
        for pair in range(size >> _ONE):
            total += sums[two_card_index(hands, hand, pair << _ONE)]
        if size & _ONE:
            total += _SETS[hands[hand, size - _ONE]]
        faults |= popcount(total) ^ size
        union |= total
    return faults | union & ~deck

"""The kernel: a hand's category, then the ranks that decide, as one integer.

A set of ranks is thirteen bits, bit 0 for the deuce and bit 12 for the ace. See README.md
for why the order of these integers is the order of hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import holdem

#: The ranks of A 2 3 4 5, in which the ace is low; and those that count of it, without the ace.
WHEEL, WHEEL_ACE_LOW = 0b1_0000_0000_1111, 0b1111


@holdem.kernel
def _rank(hands: NDArray[np.uint8], strengths: NDArray[np.int64]) -> None:
    """Rank ``uint8 (hand, 5)``, ids trusted, into ``int64 (hand,)``."""
    for i in range(np.uint64(len(hands))):
        # The ranks that stand at least so often, and the suits.
        once = twice = thrice = four = suits = 0
        for j in range(np.uint64(5)):
            rank = 1 << (hands[i, j] >> 2)
            four |= thrice & rank
            thrice |= twice & rank
            twice |= once & rank
            once |= rank
            suits |= 1 << (hands[i, j] & 3)
        # Five bits in a row are 31 times the lowest of them.
        straight = once == WHEEL or once == 31 * (once & -once)
        flush = suits & (suits - 1) == 0
        if four:
            category = 7
        elif thrice:
            category = 3 if twice == thrice else 6
        elif twice:
            category = 2 if twice & (twice - 1) else 1
        else:
            category = 4 * straight + 5 * flush - (straight and flush)  # 8 for both
        many = thrice if thrice else twice
        few = WHEEL_ACE_LOW if once == WHEEL else once ^ many
        strengths[i] = category << 26 | many << 13 | few


def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Rank ``uint8 (hand, 5)`` -> ``int64 (hand,)``; bigger is stronger, equal is a tie."""
    strengths = np.empty(len(hands), dtype=np.int64)
    _rank(hands, strengths)
    return strengths

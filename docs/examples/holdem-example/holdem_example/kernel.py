"""The kernel, which combines a hand's category and ranks in one integer.

A set of ranks is thirteen bits, bit 0 for the deuce and bit 12 for the ace. README.md explains why
the order of the integers is the order of the hands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import holdem

#: The ranks of A 2 3 4 5, with the ace and without it.
WHEEL, WHEEL_ACE_LOW = 0b1_0000_0000_1111, 0b1111


@holdem.kernel
def _rank(hands: NDArray[np.uint8], strengths: NDArray[np.int64]) -> None:
    """Rank hands ``uint8 (hand, 5)``, not validated, into strengths ``int64 (hand,)``."""
    for i in range(np.uint64(len(hands))):
        # The ranks that occur at least once, twice, ..., and the suits.
        once = twice = thrice = four = suits = 0
        for j in range(np.uint64(5)):
            rank = 1 << (hands[i, j] >> 2)
            four |= thrice & rank
            thrice |= twice & rank
            twice |= once & rank
            once |= rank
            suits |= 1 << (hands[i, j] & 3)
        # Five consecutive bits are 31 times the lowest of them.
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
    """Rank hands, ``uint8 (hand, 5)`` -> ``int64 (hand,)``; larger is stronger, equal a tie."""
    strengths = np.empty(len(hands), dtype=np.int64)
    _rank(hands, strengths)
    return strengths

"""Keys of the default evaluator: a 64-bit number for each card, summed over a hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK

#: Key of each rank. Sums of the keys of any five, six or seven cards are distinct for distinct
#: ranks. The keys are Kenneth Shackleton's (SpecialKEval).
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)

#: Number of low bits of a key sum that are the position within a row of the table.
ROW_BITS = 10

# The key of a card has its rank key in the low 32 bits, and above them a counter of 4 bits for
# each suit. Counters start at 3, so that the top bit of one is set from five cards on.
SUIT_COUNT_START = 0x3333 << 32
FLUSH_BITS = 0x8888 << 32

#: The key of each card, ``uint64 (52,)``.
CARD_KEYS: NDArray[np.uint64] = np.array(
    [RANK_KEYS[card.rank] + (1 << 32 + 4 * card.suit) for card in DECK], dtype=np.uint64
)

#: The suit mask of each card, ``uint64 (52,)``.
CARD_MASKS: NDArray[np.uint64] = np.array(
    [1 << 16 * card.suit + card.rank for card in DECK], dtype=np.uint64
)

"""The keys that the default evaluator sums up: one 64-bit number for each card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK

#: One key a rank. Sums of up to seven keys, at most four of a rank, are all different among
#: hands of one size. The keys are Kenneth Shackleton's (SpecialKEval).
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)

#: The low bits of a key sum that are its place within a row of the table.
ROW_BITS = 10

# A card's key is 64 bits: its rank key below, and above bit 32 a nibble a suit that counts
# the cards of that suit. Counting starts at 3, so a nibble's top bit says "five or more".
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

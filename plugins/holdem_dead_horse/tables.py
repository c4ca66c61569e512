"""The 52 cards of the dead-horse method: a suit bit above thirteen rank bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: The suit bits, in the order S H C D from the top: diamonds lowest.
DIAMONDS, CLUBS, HEARTS, SPADES = (1 << bit for bit in range(13, 17))

#: The suit bit of each suit in the engine's order: c, d, h, s.
SUIT_BITS = (CLUBS, DIAMONDS, HEARTS, SPADES)

#: The 17-bit card of each id, ``int64 (52,)``: the bit of its suit, and bit 0..12 for 2..A.
CARDS: NDArray[np.int64] = np.array(
    [SUIT_BITS[card % 4] | 1 << card // 4 for card in range(52)], dtype=np.int64
)

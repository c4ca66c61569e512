"""The 17-bit cards as an array, for the kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_dead_horse.cards import card_number

#: The 17-bit number of each id, ``int64 (52,)``.
CARDS: NDArray[np.int64] = np.array([card_number(card) for card in range(52)], dtype=np.int64)

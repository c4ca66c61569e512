"""The table of ``suit-mask``: the mask of each card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem_suit_mask.layout import card_mask

#: The mask of each card by id, with both bits of aces, ``uint64 (52,)``.
CARD_MASKS: NDArray[np.uint64] = np.array([card_mask(card) for card in range(52)], dtype=np.uint64)

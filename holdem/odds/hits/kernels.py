"""Kernel that counts the category of each combo on many boards with the default evaluator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.jit.decorators import kernel

_START = np.uint64(SUIT_COUNT_START)
_ONE = np.uint64(1)


@kernel
def count_categories(
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
    holes: CardArray,
    categories: NDArray[np.uint8],
    counts: NDArray[np.int64],
) -> None:
    """Add each board's orbit size to the count of the category that each combo has on it.

    Combos that share a card with a board are left out.

    Args:
        boards: ``uint8 (board, 5)``.
        orbit_sizes: ``uint8 (board,)``.
        holes: the cards of each combo, ``uint8 (combo, 2)``.
        categories: the number of the category of each strength, ``uint8 (strength,)``.
        counts: added to, ``int64 (combo, category)``.
    """
    for board in range(len(boards)):
        used, key, mask = np.uint64(0), _START, np.uint64(0)
        for column in range(5):
            card = boards[board, column]
            used |= _ONE << np.uint64(card)
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
        size = np.int64(orbit_sizes[board])
        for combo in range(len(holes)):
            high, low = holes[combo, 0], holes[combo, 1]
            if (used >> np.uint64(high) | used >> np.uint64(low)) & _ONE:
                continue
            found = strength(
                key + CARD_KEYS[high] + CARD_KEYS[low], mask | CARD_MASKS[high] | CARD_MASKS[low]
            )
            counts[combo, categories[found]] += size

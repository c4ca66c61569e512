"""Helper functions of kernels that rank combos on boards with the default evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.jit.decorators import inlined
from holdem.ranges.combos import COMBO_CARDS

#: The sum of the keys of each combo's cards, ``uint64 (combo,)``.
COMBO_KEYS: NDArray[np.uint64] = CARD_KEYS[COMBO_CARDS].sum(axis=1)
#: The suit mask of each combo, ``uint64 (combo,)``.
COMBO_MASKS: NDArray[np.uint64] = np.bitwise_or.reduce(CARD_MASKS[COMBO_CARDS], axis=1)

_START = np.uint64(SUIT_COUNT_START)
_ONE = np.uint64(1)


@inlined
def sum_cards(cards: CardArray, row: Any, count: Any) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Sum the first `count` cards of a row.

    Returns their card set, the sum of their keys and `SUIT_COUNT_START`, and their suit mask.
    """
    used, key, mask = np.uint64(0), _START, np.uint64(0)
    for column in range(np.uint64(count)):
        card = cards[row, column]
        used |= _ONE << np.uint64(card)
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    return used, key, mask


@inlined
def rank_every_combo(
    boards: CardArray, holes: CardArray, visit: Callable[..., None], results: Any
) -> None:
    """Rank each combo on each board, except for combos that share a card with the board.

    Args:
        boards: ``uint8 (board, 5)``.
        holes: the cards of each combo, ``uint8 (combo, 2)``.
        visit: called with the index of the board and of the combo, the strength, and `results`.
        results: the last argument of `visit`.
    """
    for board in range(len(boards)):
        used, key, mask = sum_cards(boards, board, 5)
        for combo in range(len(holes)):
            high, low = holes[combo, 0], holes[combo, 1]
            if (used >> np.uint64(high) | used >> np.uint64(low)) & _ONE:
                continue
            key_7 = key + CARD_KEYS[high] + CARD_KEYS[low]
            mask_7 = mask | CARD_MASKS[high] | CARD_MASKS[low]
            visit(board, combo, strength(key_7, mask_7), results)

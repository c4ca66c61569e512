"""Combos ranked on boards by any evaluator, in batches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets
from holdem.evaluation.evaluator import Evaluator
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

#: Stands where a combo holds a card of the board.
BLOCKED = np.int64(np.iinfo(np.int64).min)

#: Hands that a task ranks at a time: with all that is made of them some 5 MB.
HANDS_A_TASK = 1 << 16


def rank_combos(
    evaluator: Evaluator, boards: CardArray, combos: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Rank combos on boards.

    Args:
        evaluator: who ranks.
        boards: ``uint8 (board, 5)``.
        combos: ``intp (combo,)``.

    Returns:
        ``int64 (board, combo)``: strengths, and `BLOCKED`.
    """
    free = (card_sets(boards)[:, None] & COMBO_SETS[combos]) == 0
    hands = np.empty((*free.shape, 7), dtype=np.uint8)
    hands[:, :, :5], hands[:, :, 5:] = boards[:, None], COMBO_CARDS[combos]
    strengths = np.full(free.shape, BLOCKED)
    # All hands made and the wrong ones left out: 17 ns a hand, 100 if each is put together.
    strengths[free] = evaluator.rank(np.compress(free.ravel(), hands.reshape(-1, 7), axis=0))
    return strengths

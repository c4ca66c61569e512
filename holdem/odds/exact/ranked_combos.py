"""Ranking of combos on boards in batches, by any evaluator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets
from holdem.evaluation.builtin.lookup import rank_holes
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.workers import Workers
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

#: The strength of a combo that shares a card with the board.
BLOCKED = np.int64(np.iinfo(np.int64).min)
BLOCKED_16 = np.int16(np.iinfo(np.int16).min)

#: The number of hands that a task ranks; with all arrays derived from them, some 5 MB.
HANDS_PER_TASK = 1 << 16


def rank_combos(
    evaluator: Evaluator,
    boards: CardArray,
    combos: NDArray[np.intp],
    workers: Workers | None = None,
) -> NDArray[np.int64]:
    """Rank each combo on each board.

    Args:
        evaluator: the evaluator to rank with.
        boards: 3 to 5 cards each, ``uint8 (board, card)``.
        combos: ``intp (combo,)``.
        workers: the workers of the run.

    Returns:
        Strengths, `BLOCKED` for combos that share a card with the board, ``int64 (board,
        combo)``.
    """
    if evaluator.is_fused:
        ranked = rank_combos_in_numpy(boards, combos)
        return np.where(ranked == BLOCKED_16, BLOCKED, ranked)
    free = (card_sets(boards)[:, None] & COMBO_SETS[combos]) == 0
    hands = np.empty((*free.shape, boards.shape[1] + 2), dtype=np.uint8)
    hands[:, :, :-2], hands[:, :, -2:] = boards[:, None], COMBO_CARDS[combos]
    strengths = np.full(free.shape, BLOCKED)
    # Making all hands and dropping the blocked ones takes 17 ns a hand, making each alone 100.
    valid = np.compress(free.ravel(), hands.reshape(-1, hands.shape[2]), axis=0)
    strengths[free] = evaluator.rank(valid, workers)
    return strengths


def rank_combos_in_numpy(boards: CardArray, combos: NDArray[np.intp]) -> NDArray[np.int16]:
    """Rank each combo on each board with the default evaluator.

    The arguments are those of `rank_combos`, and so is the result, but as ``int16`` and with
    `BLOCKED_16`.
    """
    strengths = rank_holes(boards, COMBO_CARDS[combos])
    strengths[(card_sets(boards)[:, None] & COMBO_SETS[combos]) != 0] = BLOCKED_16
    return strengths

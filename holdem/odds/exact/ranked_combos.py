"""Ranking of combos on boards by an evaluator, or by tables of strengths in numpy or in kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets
from holdem.evaluation.builtin.lookup import rank_holes, strength
from holdem.evaluation.builtin.lookup_tables import (
    CARD_KEYS,
    CARD_MASKS,
    SUIT_COUNT_START,
    StrengthTable,
)
from holdem.evaluation.evaluator import Ranker
from holdem.jit.kernels import inlined, unowned
from holdem.jobs.workers import Workers
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

#: The strength of a combo that shares a card with the board.
BLOCKED = np.int64(np.iinfo(np.int64).min)
BLOCKED_16 = np.int16(np.iinfo(np.int16).min)

#: The number of hands that a task ranks; with all arrays derived from them, some 5 MB.
HANDS_PER_TASK = 1 << 16


def rank_combos(
    ranker: Ranker,
    boards: CardArray,
    combos: NDArray[np.intp],
    workers: Workers | None = None,
) -> NDArray[np.int64]:
    """Rank each combo on boards of 3 to 5 cards, ``uint8 (board, card)``, from tables if it can.

    Strengths are ``int64 (board, combo)``, `BLOCKED` for combos that share a card with the board.
    `workers` are those of the run that calls this, so that a slow evaluator stops when the run
    ends; None outside a run.
    """
    if ranker.tables is not None:
        table = ranker.tables.of_size[boards.shape[1] + 2]
        ranked = rank_combos_in_numpy(table, boards, combos)
        return np.where(ranked == BLOCKED_16, BLOCKED, ranked)
    free = (card_sets(boards)[:, None] & COMBO_SETS[combos]) == 0
    hands = np.empty((*free.shape, boards.shape[1] + 2), dtype=np.uint8)
    hands[:, :, :-2], hands[:, :, -2:] = boards[:, None], COMBO_CARDS[combos]
    strengths = np.full(free.shape, BLOCKED)
    # Making all hands and dropping the blocked ones takes 17 ns a hand, making each alone 100.
    valid = np.compress(free.ravel(), hands.reshape(-1, hands.shape[2]), axis=0)
    strengths[free] = ranker.rank(valid, workers)
    return strengths


def rank_combos_in_numpy(
    table: NDArray[Any], boards: CardArray, combos: NDArray[np.intp]
) -> NDArray[np.int16]:
    """Rank each combo on boards of 3 to 5 cards, ``uint8 (board, card)``, in numpy.

    `table` is the entry of `StrengthTables.of_size` for hands with two cards more than a board.
    Strengths are ``int16 (board, combo)``, `BLOCKED_16` for combos that share a card with the
    board.
    """
    strengths = rank_holes(table, boards, COMBO_CARDS[combos])
    strengths[(card_sets(boards)[:, None] & COMBO_SETS[combos]) != 0] = BLOCKED_16
    return strengths


#: The sum of the keys of each combo's cards, ``uint64 (combo,)``.
COMBO_KEYS: NDArray[np.uint64] = CARD_KEYS[COMBO_CARDS].sum(axis=1)
#: The suit mask of each combo, ``uint64 (combo,)``.
COMBO_MASKS: NDArray[np.uint64] = np.bitwise_or.reduce(CARD_MASKS[COMBO_CARDS], axis=1)

_START = np.uint64(SUIT_COUNT_START)
_ONE = np.uint64(1)


@inlined
def sum_cards(cards: CardArray, row: Any, count: Any) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Combine the first `count` cards of a row into a card set, a key and a suit mask.

    `cards` is ``uint8 (row, card)``. Strengths are looked up by key and suit mask
    (`holdem.evaluation.builtin.lookup_tables`). The key is the sum of the cards' keys and of
    `SUIT_COUNT_START`, at which the counters of suits start.
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
    table: StrengthTable,
    boards: CardArray,
    holes: CardArray,
    visit: Callable[..., None],
    results: Any,
) -> None:
    """Rank each combo on each board with which it shares no card, and pass the strength to `visit`.

    `table` is that of hands of seven cards, `boards` is ``uint8 (board, 5)``, and `holes` has the
    cards of each combo, ``uint8 (combo, 2)``. `visit` is an inlined function that is called with
    the index of the board, the index of the combo, the strength, and `results`, the array or tuple
    of arrays to which it writes.
    """
    strengths = unowned(table)
    for board in range(len(boards)):
        used, key, mask = sum_cards(boards, board, 5)
        for combo in range(len(holes)):
            high, low = holes[combo, 0], holes[combo, 1]
            if (used >> np.uint64(high) | used >> np.uint64(low)) & _ONE:
                continue
            key_7 = key + CARD_KEYS[high] + CARD_KEYS[low]
            mask_7 = mask | CARD_MASKS[high] | CARD_MASKS[low]
            visit(board, combo, strength(strengths, key_7, mask_7), results)

"""Live combos in the layout that the ordering kernels read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, RANK_KEYS
from holdem.evaluation.evaluator import Evaluator
from holdem.jobs.workers import Workers
from holdem.odds.exact.ordering.ranked_combos import rank_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

if TYPE_CHECKING:
    from holdem.odds.exact.ordering.kernels import Combos

_HIGH, _LOW = COMBO_CARDS.T.astype(np.uint32)
_KEYS = CARD_KEYS[_HIGH] + CARD_KEYS[_LOW]
_MASKS = CARD_MASKS[_HIGH] | CARD_MASKS[_LOW]
_CARDS = _HIGH << np.uint32(6) | _LOW
_RANK_PAIRS = (13 * (_HIGH >> 2) + (_LOW >> 2)).astype(np.intp)
_RANK_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_RANK_PAIR_KEYS = (_RANK_KEYS[:, None] + _RANK_KEYS).ravel()
# Adjacent combos of the same two ranks share no card, so a kernel that adds their weights by
# card does not wait for the previous addition.
_POSITIONS = np.lexsort((_HIGH & 3, (_HIGH - _LOW) & 3, _RANK_PAIRS)).argsort()


def sort_by_ranks(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort combo numbers, ``intp (combo,)``, so that combos of the same two ranks are adjacent."""
    ordered: NDArray[np.intp] = numbers[np.argsort(_POSITIONS[numbers])]
    return ordered


def sortable_combos(numbers: NDArray[np.intp]) -> Combos:
    """Return combos in the layout that `order_combos` reads.

    Args:
        numbers: ``intp (combo,)``, in the order of `sort_by_ranks`.
    """
    from holdem.odds.exact.ordering.kernels import Combos

    none = np.zeros((0, 0), dtype=np.int64)
    rank_pairs, starts = np.unique(_RANK_PAIRS[numbers], return_index=True)
    indices = np.arange(len(numbers), dtype=np.uint32)
    return Combos(
        COMBO_SETS[numbers],
        _KEYS[numbers],
        _MASKS[numbers],
        indices << np.uint32(12) | _CARDS[numbers],
        _RANK_PAIR_KEYS[rank_pairs],
        np.append(starts, len(numbers)).astype(np.uint32),
        strengths=none,
        ranking=none.astype(np.intp),
        category_bounds=none.ravel(),
    )


def with_strengths(
    combos: Combos,
    numbers: NDArray[np.intp],
    boards: CardArray,
    evaluator: Evaluator,
    workers: Workers | None,
) -> Combos:
    """Rank combos on boards with an evaluator and return the combos with their strengths.

    Args:
        combos: as returned by `sortable_combos`.
        numbers: the argument of `sortable_combos`.
        boards: the boards on which `order_combos` will order them, ``uint8 (board, 5)``.
        evaluator: any but the default one, which is built into `order_combos`.
        workers: the workers of the run.
    """
    strengths = rank_combos(evaluator, boards, numbers, workers)
    return combos._replace(strengths=strengths, ranking=strengths.argsort(axis=1))

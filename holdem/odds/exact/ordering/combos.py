"""The combos in play, as the kernels that order them want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup.keys import CARD_KEYS, CARD_MASKS, RANK_KEYS
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.exact.ordering.ranked_combos import rank_combos
from holdem.ranges.combos import COMBO_CARDS, COMBO_SETS

if TYPE_CHECKING:
    from holdem.odds.exact.ordering.kernels import Combos

_HIGH, _LOW = COMBO_CARDS.T.astype(np.uint32)
_KEYS = CARD_KEYS[_HIGH] + CARD_KEYS[_LOW]
_MASKS = CARD_MASKS[_HIGH] | CARD_MASKS[_LOW]
_CARDS = _HIGH << np.uint32(6) | _LOW
_PAIRS = (13 * (_HIGH >> 2) + (_LOW >> 2)).astype(np.intp)
_RANK_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_PAIR_KEYS = (_RANK_KEYS[:, None] + _RANK_KEYS).ravel()
# Combos of one pair of ranks stand so that neighbours share no card: a kernel that adds
# their weights card by card then does not wait for the sum before.
_RANKING = np.lexsort((_HIGH & 3, (_HIGH - _LOW) & 3, _PAIRS)).argsort()


def by_ranks(numbers: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return combos, ``intp (combo,)``, with those of the same pair of ranks together."""
    ordered: NDArray[np.intp] = numbers[np.argsort(_RANKING[numbers])]
    return ordered


def live_combos(numbers: NDArray[np.intp]) -> Combos:
    """Return combos for `order_combos`.

    Args:
        numbers: ``intp (combo,)``, in the order of `by_ranks`.
    """
    from holdem.odds.exact.ordering.kernels import Combos

    none = np.zeros((0, 0), dtype=np.int64)
    pairs, starts = np.unique(_PAIRS[numbers], return_index=True)
    places = np.arange(len(numbers), dtype=np.uint32)
    return Combos(
        COMBO_SETS[numbers],
        _KEYS[numbers],
        _MASKS[numbers],
        places << np.uint32(12) | _CARDS[numbers],
        _PAIR_KEYS[pairs],
        np.append(starts, len(numbers)).astype(np.uint32),
        strengths=none,
        ranking=none.astype(np.intp),
    )


def combos_on(
    boards: CardArray,
    combos: Combos,
    numbers: NDArray[np.intp],
    evaluator: Evaluator | None,
) -> Combos:
    """Have combos ranked on the boards that they are to be put in order on.

    Args:
        boards: ``uint8 (board, 5)``.
        combos: of `live_combos`.
        numbers: the same combos, as it was given them.
        evaluator: who ranks them; None for the default one, which `order_combos` has built in.
    """
    if evaluator is None:
        return combos
    strengths = rank_combos(evaluator, boards, numbers)
    return combos._replace(strengths=strengths, ranking=strengths.argsort(axis=1))

"""The best five of six or seven cards, for evaluators that rank five."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.contract import BatchFunction

_BLOCK = 1 << 13  # hands at a time: 21 choices of each are under a megabyte


@cache
def choices_of_five(size: int) -> NDArray[np.intp]:
    """Return the places of every choice of five of `size` cards, ``intp (choice, 5)``."""
    return np.array(list(combinations(range(size), 5)), dtype=np.intp)


def best_of_five(rank_five: BatchFunction, hands: CardArray) -> NDArray[Any]:
    """Rank hands of six or seven cards with an evaluator of five.

    Args:
        rank_five: ranks ``uint8 (n, 5)``.
        hands: ``uint8 (n, 6)`` or ``uint8 (n, 7)``.

    Returns:
        The strength of the best of the 6 or 21 choices of each hand, ``(n,)``.
    """
    choices = choices_of_five(hands.shape[1])
    blocks = []
    for start in range(0, len(hands), _BLOCK):
        block = hands[start : start + _BLOCK]
        fives = np.ascontiguousarray(block[:, choices].reshape(-1, 5))
        blocks.append(rank_five(fives).reshape(len(block), len(choices)).max(axis=1))
    return np.concatenate(blocks) if blocks else rank_five(hands[:, :5])

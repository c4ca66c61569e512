"""Selection of the best five of six or seven cards, for evaluators that rank only five cards."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets, cards_in_sets
from holdem.evaluation.contract import BatchFunction

_BLOCK = 1 << 13  # hands: 21 choices of each take less than a megabyte
_DISTINCT_BLOCK = 1 << 16  # hands: a larger block has more equal choices


@cache
def choices_of_five(size: int) -> NDArray[np.intp]:
    """List all ways to choose 5 of the positions 0 to `size` - 1, ``intp (choice, 5)``."""
    return np.array(list(combinations(range(size), 5)), dtype=np.intp)


def best_of_five(
    rank_five: BatchFunction, hands: CardArray, *, distinct: bool = False
) -> NDArray[Any]:
    """Rank hands ``uint8 (hand, 6..7)`` by the best of their 6 or 21 choices of five cards.

    The result is integers ``(hand,)``. `distinct` ranks equal choices in a block of hands only
    once: finding them takes 70 ns per choice, so this pays for slow functions only.
    """
    choices = choices_of_five(hands.shape[1])
    size = _DISTINCT_BLOCK if distinct else _BLOCK
    blocks = []
    for start in range(0, len(hands), size):
        block = hands[start : start + size]
        if distinct:
            sets = card_sets(block[:, choices].reshape(-1, 5))
            unique_sets, places = np.unique(sets, return_inverse=True)
            ranked = rank_five(cards_in_sets(unique_sets, 5))[places]
        else:
            # `take` along the cards takes 90 ns a hand, an index array 135.
            ranked = rank_five(np.take(block, choices.ravel(), axis=1).reshape(-1, 5))
        blocks.append(ranked.reshape(len(block), len(choices)).max(axis=1))
    return np.concatenate(blocks) if blocks else rank_five(hands[:, :5])

"""The evaluators ``suit-mask`` and ``deuces-wild``: cards as bits in four sections of 16.

The functions exported here convert between cards, masks of cards and the 31-bit values of hands.
The methods are in `holdem_suit_mask.kernel` and `holdem_suit_mask.deuces`; ``README.md`` explains
them. They follow the article *More Bit Representations*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem
from holdem_suit_mask.layout import card_index, card_mask, from_index_set, to_index_set
from holdem_suit_mask.layout import card_mask as card
from holdem_suit_mask.spec import DEUCES_WILD, SPEC
from holdem_suit_mask.value import HandType, Parts, join, split
from holdem_suit_mask.vocabulary import (
    hand_mask,
    hand_name,
    hand_type,
    hand_value,
    horizontal_and,
    horizontal_or,
    horizontal_xor,
    mask_cards,
    mask_text,
)
from holdem_suit_mask.vocabulary import hand_mask as hand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "HandType",
    "Parts",
    "card",
    "card_index",
    "card_mask",
    "from_index_set",
    "hand",
    "hand_mask",
    "hand_name",
    "hand_type",
    "hand_value",
    "holdem_evaluators",
    "horizontal_and",
    "horizontal_or",
    "horizontal_xor",
    "join",
    "mask_cards",
    "mask_text",
    "rank_batch",
    "split",
    "to_index_set",
]


def rank_batch(hands: ArrayLike) -> NDArray[np.int32]:
    """Rank hands of five to seven cards; of six and seven, the best five count.

    The first call loads the evaluator, and compiles the kernel or loads it from the cache.

    Args:
        hands: ids, integers ``(hand, card)``.

    Returns:
        The 31-bit values, ``int32 (hand,)``; bigger is stronger.

    Raises:
        CardError: an id that is not a card, or a card twice in a hand.
        HoldemTypeError: not an array of integers of that shape.
    """
    return holdem.get_evaluator(SPEC).strengths(hands)


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    """Return the specs of the evaluators ``suit-mask`` and ``deuces-wild``."""
    return [SPEC, DEUCES_WILD]

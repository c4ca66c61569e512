"""The evaluator ``bitwise``: bit fields of a hand's ranks, and a remainder modulo 15.

The method is that of an article by subskybox, which ``README.md`` names and explains with
every constant. The code is in `holdem_bitwise.kernel` for five cards and in
`holdem_bitwise.best_five` for six and seven. The functions exported here take hands as text, or as
ranks and suit flags like the article.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem
from holdem_bitwise.spec import SPEC
from holdem_bitwise.vocabulary import (
    Hand,
    card,
    hand,
    hand_name,
    hand_value,
    rank_poker_hand,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Hand",
    "card",
    "hand",
    "hand_name",
    "hand_value",
    "holdem_evaluators",
    "rank_batch",
    "rank_poker_hand",
]


def rank_batch(hands: ArrayLike) -> NDArray[np.int32]:
    """Rank hands of five to seven cards; of six and seven, the best five count.

    The first call loads the evaluator, and compiles the kernel or loads it from the cache.

    Args:
        hands: ids, integers ``(hand, card)``.

    Returns:
        Strengths, ``int32 (hand,)``; bigger is stronger.

    Raises:
        CardError: an id that is not a card, or a card twice in a hand.
        HoldemTypeError: not an array of integers of that shape.
    """
    return holdem.get_evaluator(SPEC).strengths(hands)


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    """Return the spec of the evaluator ``bitwise``, in a list."""
    return [SPEC]

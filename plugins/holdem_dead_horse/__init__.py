"""The evaluator ``dead-horse``: the OR, XOR and sum of five 17-bit cards, and two remainders.

The method is that of the article *DeadHorseEval*; ``README.md`` explains every constant. It is in
`holdem_dead_horse.kernel`. The functions exported here take cards as the article labels them,
``2s`` to ``14d``, or as the engine does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem
from holdem_dead_horse.cards import card_label, card_number
from holdem_dead_horse.cards import card_number as card
from holdem_dead_horse.spec import SPEC
from holdem_dead_horse.vocabulary import ALL_HUMAN_CARDS, FIFTY_TWO, hand, hand_name, hand_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "ALL_HUMAN_CARDS",
    "FIFTY_TWO",
    "card",
    "card_label",
    "card_number",
    "hand",
    "hand_name",
    "hand_value",
    "holdem_evaluators",
    "rank_batch",
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
    """Return the spec of the evaluator ``dead-horse``, in a list."""
    return [SPEC]

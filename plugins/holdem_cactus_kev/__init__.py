"""The evaluator ``cactus-kev``: ranks as primes, whose product identifies the ranks of a hand.

The method is in `holdem_cactus_kev.kernel`, and the 7,462 classes are in
`holdem_cactus_kev.classes`; ``README.md`` explains both. The functions exported here do the same as
those in Schaefer's article *Porting a Poker Hand Evaluator from C to Factor*. The language Factor
calls a function a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem
from holdem_cactus_kev.cards import card_bitfield
from holdem_cactus_kev.cards import card_bitfield as card
from holdem_cactus_kev.classes import Category
from holdem_cactus_kev.spec import SPEC
from holdem_cactus_kev.vocabulary import (
    card_rank,
    card_rank_bit,
    card_rank_prime,
    card_suit,
    card_text,
    deck_bitfields,
    hand_bitfields,
    hand_category,
    hand_name,
    hand_text,
    hand_value,
    is_flush,
    lookup,
    prime_bits,
    rank_bits,
    value_category,
)
from holdem_cactus_kev.vocabulary import hand_bitfields as hand

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Category",
    "card",
    "card_bitfield",
    "card_rank",
    "card_rank_bit",
    "card_rank_prime",
    "card_suit",
    "card_text",
    "deck_bitfields",
    "hand",
    "hand_bitfields",
    "hand_category",
    "hand_name",
    "hand_text",
    "hand_value",
    "holdem_evaluators",
    "holdem_warm_up",
    "is_flush",
    "lookup",
    "prime_bits",
    "rank_batch",
    "rank_bits",
    "value_category",
]


def rank_batch(hands: ArrayLike) -> NDArray[np.int16]:
    """Rank hands of five to seven cards; of six and seven, the best five count.

    The first call loads the evaluator, and compiles the kernel or loads it from the cache.

    Args:
        hands: ids, integers ``(hand, card)``.

    Returns:
        Strengths, ``int16 (hand,)``, which are 7463 - class; bigger is stronger.

    Raises:
        CardError: an id that is not a card, or a card twice in a hand.
        HoldemTypeError: not an array of integers of that shape.
    """
    return holdem.get_evaluator(SPEC).strengths(hands)


@holdem.hookimpl
def holdem_warm_up() -> dict[str, Callable[[], object]]:
    """Return the function that compiles the search, which the evaluator does without."""
    return {"cactus-kev, by search": _rank_by_search}


def _rank_by_search() -> None:
    import numpy as np

    from holdem_cactus_kev.kernel import rank_batch

    rank_batch(np.arange(5, dtype=np.uint8)[None], search=True)


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    """Return the spec of the evaluator ``cactus-kev``, in a list."""
    return [SPEC]

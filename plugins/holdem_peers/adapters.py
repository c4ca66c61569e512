"""Adapters that make functions on arrays of hands from the evaluators of other libraries.

All four libraries rank one hand at a time. They differ in the type of a card, and in whether bigger
or smaller numbers are stronger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem import Card

Batch: TypeAlias = Callable[[NDArray[np.uint8]], NDArray[np.int64]]

_TEXTS = [str(Card(card)) for card in range(52)]
_CLASSES = 7462  # classes of five cards as published by Cactus Kev, 1 for the strongest


def _hand_by_hand(
    library: str, cards: Sequence[Any], strength: Callable[[list[Any]], int]
) -> Batch:
    """Return a function that ranks an array of ids by calling a library for each hand.

    `library` is the name for pip, `cards` are the library's 52 cards in the order of the engine's
    ids, and `strength` ranks a list of them; bigger is stronger.
    """

    def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
        answers = [strength([cards[card] for card in hand]) for hand in hands.tolist()]
        return np.array(answers, dtype=np.int64)

    rank_batch.library = f"{library} {version(library)}"  # type: ignore[attr-defined]
    return rank_batch


def load_eval7() -> Batch:
    """Import eval7, whose cards are objects and whose strengths are bigger for stronger hands."""
    import eval7

    return _hand_by_hand("eval7", [eval7.Card(text) for text in _TEXTS], eval7.evaluate)


def load_phevaluator() -> Batch:
    """Import PH Evaluator, which finds a class, 1 for the strongest; the answer is 7463 - class."""
    from phevaluator import Card as TheirCard
    from phevaluator import evaluate_cards

    # At present these are the engine's ids, but that is not documented.
    ids = [TheirCard.to_id(text) for text in _TEXTS]
    return _hand_by_hand("phevaluator", ids, lambda hand: _CLASSES + 1 - evaluate_cards(*hand))


def load_pokerkit() -> Batch:
    """Import PokerKit, for five cards a hand; it looks up an index, bigger for a stronger hand.

    The engine finds the best five of seven cards, for which PokerKit would take 500 µs.
    """
    from pokerkit import Card as TheirCard
    from pokerkit import StandardHighHand

    find = StandardHighHand.lookup.get_entry
    return _hand_by_hand(
        "pokerkit",
        [next(TheirCard.parse(text)) for text in _TEXTS],
        lambda hand: int(find(hand).index),
    )


def load_treys() -> Batch:
    """Import treys, which finds a class, 1 for the strongest; the answer is 7463 - class.

    The library's cards are integers of 32 bits.
    """
    from treys import Card as TheirCard
    from treys import Evaluator

    rank = Evaluator().evaluate
    return _hand_by_hand(
        "treys",
        [TheirCard.new(text) for text in _TEXTS],
        lambda hand: _CLASSES + 1 - rank([], hand),
    )


#: Functions that load the evaluators, by name.
LOADERS: dict[str, Callable[[], Batch]] = {
    "eval7": load_eval7,
    "phevaluator": load_phevaluator,
    "pokerkit": load_pokerkit,
    "treys": load_treys,
}

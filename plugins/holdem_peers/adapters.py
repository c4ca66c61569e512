"""From batches of ids to what each library takes, and from its answers to strengths.

All four rank one hand at a time, of cards of their own; what differs is the card, and which
way the numbers run.
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
_CLASSES = 7462  # the published classes of five cards, 1 the best


def _one_by_one(library: str, cards: Sequence[Any], strength: Callable[[list[Any]], int]) -> Batch:
    """Return a batch function that asks for the strength of one hand after the other.

    Args:
        library: the distribution that answers, which is told with its version.
        cards: the library's own card for each id of the engine.
        strength: ranks a list of them; bigger is stronger.
    """

    def rank_batch(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
        answers = [strength([cards[card] for card in hand]) for hand in hands.tolist()]
        return np.array(answers, dtype=np.int64)

    rank_batch.library = f"{library} {version(library)}"  # type: ignore[attr-defined]
    return rank_batch


def load_eval7() -> Batch:
    """eval7 takes objects of its own; bigger is stronger."""
    import eval7

    return _one_by_one("eval7", [eval7.Card(text) for text in _TEXTS], eval7.evaluate)


def load_phevaluator() -> Batch:
    """PH Evaluator takes ids, and answers the published class: smaller is stronger."""
    from phevaluator import Card as TheirCard
    from phevaluator import evaluate_cards

    # Its ids are ours today, but it is its own reading of the texts that says so.
    ids = [TheirCard.to_id(text) for text in _TEXTS]
    return _one_by_one("phevaluator", ids, lambda hand: _CLASSES + 1 - evaluate_cards(*hand))


def load_pokerkit() -> Batch:
    """PokerKit takes objects of its own; the place in its look-up is bigger for the stronger.

    It is asked for five cards only: its own choice among seven takes 500 µs a hand.
    """
    from pokerkit import Card as TheirCard
    from pokerkit import StandardHighHand

    find = StandardHighHand.lookup.get_entry
    return _one_by_one(
        "pokerkit",
        [next(TheirCard.parse(text)) for text in _TEXTS],
        lambda hand: int(find(hand).index),
    )


def load_treys() -> Batch:
    """Treys takes 32-bit cards as Cactus Kev does, and answers the class: smaller is stronger."""
    from treys import Card as TheirCard
    from treys import Evaluator

    rank = Evaluator().evaluate
    return _one_by_one(
        "treys",
        [TheirCard.new(text) for text in _TEXTS],
        lambda hand: _CLASSES + 1 - rank([], hand),
    )


#: What loads each of them, by the name of the evaluator.
LOADERS: dict[str, Callable[[], Batch]] = {
    "eval7": load_eval7,
    "phevaluator": load_phevaluator,
    "pokerkit": load_pokerkit,
    "treys": load_treys,
}

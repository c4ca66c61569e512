"""Evaluator ``dead-horse``: the OR, XOR and sum of five 17-bit cards, and two remainders.

`card_number` and `card_label` convert the article's labels of cards, ``2s`` to ``14d``, to
numbers and back. The method is in `holdem_dead_horse.kernel`; ``README.md`` derives every
constant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdem import EvaluatorSpec, hookimpl
from holdem_dead_horse.cards import card_label, card_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["card_label", "card_number", "holdem_evaluators"]


def _load() -> Callable[[NDArray[Any]], NDArray[Any]]:
    from holdem_dead_horse.kernel import rank_batch

    return rank_batch


@hookimpl
def holdem_evaluators() -> list[EvaluatorSpec]:
    """Return the spec of ``dead-horse``."""
    return [
        EvaluatorSpec(
            name="dead-horse",
            summary="17-bit cards: straights and flushes by modulo, the rest by OR, XOR and sum",
            source="“DeadHorseEval”, an article on a small five-card evaluator; finished here",
            hand_sizes=frozenset({5}),
            load=_load,
        )
    ]

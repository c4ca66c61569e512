"""Evaluator ``dead-horse``: the OR, XOR and sum of five 17-bit cards, and two remainders.

The method is in `holdem_dead_horse.kernel`, the cards are in `holdem_dead_horse.tables`;
``README.md`` derives every constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from holdem import EvaluatorSpec, hookimpl


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
            source="DeadHorseEval, an article on a small five-card evaluator; finished here",
            hand_sizes=frozenset({5}),
            load=_load,
        )
    ]

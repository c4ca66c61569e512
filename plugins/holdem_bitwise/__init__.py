"""Evaluator ``bitwise``: bit fields of ranks and of counts, and a remainder modulo 15.

The article's method is in `holdem_bitwise.kernel`, the best five of six or seven cards in
`holdem_bitwise.best_five`; ``README.md`` derives every constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from holdem import EvaluatorSpec, hookimpl


def _load() -> Callable[[NDArray[Any]], NDArray[Any]]:
    from holdem_bitwise.batch import rank_batch

    return rank_batch


@hookimpl
def holdem_evaluators() -> list[EvaluatorSpec]:
    """Return the spec of ``bitwise``."""
    return [
        EvaluatorSpec(
            name="bitwise",
            summary="two bit fields and a modulo 15, after an analyser in JavaScript; no tables",
            source="“A Poker hand analyzer in JavaScript using bit & mathematical operations”"
            " by subskybox (CodeProject, 2013); ties, six and seven cards are added here",
            hand_sizes=frozenset({5, 6, 7}),
            load=_load,
        )
    ]

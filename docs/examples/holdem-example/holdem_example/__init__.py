"""The evaluator ``example`` for holdem.

This module is imported whenever evaluators are listed, so it must be cheap to import: the kernel,
and with it numba, is imported by `load`, which is called once, on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

import holdem


def load() -> Callable[[NDArray[Any]], NDArray[Any]]:
    """Return the function that ranks a batch, ``uint8 (hand, card)`` -> ``int (hand,)``."""
    from holdem_example.kernel import rank_batch

    return rank_batch


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    """Return the specification of ``example``."""
    return [
        holdem.EvaluatorSpec(
            name="example",
            summary="counts of ranks, collected in sets of bits",
            source="the package holdem-example",
            hand_sizes=frozenset({5}),
            load=load,
        )
    ]

"""The spec of the evaluator ``dead-horse``, for the functions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int32]]:
    from holdem_dead_horse import kernel

    return kernel.rank_batch


SPEC = holdem.EvaluatorSpec(
    name="dead-horse",
    summary="17-bit cards: straights and flushes by modulo, the rest by OR, XOR and sum",
    source="“DeadHorseEval”, an article on a small five-card evaluator; finished here",
    hand_sizes=frozenset({5}),
    load=_load,
)

"""The spec of the evaluator ``bitwise``, for the functions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int32]]:
    from holdem_bitwise import batch

    return batch.rank_batch


SPEC = holdem.EvaluatorSpec(
    name="bitwise",
    summary="two bit fields and a modulo 15, after an analyser in JavaScript; no tables",
    source="“A Poker hand analyzer in JavaScript using bit & mathematical operations”"
    " by subskybox (CodeProject, 2013); ties, six and seven cards are added here",
    hand_sizes=frozenset({5, 6, 7}),
    load=_load,
)

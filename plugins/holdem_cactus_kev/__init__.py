"""Evaluator ``cactus-kev``: ranks as primes, whose product identifies the ranks of a hand.

The method is in `holdem_cactus_kev.kernel`, the 7,462 classes are in
`holdem_cactus_kev.classes`; ``README.md`` explains both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int16]]:
    from holdem_cactus_kev.kernel import rank_batch

    return rank_batch


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    """Return the spec of ``cactus-kev``."""
    return [
        holdem.EvaluatorSpec(
            name="cactus-kev",
            summary="prime products, two tables by rank bits, and a perfect hash over the rest",
            source="Cactus Kev's evaluator (Kevin Suffecool), with Senzee's idea of a perfect hash",
            hand_sizes={5},
            load=_load,
        )
    ]

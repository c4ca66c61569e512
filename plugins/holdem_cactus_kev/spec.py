"""The spec of the evaluator ``cactus-kev``, for the functions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int16]]:
    from holdem_cactus_kev import kernel

    return kernel.rank_batch


SPEC = holdem.EvaluatorSpec(
    name="cactus-kev",
    summary="prime products, two tables by rank bits, and a perfect hash over the rest",
    source=(
        "“Porting a Poker Hand Evaluator from C to Factor” by Aaron Bull Schaefer, after"
        " Cactus Kev (Kevin Suffecool) and Senzee"
    ),
    hand_sizes={5},
    load=_load,
)

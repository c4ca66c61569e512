"""Evaluator ``suit-mask``: cards as bits in four sections of 16, reduced by bitwise logic.

The method is in `holdem_suit_mask.kernel`, the cards are in `holdem_suit_mask.layout`, and the
values in `holdem_suit_mask.value`; ``README.md`` explains them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int32]]:
    from holdem_suit_mask.kernel import rank_batch

    return rank_batch


@holdem.hookimpl
def holdem_evaluators() -> list[holdem.EvaluatorSpec]:
    """Return the spec of ``suit-mask``."""
    return [
        holdem.EvaluatorSpec(
            name="suit-mask",
            summary="four 16-bit suit sections folded by AND, OR and XOR into a 31-bit value",
            source="“More Bit Representations”, part 3 of a series on evaluating hands in C#",
            hand_sizes={5, 6, 7},
            load=_load,
        )
    ]

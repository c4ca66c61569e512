"""The specs of ``suit-mask`` and ``deuces-wild``, for the functions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import holdem

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


def _load() -> Callable[[NDArray[np.uint8]], NDArray[np.int32]]:
    from holdem_suit_mask import kernel

    return kernel.rank_batch


def _load_deuces() -> Callable[[NDArray[np.uint8]], NDArray[np.int32]]:
    from holdem_suit_mask.deuces import rank_batch

    return rank_batch


#: The spec of the evaluator ``suit-mask``.
SPEC = holdem.EvaluatorSpec(
    name="suit-mask",
    summary="four 16-bit suit sections folded by AND, OR and XOR into a 31-bit value",
    source="“More Bit Representations”, part 3 of a series on evaluating poker hands in C#",
    hand_sizes={5, 6, 7},
    load=_load,
)

#: The spec of the evaluator ``deuces-wild``.
DEUCES_WILD = holdem.EvaluatorSpec(
    name="deuces-wild",
    summary="twos are wild and five of a kind beats all: the masks and values of suit-mask",
    source="the types of “More Bit Representations”, with its wild cards added here",
    hand_sizes={5, 6, 7},
    load=_load_deuces,
    rules="deuces-wild",
)

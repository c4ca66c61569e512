"""Arrays of weights from outside, checked before a range keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemTypeError, RangeError
from holdem.ranges.reading import Weights


def numbers(values: Any) -> NDArray[np.float64]:
    """Return array-like numbers as ``float64``, in the shape they have.

    Raises:
        HoldemTypeError: not numbers (text, objects), or rows of different lengths.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "buif":
        raise HoldemTypeError(f"weights are numbers 0..1, not {repr(values)[:60]}")
    return array.astype(np.float64)


def checked(weights: NDArray[np.float64]) -> Weights:
    """Return weights as a range keeps them: a copy, read-only, all in 0..1, no negative zero.

    Raises:
        RangeError: a weight that is not in 0..1, or no number at all (NaN).
    """
    fine = (weights >= 0) & (weights <= 1)
    if not fine.all():
        raise RangeError(f"{weights[~fine][0]} is no weight: weights are 0..1")
    kept: Weights = weights + 0.0  # -0.0 equals 0.0 but has other bytes, and so another hash
    kept.setflags(write=False)
    return kept

"""Arrays of weights: those from outside checked, and weights by class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemTypeError, RangeError
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, CLASS_SIZES
from holdem.ranges.reading import Weights

_BY_CLASS = np.argsort(CLASS_OF_COMBO, kind="stable")
_CLASS_STARTS = np.searchsorted(CLASS_OF_COMBO[_BY_CLASS], np.arange(CLASS_COUNT))


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


def bounds_by_class(weights: Weights) -> tuple[Weights, Weights]:
    """Return the least and the largest weight in each class, ``float64 (class,)`` both."""
    ordered = weights[_BY_CLASS]
    least: Weights = np.minimum.reduceat(ordered, _CLASS_STARTS)
    most: Weights = np.maximum.reduceat(ordered, _CLASS_STARTS)
    return least, most


def means_by_class(weights: Weights) -> Weights:
    """Return the mean weight in each class, ``float64 (class,)``.

    Where all combos of a class have one weight, it is that weight to the last bit.
    """
    least, most = bounds_by_class(weights)
    sums = np.bincount(CLASS_OF_COMBO, weights=weights, minlength=CLASS_COUNT)
    return np.where(least == most, most, sums / CLASS_SIZES)

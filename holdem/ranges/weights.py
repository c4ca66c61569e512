"""Combo weights: validation of arrays, conversion from and to strings, and statistics by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import read_only
from holdem.errors import HoldemTypeError, RangeError, quoted
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO, CLASS_SIZES, COMBO_TEXT

#: Weights of all combos, ``float64 (combo,)``, 0..1.
Weights: TypeAlias = NDArray[np.float64]

#: Numbers of the combos in a range, ``intp (held combo,)``, in ascending order.
Held: TypeAlias = NDArray[np.intp]

#: The smallest weight above 0. The products of smaller ones with others would round to 0.
SMALLEST = 1e-300

_MAX_DIGITS = 400  # `decimal_text` writes at most 326
_BY_CLASS = np.argsort(CLASS_OF_COMBO, kind="stable")
_CLASS_STARTS = np.searchsorted(CLASS_OF_COMBO[_BY_CLASS], np.arange(CLASS_COUNT))


# --- arrays ---------------------------------------------------------------------------------


def as_floats(values: Any, ndim: int | None = None) -> NDArray[np.float64]:
    """Convert array-like numbers to a ``float64`` array with `ndim` dimensions; any if None."""
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):  # rows of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "buif" or ndim not in (None, array.ndim):
        raise HoldemTypeError(f"weights are numbers 0..1, not {quoted(values)}")
    floats = array.astype(np.float64)
    if isinstance(values, np.ma.MaskedArray):
        floats[np.ma.getmaskarray(values)] = np.nan  # which the caller refuses, with its place
    return floats


def validated(weights: NDArray[np.float64], names: Sequence[str] = COMBO_TEXT) -> Weights:
    """Validate weights, ``float64 (n,)``, and return a read-only copy; messages use the names."""
    valid = (weights == 0) | (weights >= SMALLEST) & (weights <= 1)
    if not valid.all():
        first = int(valid.argmin())
        weight, bounds = float(weights[first]), "weights are 0..1"
        if 0 < weight < SMALLEST:
            bounds = f"the smallest weight above 0 is {SMALLEST}"
        raise RangeError(f"{weight} is not a valid weight of {names[first]}: {bounds}")
    # -0.0 becomes 0.0: it has other bytes, and with them another hash.
    return read_only(weights + 0.0)


def held_combos(weights: Weights) -> Held:
    """Find the numbers of the combos with positive weights, ``intp (held combo,)``, read-only."""
    # Of Booleans, this takes a fifth of the time.
    return read_only(weights.astype(np.bool_).nonzero()[0])


# --- text -----------------------------------------------------------------------------------


def combo_records(weights: Weights) -> list[dict[str, Any]]:
    """List the combos with positive weights as JSON objects, in ascending order of combo number.

    An object has the keys ``combo``, the combo as text, and ``weight``.
    """
    held = held_combos(weights)
    return [
        {"combo": COMBO_TEXT[number], "weight": weight}
        for number, weight in zip(held.tolist(), weights[held].tolist(), strict=True)
    ]


def parse_number(text: str) -> float:
    """Parse an unsigned decimal number, such as ``0.5``, ``.5`` or ``5e-1``."""
    if len(text) > _MAX_DIGITS:
        problem = f"a number of {len(text)} digits is too long"
        raise RangeError(problem, expected=f"at most {_MAX_DIGITS}")
    return float(text)


def parse_weight(text: str, *, hint: str) -> float:
    """Parse a weight from 0 to 1, written without a sign.

    `hint` is for a number that may be in percent: ``{0}`` stands for it, ``{1}`` for a hundredth.
    """
    weight = parse_number(text)
    _require_not_tiny(weight, text)
    if weight > 1:
        error = RangeError(f"the weight {quoted(text)} is above 1", expected="a weight from 0 to 1")
        if 2 <= weight <= 100:
            error.hint = hint.format(text, decimal_text(shifted(text, -2)))
        raise error
    return weight


def parse_percent_weight(text: str, *, lowest: int) -> float:
    """Parse a percentage, written without a sign, to a weight from 0 to 1.

    `lowest` is the smallest valid percentage besides 0.
    """
    percent = parse_number(text)
    weight = 0.0 if percent > 100 else shifted(text, -2)
    if percent <= 100:
        _require_not_tiny(weight, text)
    if not (weight == 0 == percent or lowest <= percent <= 100):
        bounds = f"from {lowest} to 100"
        error = RangeError(
            f"{quoted(text)} is not a weight in percent", expected=f"a percentage {bounds}"
        )
        if percent < 1:
            error.hint = f":{text} or @{decimal_text(shifted(text, 2))}"
        raise error
    return weight


def _require_not_tiny(weight: float, text: str) -> None:
    if weight < SMALLEST and set(text.lower().partition("e")[0]) - set("0."):
        problem = f"the weight {quoted(text)} is below {SMALLEST}, the smallest weight above 0"
        raise RangeError(f"{problem}; write 0 for hands that are not played")


def shifted(text: str, digits: int) -> float:
    """Shift the decimal point of a number to the right by `digits` (to the left if negative)."""
    from fractions import Fraction  # takes as long to import as a short range to parse

    # Exactly: 33.3 becomes 0.333; dividing by 100 would give 0.33299999999999996.
    return float(Fraction(text) * Fraction(10) ** digits)


def decimal_text(number: float) -> str:
    """Format a number as the shortest decimal, without an exponent, that parses back to it."""
    return np.format_float_positional(number, trim="-")


# --- by class -------------------------------------------------------------------------------


def bounds_by_class(weights: Weights) -> tuple[Weights, Weights]:
    """Compute the smallest and largest weights of the classes: two arrays, ``float64 (class,)``."""
    ordered = weights[_BY_CLASS]
    smallest: Weights = np.minimum.reduceat(ordered, _CLASS_STARTS)
    largest: Weights = np.maximum.reduceat(ordered, _CLASS_STARTS)
    return smallest, largest


def means_by_class(weights: Weights) -> Weights:
    """Compute the mean weight of each class, ``float64 (class,)``.

    The mean is exact to the last bit if all combos of a class have the same weight.
    """
    smallest, largest = bounds_by_class(weights)
    sums = np.bincount(CLASS_OF_COMBO, weights=weights, minlength=CLASS_COUNT)
    return np.where(smallest == largest, largest, sums / CLASS_SIZES)

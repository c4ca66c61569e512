"""Numbers within bounds, checked where a caller's argument comes in."""

from __future__ import annotations

import operator
from numbers import Real
from typing import Any

import numpy as np

from holdem.errors import HoldemError, HoldemTypeError, shown, shown_number


def whole_number(
    value: Any, what: str, lowest: int, highest: int, refuse: type[HoldemError], bounds: str = ""
) -> int:
    """Return `value` as an int, if it is a whole number from `lowest` to `highest`.

    Args:
        value: what the caller gave; numpy's integers are welcome.
        what: what to call it in a message, e.g. ``"players"``.
        lowest: the smallest number allowed.
        highest: the largest number allowed.
        refuse: the error for a number outside.
        bounds: how to write the bounds in a message, if not as plain numbers.

    Raises:
        HoldemTypeError: not an integer; ``True``, ``7.0`` and ``"7"`` are none.
    """
    bounds = bounds or f"{lowest}..{highest}"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise HoldemTypeError(f"{what} is a whole number {bounds}, not {shown(value)}") from None
    if not lowest <= number <= highest:
        raise refuse(f"{what} is a whole number {bounds}, not {shown_number(number)}")
    return number


def real_number(
    value: Any, what: str, lowest: float, highest: float, refuse: type[HoldemError], bounds: str
) -> float:
    """Return `value` as a float, if it is a number from `lowest` to `highest`.

    Args:
        value: what the caller gave; whole numbers, fractions and numpy's are welcome.
        what: what to call it in a message, e.g. ``"time"``.
        lowest: the smallest number allowed.
        highest: the largest number allowed.
        refuse: the error for a number outside, or for none at all, as ``nan``.
        bounds: how to write the bounds in a message, e.g. ``"from 0.5 to 1"``.

    Raises:
        HoldemTypeError: not a real number; ``True`` and ``"7"`` are none.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise HoldemTypeError(f"{what} is a number {bounds}, not {shown(value)}")
    try:
        number = float(value)
    except OverflowError:  # of int and of Fraction
        raise refuse(f"{what} is a number {bounds}, not one beyond all floats") from None
    if not lowest <= number <= highest:
        raise refuse(f"{what} is a number {bounds}, not {number:g}")
    return number

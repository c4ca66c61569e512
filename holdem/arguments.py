"""Validation of arguments: numbers, paths, and values to iterate over."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable
from numbers import Real
from typing import Any, TypeGuard

import numpy as np

from holdem.errors import HoldemError, HoldemTypeError, quoted


def checked_integer(
    value: Any, name: str, lowest: int, highest: int, error: type[HoldemError], bounds: str = ""
) -> int:
    """Validate an integer, also of numpy, and return it as an int.

    Messages call it `name`, e.g. ``"players"``; `bounds` is their text for what is valid, by
    default made of `lowest` and `highest`. Out of bounds, `error` is raised.
    """
    bounds = bounds or f"from {lowest} to {highest}"
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        message = f"{name} must be an integer {bounds}, not {quoted(value)}"
        raise HoldemTypeError(message) from None
    if not lowest <= number <= highest:
        raise error(f"{name} must be an integer {bounds}, not {quoted(number)}")
    return number


def checked_number(
    value: Any, name: str, lowest: float, highest: float, error: type[HoldemError], bounds: str
) -> float:
    """Validate an integer, a fraction or a float, also of numpy, and return it as a float.

    Messages call it `name`, e.g. ``"time"``; `bounds` is their text for what is valid, e.g.
    ``"from 0.5 to 1"``. For NaN and out of bounds, `error` is raised.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise HoldemTypeError(f"{name} must be a number {bounds}, not {quoted(value)}")
    try:
        number = float(value)
    except OverflowError:  # from int and Fraction
        raise error(f"{name} must be a number {bounds}, not one beyond all floats") from None
    if not lowest <= number <= highest:
        raise error(f"{name} must be a number {bounds}, not {number:g}")
    return number


def is_iterable(value: object) -> TypeGuard[Iterable[Any]]:
    """Test whether a value can be iterated over; a zero-dimensional array cannot."""
    return isinstance(value, Iterable) and getattr(value, "ndim", 1) != 0


def require_text(value: object, name: str) -> None:
    if not isinstance(value, str):
        raise HoldemTypeError(f"{name} must be text, not {quoted(value)}")


def checked_path(value: Any, name: str, expected: str = "a path") -> str:
    """Validate a file path, text or of `pathlib`, and return it as a string.

    Messages call it `name`, e.g. ``"a file"``, and say what was `expected`.
    """
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(path, str):
        raise HoldemTypeError(f"{name} must be {expected}, not {quoted(value)}")
    return path

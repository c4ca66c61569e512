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
    """Validate an integer argument and return it as an int.

    Args:
        value: the argument; numpy integers are accepted.
        name: the argument's name for messages, e.g. ``"players"``.
        lowest: the smallest valid value.
        highest: the largest valid value.
        error: the type of the exception that is raised if the value is out of bounds.
        bounds: text that describes the bounds in messages; by default ``"from {lowest} to
            {highest}"``.
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
    """Validate a numeric argument and return it as a float.

    Args:
        value: the argument; integers, fractions and numpy numbers are accepted.
        name: the argument's name for messages, e.g. ``"time"``.
        lowest: the smallest valid value.
        highest: the largest valid value.
        error: the type of the exception that is raised for NaN and for values out of bounds.
        bounds: text that describes the bounds in messages, e.g. ``"from 0.5 to 1"``.
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
    """Raise an error unless a value is a ``str``.

    Args:
        name: the subject of the error message, e.g. ``"method"``.
    """
    if not isinstance(value, str):
        raise HoldemTypeError(f"{name} must be text, not {quoted(value)}")


def checked_path(value: Any, name: str, expected: str = "a path") -> str:
    """Validate a file path and return it as a string.

    Args:
        value: text, or a path of `pathlib`.
        name: the subject of the error message, e.g. ``"a file"``.
        expected: a description of valid values for the error message.
    """
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(path, str):
        raise HoldemTypeError(f"{name} must be {expected}, not {quoted(value)}")
    return path

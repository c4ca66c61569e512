"""Validation of numeric arguments: types and bounds."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from holdem import HoldemTypeError, SpotError
from holdem.arguments import checked_integer, checked_number


def integer(value):
    """Return an integer from 1 to 1000."""
    return checked_integer(value, "deals", 1, 1000, SpotError)


def number(value):
    """Return a number from 0.5 to 1000."""
    return checked_number(value, "time", 0.5, 1000.0, SpotError, "from 0.5 to 1000")


@pytest.mark.parametrize("kind", [int, np.int64, np.int8, np.uint64, np.array])
def test_integers(kind):
    """Integers of Python and of numpy come back as plain ints."""
    assert (int, 100) == (type(integer(kind(100))), integer(kind(100)))


@pytest.mark.parametrize("kind", [int, float, Fraction, np.int64, np.uint8, np.float64, np.float32])
def test_numbers(kind):
    """Numbers of Python and of numpy come back as plain floats."""
    assert (float, 100.0) == (type(number(kind(100))), number(kind(100)))


@pytest.mark.parametrize("value", [0.5, 1000.0])
def test_bounds_are_inclusive(value):
    """Both bounds are valid values."""
    assert value == number(value)


@pytest.mark.parametrize("value", [True, np.True_, "7", None, 1j, [1], np.zeros(3), Decimal(7)])
@pytest.mark.parametrize(
    ("check", "shown"),
    [
        (integer, "deals must be an integer from 1 to 1000, not "),
        (number, "time must be a number from 0.5 to 1000"),
    ],
)
def test_other_types(value, check, shown):
    """Anything else, booleans included, is a type error with a message of one line."""
    with pytest.raises(HoldemTypeError) as caught:
        check(value)
    assert str(caught.value).startswith(shown)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("value", [7.0, np.float64(7), 1e400, float("nan")])
def test_floats_are_not_integers(value):
    """A float is a type error where an integer is required, even if it equals one."""
    with pytest.raises(HoldemTypeError, match=r"deals must be an integer from 1 to 1000, not "):
        integer(value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.49, "0.49"),
        (1001, "1001"),
        (float("nan"), "nan"),
        (np.float64("nan"), "nan"),
        (1e400, "inf"),
        (-float("inf"), "-inf"),
        (10**400, "one beyond all floats"),
        pytest.param(-(10**5000), "one beyond all floats", id="too long to print"),
        (Fraction(10**400), "one beyond all floats"),
    ],
)
def test_numbers_out_of_bounds(value, shown):
    """A number out of bounds, NaN, or too large for a float is refused in one line."""
    with pytest.raises(SpotError) as caught:
        number(value)
    assert f"time must be a number from 0.5 to 1000, not {shown}" == str(caught.value)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-1, "-1"), (10**400, "a number of 1329 bits"), (np.int64(1001), "1001")],
)
def test_integers_out_of_bounds(value, shown):
    """An integer out of bounds is refused in one line of limited length."""
    with pytest.raises(SpotError) as caught:
        integer(value)
    assert f"deals must be an integer from 1 to 1000, not {shown}" == str(caught.value)

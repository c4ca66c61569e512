"""Numbers that callers give: any kind of number is welcome, within its bounds."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from holdem import HoldemTypeError, SpotError
from holdem.arguments import checked_integer, checked_number


def whole(value):
    """Return a whole number from 1 to 1000."""
    return checked_integer(value, "deals", 1, 1000, SpotError)


def real(value):
    """Return a number from 0.5 to 1000."""
    return checked_number(value, "time", 0.5, 1000.0, SpotError, "from 0.5 to 1000")


@pytest.mark.parametrize("kind", [int, np.int64, np.int8, np.uint64, np.array])
def test_whole_numbers(kind):
    """Integers of Python and of numpy come back as plain ints."""
    assert (int, 100) == (type(whole(kind(100))), whole(kind(100)))


@pytest.mark.parametrize("kind", [int, float, Fraction, np.int64, np.uint8, np.float64, np.float32])
def test_real_numbers(kind):
    """Numbers of Python and of numpy come back as plain floats."""
    assert (float, 100.0) == (type(real(kind(100))), real(kind(100)))


@pytest.mark.parametrize("value", [0.5, 1000.0])
def test_bounds_belong_to_the_span(value):
    """The least and the most allowed are allowed."""
    assert value == real(value)


@pytest.mark.parametrize("value", [True, np.True_, "7", None, 1j, [1], np.zeros(3), Decimal(7)])
@pytest.mark.parametrize(
    ("check", "told"),
    [(whole, "deals must be an integer from 1 to 1000, not "), (real, "time must be a number from 0.5 to 1000")],
)
def test_other_types(value, check, told):
    """What is no number, truth values among it, is a type error of one line."""
    with pytest.raises(HoldemTypeError) as caught:
        check(value)
    assert str(caught.value).startswith(told)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("value", [7.0, np.float64(7), 1e400, float("nan")])
def test_a_float_is_no_whole_number(value):
    """A float is a type error where a whole number is wanted, even if it equals one."""
    with pytest.raises(HoldemTypeError, match=r"deals must be an integer from 1 to 1000, not "):
        whole(value)


@pytest.mark.parametrize(
    ("value", "told"),
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
def test_real_numbers_outside(value, told):
    """A number outside, none at all, or one that no float holds is refused in one line."""
    with pytest.raises(SpotError) as caught:
        real(value)
    assert f"time must be a number from 0.5 to 1000, not {told}" == str(caught.value)


@pytest.mark.parametrize(
    ("value", "told"),
    [(0, "0"), (-1, "-1"), (10**400, "a number of 1329 bits"), (np.int64(1001), "1001")],
)
def test_whole_numbers_outside(value, told):
    """A number outside is refused in one line, however long it is."""
    with pytest.raises(SpotError) as caught:
        whole(value)
    assert f"deals must be an integer from 1 to 1000, not {told}" == str(caught.value)

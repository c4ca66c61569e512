"""Compiled functions that Python calls as its own of C."""

import ctypes

import pytest

from holdem.jit import python_calls
from holdem.jit.decorators import kernel
from holdem.jit.python_calls import as_function_of_c, failed, new_number, number_at, size_of


@kernel
def _sum(_, numbers):
    total = 0
    for place in range(size_of(numbers)):
        number = number_at(numbers, place)
        if number < 0:
            return failed()
        total += number
    return new_number(total)


def test_it_reads_and_answers():
    """Numbers of any sequence go in, a Python number comes out, a name tells what it is."""
    add = as_function_of_c(_sum, "add")
    assert add([1, 2, 2**40]) == 2**40 + 3
    assert add(range(10)) == 45
    assert add(()) == 0
    assert add.__name__ == "add"


@pytest.mark.parametrize(
    ("given", "error"), [(["x"], TypeError), ([2**64], OverflowError), ([1.5], TypeError)]
)
def test_what_python_raises(given, error):
    """An item that is no number raises what Python raises; a negative one is told by 0."""
    add = as_function_of_c(_sum, "add")
    with pytest.raises(error):
        add([1, *given, 2])
    assert add([1, -1, 2]) == 0


def test_others_find_ctypes_as_it_was():
    """What is told to ctypes of the function that makes functions stays here."""
    before = ctypes.pythonapi.PyCFunction_NewEx.argtypes
    assert as_function_of_c(_sum, "add")([1]) == 1
    assert ctypes.pythonapi.PyCFunction_NewEx.argtypes is before


def test_it_keeps_what_it_is_made_of():
    """The function works when nothing else is left of it."""
    functions = [as_function_of_c(_sum, f"add_{number}") for number in range(100)]
    assert [function([1, 2]) for function in functions] == [3] * 100
    assert functions[7].__name__ == "add_7"


def test_where_a_function_is_missing(monkeypatch):
    """Without all of Python's functions at hand there is none."""
    monkeypatch.setitem(python_calls._FUNCTIONS, "PyNo_SuchFunction", None)
    assert as_function_of_c(_sum, "add") is None

"""Kernels called as built-in functions."""

import ctypes
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from holdem.jit.decorators import kernel
from holdem.jit.python_calls import as_builtin_function, integer_at, length, new_integer, no_result

pytestmark = pytest.mark.smoke


@kernel
def _sum(_, numbers):
    total = 0
    for place in range(length(numbers)):
        number = integer_at(numbers, place)
        if number < 0:
            return no_result()
        total += number
    return new_integer(total)


def test_it_reads_and_answers():
    """It takes any sequence of integers, returns an int and has a name."""
    add = as_builtin_function(_sum, "add")
    assert add([1, 2, 2**40]) == 2**40 + 3
    assert add(range(10)) == 45
    assert add(()) == 0
    assert add.__name__ == "add"


@pytest.mark.parametrize(
    ("given", "error"), [(["x"], TypeError), ([2**64], OverflowError), ([1.5], TypeError)]
)
def test_what_python_raises(given, error):
    """An item that is not an integer raises Python's exception; a negative one gives 0."""
    add = as_builtin_function(_sum, "add")
    with pytest.raises(error):
        add([1, *given, 2])
    assert add([1, -1, 2]) == 0


def test_ctypes_is_unchanged():
    """The signature given to ctypes is not visible to other users of ctypes."""
    before = ctypes.pythonapi.PyCFunction_NewEx.argtypes
    assert as_builtin_function(_sum, "add")([1]) == 1
    assert ctypes.pythonapi.PyCFunction_NewEx.argtypes is before


def test_it_keeps_its_parts_alive():
    """The function works without other references to its parts."""
    functions = [as_builtin_function(_sum, f"add_{number}") for number in range(5)]
    assert [function([1, 2]) for function in functions] == [3] * 5
    assert functions[4].__name__ == "add_4"


def test_without_the_c_api(monkeypatch):
    """Without Python's C API there is no such function."""
    monkeypatch.delattr(ctypes, "pythonapi")
    assert as_builtin_function(_sum, "add") is None


def test_several_threads():
    """Threads that call it at the same time share objects and leave no reference behind."""
    add, numbers = as_builtin_function(_sum, "add"), [10**6 + n for n in range(50)]
    before = [sys.getrefcount(number) for number in numbers]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: [add(numbers) for _ in range(2000)], range(4)))
    assert found == [[sum(numbers)] * 2000] * 4
    assert before == [sys.getrefcount(number) for number in numbers]

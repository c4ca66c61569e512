"""The time spent compiling, and the message about it."""

import time

import pytest
from numba.extending import overload

from cached_package import ANSWER, SCRIPT
from holdem.jit.kernels import COMPILING, inlined, kernel
from holdem.jobs.stopwatch import Deadline, seconds_preparing

SLOW = 0.2  # seconds that numba takes to type the function below
during = []


def _slow_to_compile(value):
    """Stand for a function that numba knows."""


@overload(_slow_to_compile)
def _typed_slowly(value):
    during.append(seconds_preparing())
    time.sleep(SLOW)
    during.append(seconds_preparing())
    return lambda value: value


@inlined
def _inner(value):
    return _slow_to_compile(value)


@kernel
def _slow(value):
    return _inner(value) + 1


@kernel
def _wrong(value):
    return value.no_such_attribute


def test_compilation_is_measured():
    """Nested compilations count once, and count while they run; a compiled call adds nothing."""
    started, before = time.monotonic(), seconds_preparing()
    deadline = Deadline(100.0)
    assert 8 == _slow(7)
    # In this order, so that a pause between two lines only makes `elapsed` longer.
    compiling, left = seconds_preparing() - before, deadline.seconds_left()
    elapsed = time.monotonic() - started
    assert SLOW <= compiling <= elapsed
    assert during[1] - during[0] >= SLOW
    assert left > 100.0 - elapsed + 0.9 * SLOW
    before = seconds_preparing()
    assert 8 == _slow(7)
    assert before == seconds_preparing()


def test_a_failed_compilation_ends():
    """The time stands still after an error, too."""
    with pytest.raises(Exception, match="no_such_attribute"):
        _wrong(1)
    before = seconds_preparing()
    time.sleep(0.01)
    assert before == seconds_preparing()


LISTEN = "from holdem import messages\nmessages.listeners.append(print)\n"


def test_the_message(package, run):
    """It appears once, before the first kernel is compiled that is cached later.

    The import of numba and the loading of a cached kernel count, though nothing compiles.
    """
    package()
    assert ([COMPILING, f"{ANSWER}"], []) == run(LISTEN + SCRIPT)
    seconds = (
        "from holdem.jobs.stopwatch import seconds_preparing\nprint(seconds_preparing() > 0)\n"
    )
    assert ([f"{ANSWER} 1", "True"], []) == run(f"{LISTEN}{SCRIPT}\n{seconds}")


def test_no_message_about_other_functions(run):
    """Kernels of scripts, which are not cached, and other packages' functions cause no message."""
    script = (
        "import holdem, numba\n"
        "print(holdem.kernel(lambda n: n + 1)(1), numba.njit(lambda n: n + 2)(1))\n"
    )
    assert (["2 3"], []) == run(LISTEN + script)

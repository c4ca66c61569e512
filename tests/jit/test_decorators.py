"""The decorators: where machine code is cached, and what stays unchanged."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from cached_package import ANSWER
from holdem.jit.cache_directory import CACHE_VARIABLE, cache_root
from holdem.jit.kernels import inlined, kernel


def test_other_packages_keep_their_own_setting(package, run, tmp_path):
    """The setting of numba is untouched: another package's cache stays in its own place."""
    package()
    (tmp_path / "packages" / "stranger.py").write_text(
        "from numba import njit\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    script = (
        "import os, numba\n"
        "before = numba.config.CACHE_DIR, os.environ.get('NUMBA_CACHE_DIR')\n"
        "from kept.kernels import answer\n"
        "import stranger\n"
        "print(answer(2), stranger.double(4), stranger.double.stats.cache_path)\n"
        "print(before == (numba.config.CACHE_DIR, os.environ.get('NUMBA_CACHE_DIR')), before)\n"
    )
    answers, notes = run(script)
    place = tmp_path / "packages" / "__pycache__"
    assert [f"{ANSWER} 8 {place}", "True ('', None)"] == answers
    assert not notes
    assert list(place.glob("stranger.double-*.nbi"))
    assert not list((tmp_path / "cache").rglob("*stranger*"))


def test_a_kernel_calls_inlined_functions_and_releases_the_lock():
    """`inlined` functions are callable from kernels; kernels run without the GIL."""

    @inlined
    def square(x):
        return x * x

    @kernel
    def sum_of_squares(count):
        total = 0
        for i in range(count):
            total += square(i)
        return total

    assert 0 + 1 + 4 + 9 == sum_of_squares(4)
    assert square(x=1.5) == 2.25, "called from Python"
    assert sum_of_squares.targetoptions["nogil"]


def test_inlined_functions():
    """Kernels call the compiled function, Python the function itself."""

    @inlined
    def next_word(word):
        """Add one."""
        return word + np.uint64(1)

    @kernel
    def after(word):
        return next_word(word)

    assert after(np.uint64(2**64 - 1)) == 0
    assert next_word(word=1) == 2
    assert (next_word.__name__, next_word.__doc__) == ("next_word", "Add one.")


@pytest.mark.skipif(sys.platform != "linux", reason="directories of Linux")
@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({CACHE_VARIABLE: "/chosen", "XDG_CACHE_HOME": "/xdg"}, "/chosen"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/holdem"),
        ({"XDG_CACHE_HOME": ""}, "/home/me/.cache/holdem"),
        ({CACHE_VARIABLE: ""}, "/home/me/.cache/holdem"),
    ],
)
def test_cache_root(monkeypatch, variables, expected):
    """The variable selects the directory; the default is the user's cache directory."""
    for name in (CACHE_VARIABLE, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    assert Path(expected) == cache_root()


def test_a_cache_that_numba_places_elsewhere_is_not_used(package, run, tmp_path, monkeypatch):
    """With a user's choice of numba's locators nothing is cached, and a warning says why."""
    if not hasattr(numba.config, "CACHE_LOCATOR_CLASSES"):
        pytest.skip("this numba has no such setting")
    package()
    monkeypatch.setenv("NUMBA_CACHE_LOCATOR_CLASSES", "InTreeCacheLocator")
    answers, (note,) = run()
    assert [f"{ANSWER}"] == answers
    assert f"numba places it in {tmp_path / 'packages' / 'kept' / '__pycache__'}, not in" in note
    assert not list(tmp_path.rglob("*.nb[ic]"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["equity", "random", "random", "--board", "Td9d2c"], ""),
        (["evaluate", "AsKsQsJsTs", "--evaluator", "bitwise"], "evaluator 'bitwise' failed: "),
    ],
)
def test_without_numbas_compiler(arguments, told):
    """Where the user's environment switches it off, one line names the variable; exit code 2."""
    done = holdem_without_compiler(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"holdem: {told}")
    assert done.stderr.endswith(
        "NUMBA_DISABLE_JIT switches off numba's compiler, without which kernels do not run:"
        " unset it\n"
    )


def test_what_needs_no_compiler():
    """Small questions are answered by numpy, with numba's compiler or without."""
    done = holdem_without_compiler("equity", "AsKs", "QQ+", "--board", "Td9d2c", "-f", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert '"wins": 1811,' in done.stdout


def holdem_without_compiler(*arguments):
    """Run the command line with numba's compiler switched off."""
    return subprocess.run(
        [sys.executable, "-m", "holdem", *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

"""Kept code is loaded without what only compiling needs, and whatever is compiled later works."""

import os
import subprocess
import sys

import pytest
from numba import njit
from numba.core.cpu import CPUContext

from holdem.jit import compiled_code_cache
from holdem.jit.decorators import CACHE_VARIABLE

# What numba imports to be ready to compile, and nobody else does.
READY = "print(*(name in sys.modules for name in ('numba.np.arraymath', 'numba.np.arrayobj')))\n"
KERNELS = """\
import numpy as np
from holdem import inlined, kernel

@inlined
def shown(value):
    print("value", value)
    return value

@kernel
def squares(count):
    found = np.zeros(count, np.int64)
    for place in range(count):
        found[place] = place * place
    return found

@kernel
def tell(value):
    return shown(value + 1)

@kernel
def hashed(text):
    return hash(text)

@kernel
def at(numbers, place):
    if place >= len(numbers):
        raise IndexError("no such place")
    return numbers[place]
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a script beside a package of kernels, with a cache of its own."""
    package = tmp_path / "packages" / "kernels_kept"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(KERNELS)
    env = {
        **os.environ,
        CACHE_VARIABLE: str(tmp_path / "cache"),
        "PYTHONPATH": str(package.parent),
        "PYTHONHASHSEED": "7",
    }

    def run(script):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", f"import sys\n{script}"],
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (0, "") == (done.returncode, done.stderr)
        return done.stdout.splitlines()

    return run


def test_an_answer_from_kept_code_makes_nothing_ready_to_compile(run):
    """The second process gives the same answer, and has not imported what compiling needs."""
    script = (
        "import holdem\n"
        "print([p.wins for p in holdem.equity('AsKs', 'QQ+', board='Td9d2c').players])\n"
    )
    wins, ready = run(script + READY)
    assert "True True" == ready
    assert [wins, "False False"] == run(script + READY)


def test_kept_code_makes_arrays_raises_and_prints(run):
    """Memory, errors and what is printed are right in code that nothing was made ready for."""
    script = (
        "from kernels_kept import at, squares, tell\n"
        "found = squares(4)\n"
        "print(found, at(found, 3), tell(6))\n"
        "try:\n"
        "    at(found, 4)\n"
        "except IndexError as error:\n"
        "    print(error)\n"
        "for kernel in (squares, tell, at):\n"
        "    print(*kernel.stats.cache_hits.values())\n"
    )
    told = ["value 7", "[0 1 4 9] 9 7", "no such place"]
    assert [*told, "", "", ""] == run(script)
    assert [*told, "1", "1", "1"] == run(script)


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_others_compile_what_they_like(run, first):
    """Lists, dicts and array expressions compile beside kept code, called by them or not."""
    ours = "from kernels_kept import squares\nprint(squares(3))\n"
    theirs = (
        "import numpy as np\n"
        "from numba import njit\n"
        "@njit\n"
        "def counted(numbers):\n"
        "    many = {1: 0.5}\n"
        "    many[2] = (numbers * 2.0 + 1.0).sum()\n"
        "    return [many[2], len(many)]\n"
        "print(counted(np.arange(3)))\n"
    )
    both = (
        "from numba import njit\n"
        "@njit\n"
        "def total(count):\n"
        "    return squares(count).sum()\n"
        "print(total(4), *squares.stats.cache_hits.values())\n"
    )
    order = [ours, theirs] if first == "ours" else [theirs, ours]
    said = ["[0 1 4]", "[9.0, 2.0]"] if first == "ours" else ["[9.0, 2.0]", "[0 1 4]"]
    script = "".join([*order, both])
    assert [*said, "14"] == run(script)
    assert [*said, "14 1"] == run(script)


def test_a_name_that_is_not_at_hand_is_brought_about(run):
    """Code that asks for more than numba has at hand from the start finds it all the same."""
    script = (
        "from kernels_kept import hashed\n"
        "text = 'a text of some length'\n"
        "print(hashed(text) == hash(text), *hashed.stats.cache_hits.values())\n"
    )
    assert ["True", "True True"] == run(script + READY)
    assert ["True 1", "True True"] == run(script + READY)


def test_an_unknown_numba_makes_all_ready(tmp_path, monkeypatch):
    """Where the names cannot be told, numba is made ready as it makes itself; else it is not."""
    made_ready = []
    refresh = CPUContext.refresh
    monkeypatch.setattr(
        CPUContext, "refresh", lambda self: (made_ready.append(self), refresh(self))[1]
    )

    def double(number):
        return 2 * number

    def fresh(name):
        found = njit(double)
        found._cache = compiled_code_cache.make_store(double, tmp_path / name)
        return found

    def unknown(module):
        raise AttributeError("_final_module")

    assert 6 == fresh("known")(3)
    with monkeypatch.context() as changed:
        changed.setattr(compiled_code_cache, "_wanted", unknown)
        assert 6 == fresh("unknown")(3)
    for name, times in (("known", 0), ("unknown", 1)):
        made_ready.clear()
        found = fresh(name)
        assert 6 == found(3)
        assert [1] == list(found.stats.cache_hits.values())
        assert times == len(made_ready)

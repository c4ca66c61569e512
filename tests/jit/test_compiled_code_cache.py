"""Cached machine code loads without numba's set-up, and later compilation works."""

import os
import subprocess
import sys

import numba
import pytest

from cached_package import PLAIN
from holdem.jit.cache_directory import CACHE_VARIABLE
from holdem.jit.numba_versions import is_tested

pytestmark = pytest.mark.smoke

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


def test_an_untested_numba_is_set_up_as_usual(run):
    """With an untested version, numba's own cache is used; the answers are the same."""
    script = (
        "from kernels_kept import at, squares\n"
        "print(at(squares(4), 3), *at.stats.cache_hits.values())\n"
    )
    assert ["9", "True True"] == run(PLAIN + script + READY)
    assert ["9 1", "True True"] == run(PLAIN + script + READY)
    assert ["9", "True True"] == run(script + READY)  # the two ways share no file
    assert ["9 1", "False False"] == run(script + READY)


def test_is_tested(monkeypatch):
    """The list names releases; any patch release of one counts."""
    assert is_tested()
    monkeypatch.setattr(numba, "__version__", "0.61.7")
    assert is_tested()
    monkeypatch.setattr(numba, "__version__", "0.6.1")
    assert not is_tested()

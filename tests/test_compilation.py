"""`warm_up` compiles everything that later processes need."""

import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module

import pytest

from holdem.jit.cache_directory import CACHE_VARIABLE

PLUGINS = ("bitwise", "cactus_kev", "dead_horse", "short_deck", "suit_mask")
DISABLED = ("peers", *(name.replace("_", "-") for name in PLUGINS))
# A variant that no evaluator uses, kept to be compared with the other one.
UNUSED = {"holdem_cactus_kev.kernel._rank_by_search"}

# Prints the number of kernels found in the cache and of those compiled, after questions with
# other players, boards and evaluators than those of `warm_up`.
QUESTIONS = """
import numpy as np, holdem
for name in ("lookup", "bitwise", "suit-mask"):
    for players in ("AhAd", "KsKd", "7c6c"), ("QQ+", "AK,AQ:0.5", "TT-22"), ("random",) * 3:
        for board in "QcJd2h", "QcJd2h2s", "QcJd2h2s9s":
            holdem.equity(*players[:2], board=board, evaluator=name).compute("category")
        holdem.equity(*players, board="QcJd2h2s9s", evaluator=name).compute("category")
        for count in 2, 3:
            found = holdem.equity(
                *players[:count], method="monte-carlo", deals=500, evaluator=name
            )
            found.compute("class", "category")
    holdem.equity(*["22+"] * 7, method="monte-carlo", deals=500, evaluator=name)
    holdem.head_to_head("22+", "A2+", "random", deals=500, evaluator=name)
    holdem.aggregate(hands=500, evaluator=name)
    list(holdem.simulate(hands=3, evaluator=name))
holdem.equity("AhAd", "KsKd", "7c6c", "Tc9c").compute("category")
holdem.equity("AhAd", "KsKd", dead="As 2c").compute("category")
holdem.equity("AhAd", "KK", "7c6c", "Tc9c", board="QcJd2h").compute("category", "next-card")
for record in holdem.evaluators():
    if record.status == "active":
        evaluator = holdem.get_evaluator(record.name)
        deck = np.array(evaluator.rules.deck, np.uint8)
        hands = np.tile(deck[::-1], (5000, 1))
        for size in 5, 6, 7:
            evaluator.strengths(hands[: 5000 if record.name == "lookup" else 10, :size])
from test_compilation import kernels
found = [kernel.stats for kernel in kernels().values()]
print(*(sum(sum(of.values()) for of in (s[i] for s in found)) for i in (1, 2)))
"""

# Prints, for each kernel, for how many signatures `holdem warm-up` has compiled it.
WARM_UP = """
import holdem
from holdem.cli import run
from test_compilation import kernels

@holdem.evaluator("broken", batch=True)
def broken(hands):
    raise ArithmeticError("oops")

holdem.register(broken)
assert run(["warm-up"]) == 0
for name, kernel in kernels().items():
    print(len(kernel.signatures), name)
"""


def kernels():
    """Return every cached kernel of the engine and the included plugins, by its full name."""
    found = {}
    for root in ("holdem", *(f"holdem_{name}" for name in PLUGINS)):
        package = import_module(root)
        for module in pkgutil.walk_packages(package.__path__, f"{root}."):
            if module.name == "holdem.__main__":
                continue
            for value in vars(import_module(module.name)).values():
                if getattr(getattr(value, "stats", None), "cache_path", None):
                    function = value.py_func
                    found[f"{function.__module__}.{function.__name__}"] = value
    return found


@pytest.mark.parametrize("disabled", [",".join(DISABLED), pytest.param("", marks=pytest.mark.slow)])
def test_every_kernel_is_compiled_once(disabled):
    """Afterwards each kernel has machine code for one call, with the same types in every step.

    A note names an evaluator that fails, and the others are compiled. Without the included plugins,
    only kernels of the engine are looked at.
    """
    # In a new process, in which no other test has compiled anything.
    done = subprocess.run(
        [sys.executable, "-c", WARM_UP],
        env=_environment(HOLDEM_DISABLE_PLUGINS=disabled),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert re.search("holdem: note: broken is not compiled: .*oops", done.stderr)
    first, *counts = done.stdout.splitlines()
    assert first.startswith("compiled in ")
    counts = [line.split() for line in counts]
    assert len(counts) > 30
    own = "holdem." if disabled else "holdem"
    assert {name for count, name in counts if count == "0" and name.startswith(own)} <= UNUSED
    assert not [name for count, name in counts if int(count) > 1]


def _environment(**variables):
    """Return the environment of a process that can import this module."""
    path = os.pathsep.join([os.path.dirname(__file__), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, **variables}


@pytest.mark.slow
def test_a_later_process_compiles_nothing(tmp_path):
    """With an empty cache `holdem warm-up` compiles, and other questions find all code."""
    cache = tmp_path / "cache"
    # Wide, so that the directory's name is on the first line.
    environment = _environment(**{CACHE_VARIABLE: str(cache), "COLUMNS": "1000"})
    done = subprocess.run(
        [sys.executable, "-m", "holdem", "warm-up"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("compiled in ")
    assert done.stdout.endswith(f" s; the code is kept in {cache}\n")
    later = subprocess.run(
        [sys.executable, "-c", QUESTIONS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded, compiled = map(int, later.stdout.split())
    assert loaded > 20
    assert compiled == 0

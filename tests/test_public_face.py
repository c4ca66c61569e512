"""The names that other people's scripts depend on."""

import json
import random
import subprocess
import sys

import numpy as np
import pytest

import holdem
from holdem.evaluation.registry import REGISTRY


def test_every_name_is_there():
    """Each public name can be got, is documented, and is listed by `dir`."""
    for name in holdem.__all__:
        value = getattr(holdem, name)
        assert name in dir(holdem)
        if name != "__version__" and callable(value):
            assert value.__doc__


def test_each_function_twice(monkeypatch):
    """Calling a public function leaves it callable: no import overwrites it."""
    monkeypatch.setattr(REGISTRY, "_registered", {})  # what is registered here ends here
    calls = {
        "equity": lambda: holdem.equity("AcAs", "KdKh", board="Td9d2c"),
        "evaluate": lambda: holdem.evaluate("As Ks Qs Js Ts"),
        "head_to_head": lambda: holdem.head_to_head("AsKs", "QQ", deals=100, seed=1),
        "simulate": lambda: list(holdem.simulate(players=2, hands=2, seed=1)),
        "aggregate": lambda: holdem.aggregate(players=2, hands=300, seed=1),
        "evaluators": lambda: holdem.evaluators(),
        "get_evaluator": lambda: holdem.get_evaluator("lookup"),
        "parse_cards": lambda: holdem.parse_cards("As"),
        "evaluator": lambda: holdem.evaluator("mine")(lambda cards: 0),
        "register": lambda: holdem.register(
            holdem.evaluator("called-twice")(lambda cards: 0), replace=True
        ),
        "Range": lambda: holdem.Range("QQ+"),
        "Deck": lambda: holdem.Deck(seed=1),
    }
    for _ in range(2):
        for name, call in calls.items():
            assert call() is not None, name


def test_unknown_name():
    """An unknown attribute is an AttributeError that names it."""
    with pytest.raises(AttributeError, match="no attribute 'equities'"):
        _ = holdem.equities


def _loaded(code):
    script = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_loads_little():
    """`import holdem` loads neither numba nor numpy; listing evaluators loads no numba."""
    assert not _loaded("import holdem") & {"numba", "numpy", "lark", "tqdm", "pluggy"}
    assert not _loaded("import holdem; holdem.evaluators(); holdem.Range('QQ+,AKs')") & {
        "numba",
        "lark",
    }


def test_global_random_state_is_left_alone():
    """Nothing reads or changes the global generators of numpy and of `random`."""
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    before = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    holdem.equity("AsKs", "random", method="monte-carlo", deals=1000)
    holdem.head_to_head("AsKs", "random", deals=1000)
    list(holdem.simulate(players=3, hands=3))
    holdem.Deck().shuffle()
    after = np.random.get_state()[1], random.getstate()  # noqa: NPY002
    assert (before[0] == after[0]).all()
    assert before[1] == after[1]


def test_errors_have_one_root():
    """Every public error is a HoldemError, which is a ValueError; wrong types are TypeErrors."""
    errors = [getattr(holdem, name) for name in holdem.__all__ if name.endswith("Error")]
    assert len(errors) >= 7
    assert all(issubclass(error, holdem.HoldemError) for error in errors)
    assert issubclass(holdem.HoldemError, ValueError)
    assert issubclass(holdem.HoldemTypeError, TypeError)

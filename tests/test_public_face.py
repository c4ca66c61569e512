"""The names that other people's scripts depend on."""

import json
import random
import re
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import holdem
from holdem.plugins import bundled


def test_every_name_is_there():
    """Each public name can be got, is documented, and is listed by `dir`."""
    for name in holdem.__all__:
        value = getattr(holdem, name)
        assert name in dir(holdem)
        if name != "__version__" and callable(value):
            assert value.__doc__


@pytest.mark.usefixtures("own_registrations")
def test_each_function_twice(monkeypatch):
    """Calling a public function leaves it callable: no import overwrites it.

    None shows a progress bar unless that is requested.
    """
    monkeypatch.setattr("tqdm.tqdm", None)
    calls = {
        "equity": lambda: holdem.equity("AcAs", "KdKh", board="Td9d2c"),
        "equity_matrix": lambda: holdem.equity_matrix("AcAs", "KdKh", board="Td9d2c"),
        "hits": lambda: holdem.hits("AcAs", board="Td9d2c"),
        "explain": lambda: holdem.explain("AcAs", "KdKh", board="Td9d2c"),
        "evaluate": lambda: holdem.evaluate("As Ks Qs Js Ts"),
        "head_to_head": lambda: holdem.head_to_head("AsKs", "QQ", deals=100, seed=1),
        "compare_hands": lambda: holdem.compare_hands("As Ks Qs Js Ts", "2c 2d 2h 2s 3c"),
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


def _plain(answer):
    """Return the JSON of an answer without seconds."""
    record = answer.to_dict()
    for spot in [record, *record.get("spots", [])]:
        spot.pop("elapsed", None)
    return json.dumps(record)


def _asked(call, whole, real, directory):
    """Ask one question whose numbers are all made by `whole` and `real`."""
    return {
        "equity": lambda: _plain(
            holdem.equity(
                "AsKs",
                "random",
                method="monte-carlo",
                deals=whole(5000),
                stderr=real(0.001),
                time=real(1000),
                seed=whole(7),
                workers=whole(2),
            )
        ),
        "head_to_head": lambda: _plain(
            holdem.head_to_head(
                "AA",
                "72o",
                deals=whole(50_000),
                confidence=real(0.75),
                seed=whole(7),
                workers=whole(2),
            )
        ),
        "aggregate": lambda: _plain(
            holdem.aggregate(players=whole(3), hands=whole(300), seed=whole(7), workers=whole(2))
        ),
        "simulate": lambda: [
            hand.to_dict()
            for hand in holdem.simulate(players=whole(3), hands=whole(3), seed=whole(7))
        ],
        "write_hands": lambda: holdem.write_hands(
            directory / f"{whole.__name__}.csv",
            players=whole(3),
            hands=whole(3),
            seed=whole(7),
            workers=whole(2),
        ),
        "Deck": lambda: holdem.Deck(seed=whole(7)).deal(whole(5)),
        "run_study": lambda: _plain(
            holdem.run_study(
                {
                    "seed": whole(7),
                    "method": "monte-carlo",
                    "spot": [{"players": ["AA", "KK"], "deals": whole(500), "time": real(100)}],
                    "grid": [{"hero": ["AA"], "opponents": whole(2), "stderr": real(0.002)}],
                },
                directory / "store",  # the same one: to it the studies are one study
                workers=whole(2),
            )
        ),
    }[call]()


@pytest.mark.parametrize(
    "call",
    ["equity", "head_to_head", "aggregate", "simulate", "write_hands", "Deck", "run_study"],
)
def test_numbers_of_numpy(call, tmp_path):
    """Numbers may be numpy's everywhere, and mean the same."""
    expected = _asked(call, int, float, tmp_path)
    assert expected == _asked(call, np.int64, np.float64, tmp_path)
    assert expected == _asked(call, np.uint16, np.float64, tmp_path)


@pytest.mark.parametrize(
    "value",
    [
        10**400,
        pytest.param(-(10**5000), id="too long to print"),
        1e400,
        float("nan"),
        True,
        "7",
        np.True_,
    ],
)
@pytest.mark.parametrize("name", ["deals", "stderr", "time", "seed", "workers"])
def test_numbers_that_cannot_be(name, value):
    """Truth values, text and numbers beyond all bounds are refused by name, in one line."""
    with pytest.raises(holdem.HoldemError) as caught:
        holdem.equity("AsKs", "random", "random", **{name: value})
    assert re.match(rf"{name} must be an? (integer|number) ", str(caught.value))
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200


def test_unknown_name():
    """An unknown attribute is an AttributeError that names it."""
    with pytest.raises(AttributeError, match="no attribute 'equitys'"):
        _ = holdem.equitys


@pytest.mark.parametrize(("name", "plugin"), bundled.NAMES.items())
def test_moved_names(name, plugin):
    """A name that is now in a bundled plugin says where, and is there."""
    with pytest.raises(AttributeError, match=f"from {plugin} import {name}$"):
        getattr(holdem, name)
    assert name in import_module(plugin).__all__
    assert callable(getattr(import_module(plugin), name))


def _loaded(code):
    script = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_loads_little():
    """`import holdem` loads neither numba nor numpy; listing evaluators loads no numba."""
    assert not _loaded("import holdem") & {"numba", "numpy", "tqdm", "pluggy"}
    listed = "import holdem; holdem.evaluators(); holdem.Range('QQ+,AKs')"
    assert "numba" not in _loaded(listed)


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
    """Errors about input are ValueErrors or TypeErrors; those about the environment are neither."""
    errors = [getattr(holdem, name) for name in holdem.__all__ if name.endswith("Error")]
    assert len(errors) >= 7
    assert all(issubclass(error, holdem.HoldemError) for error in errors)
    outside = {holdem.StoreError: OSError, holdem.HandFileError: OSError}
    outside[holdem.ClusterError] = RuntimeError
    for error, base in outside.items():
        assert issubclass(error, base)
        assert not issubclass(error, ValueError)
    for error in set(errors) - set(outside) - {holdem.HoldemError, holdem.HoldemRuntimeError}:
        assert issubclass(error, ValueError) or error is holdem.HoldemTypeError
    assert issubclass(holdem.HoldemTypeError, TypeError)

"""Other libraries as evaluators."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from itertools import permutations
from types import ModuleType

import attrs
import numpy as np
import pytest

import holdem
import holdem_peers
from holdem.rules import STANDARD
from holdem_peers import adapters

# Numbers of random hands of five, six and seven cards. PokerKit ranks five cards, and so 6 or 21
# hands for a larger one.
SAMPLES = {
    "eval7": {5: 50_000, 6: 50_000, 7: 100_000},
    "phevaluator": {5: 50_000, 6: 50_000, 7: 100_000},
    "treys": {5: 50_000, 6: 20_000, 7: 20_000},
    "pokerkit": {5: 20_000, 6: 2_000, 7: 2_000},
}


def random_hands(count, size, seed=4):
    shuffled = np.random.default_rng(seed).random((count, 52)).argsort(axis=1)
    return np.ascontiguousarray(shuffled[:, :size], dtype=np.uint8)


@pytest.mark.parametrize("name", SAMPLES)
def test_classes(name):
    """Each class is stronger than the next."""
    peer = holdem.get_evaluator(name)
    strengths = peer.rank(STANDARD.examples)
    assert 7462 == len(STANDARD.examples)
    assert (strengths[:-1] > strengths[1:]).all()
    np.testing.assert_array_equal(np.arange(7462) + 1, peer.scale.classes(strengths))


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", SAMPLES)
def test_random_hands(name, size):
    """2,000 to 100,000 hands have the classes by `lookup`."""
    hands = random_hands(SAMPLES[name][size], size)
    lookup, peer = holdem.get_evaluator("lookup"), holdem.get_evaluator(name)
    expected = lookup.scale.classes(lookup.rank(hands))
    np.testing.assert_array_equal(expected, peer.scale.classes(peer.rank(hands)))


@pytest.mark.parametrize("name", SAMPLES)
def test_card_order_and_suit_permutations(name):
    peer = holdem.get_evaluator(name)
    size = max(peer.spec.hand_sizes)
    hands = random_hands(30, size, seed=5)
    expected = peer.rank(hands)
    for order in list(permutations(range(size)))[:: 1 + size % 5 * 50]:
        shuffled = np.ascontiguousarray(hands[:, order])
        np.testing.assert_array_equal(expected, peer.rank(shuffled))
    for suits in permutations(range(4)):
        renamed = (hands & 0xFC) | np.array(suits, dtype=np.uint8)[hands & 3]
        np.testing.assert_array_equal(expected, peer.rank(renamed))


@pytest.mark.parametrize("name", SAMPLES)
def test_cards(name):
    """All 52 cards are different, and a royal flush is recognized in each suit."""
    peer = holdem.get_evaluator(name)
    royals = np.array([[4 * rank + suit for rank in range(8, 13)] for suit in range(4)], np.uint8)
    assert [peer.scale.strengths[-1]] * 4 == peer.rank(royals).tolist()
    # With three kings and an ace, the strength increases with the rank of the fifth card.
    beside = [card for card in range(52) if card // 4 not in (11, 12)]
    hands = np.array([[44, 45, 46, 48, card] for card in beside], dtype=np.uint8)
    strengths = peer.rank(hands).reshape(-1, 4)
    assert (strengths == strengths[:, :1]).all()
    assert (strengths[1:, 0] > strengths[:-1, 0]).all()


@pytest.mark.parametrize("name", SAMPLES)
def test_library(name):
    """An evaluator has name and version of its library."""
    assert f"{name} {version(name)}" == holdem.get_evaluator(name).library


@pytest.mark.parametrize("name", SAMPLES)
def test_equity(name):
    """Counts on the turn are those with the default evaluator."""
    options = {"board": "Td9d2c7h"}
    expected = holdem.equity("AsKs", "QdJd,88", **options)
    found = holdem.equity("AsKs", "QdJd,88", evaluator=name, **options)
    assert found.exact
    assert name == found.evaluator.name
    for one, other in zip(expected.players, found.players, strict=True):
        assert (one.wins, one.ties, one.losses) == (other.wins, other.ties, other.losses)


@pytest.mark.parametrize("name", SAMPLES)
def test_empty_batch(name):
    none = adapters.LOADERS[name]()(np.zeros((0, 5), dtype=np.uint8))
    assert ((0,), np.int64) == (none.shape, none.dtype)


def test_smaller_is_stronger_in_two_of_them():
    """For treys and PH Evaluator 1 is the royal flush."""
    royal = np.array([[32, 36, 40, 44, 48]], dtype=np.uint8)
    for name in ("treys", "phevaluator"):
        assert [7462] == adapters.LOADERS[name]()(royal).tolist()


# --- who is offered ----------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [(), ("treys",), ("eval7", "pokerkit"), tuple(SAMPLES)])
def test_missing_libraries(missing, monkeypatch):
    """Only evaluators of installed libraries are offered, in the order of their names."""
    monkeypatch.setattr(
        holdem_peers, "find_spec", lambda name: None if name in missing else find_spec(name)
    )
    found = [spec.name for spec in holdem_peers.holdem_evaluators()]
    assert sorted(set(SAMPLES) - set(missing)) == found


def _listed(hidden, tmp_path):
    """Return the statuses of evaluators in a process in which some libraries cannot be found."""
    # None in `sys.modules` is how Python itself marks what must not be imported.
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\nsys.modules.update(dict.fromkeys({hidden!r}))\n"
    )
    code = "import holdem; print([(own.name, own.status) for own in holdem.evaluators()])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    assert "" == done.stderr
    return dict(ast.literal_eval(done.stdout))


def test_without_any_library(tmp_path):
    """The other evaluators are active."""
    everything, without = _listed((), tmp_path), _listed(tuple(SAMPLES), tmp_path)
    assert set(SAMPLES) == set(everything) - set(without)
    assert {"active"} == set(without.values())


def test_broken_library(monkeypatch):
    """Its evaluator raises an error; the next one works."""
    offered = {spec.name: spec for spec in holdem_peers.holdem_evaluators()}
    monkeypatch.setitem(sys.modules, "treys", ModuleType("treys"))
    broken, working = (attrs.evolve(offered[name]) for name in ("treys", "eval7"))
    told = "evaluator 'treys' cannot be loaded: ImportError: cannot import name 'Card'"
    for _ in range(2):
        with pytest.raises(holdem.EvaluatorError, match=told):
            holdem.evaluate("As Ks Qs Js Ts", evaluator=broken)
    assert "Royal Flush" == holdem.evaluate("As Ks Qs Js Ts", evaluator=working).name


def test_offer_imports_nothing():
    """It imports neither a library nor numba."""
    code = (
        "import sys, holdem_peers\n"
        "print([spec.name for spec in holdem_peers.holdem_evaluators()])\n"
        "print([name for name in (*sys.argv[1:], 'numba') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *SAMPLES], capture_output=True, text=True, check=True
    )
    assert [str(sorted(SAMPLES)), "[]"] == done.stdout.splitlines()

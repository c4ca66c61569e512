"""`holdem evaluators bench`."""

import json

import numpy as np
import pytest

import holdem
from holdem.cards import card_sets
from holdem.cli import run
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.conformance import bench
from holdem.evaluation.conformance.bench import BATCHES, MEASUREMENTS, ORDERS, SIZES, measure_speed
from holdem.rules import SHORT_DECK, STANDARD
from plugin_distributions import offer

WAYS = [(size, order, batch) for size in SIZES for order in ORDERS for batch in BATCHES]


def made(rank, sizes=(5, 6, 7), load=None):
    """Return a batch function as an evaluator that is not registered."""
    spec = holdem.EvaluatorSpec("mine", "", "", frozenset(sizes), load or (lambda: rank))
    return holdem.get_evaluator(spec)


@pytest.mark.parametrize("rules", [STANDARD, SHORT_DECK], ids=lambda rules: rules.name)
@pytest.mark.parametrize("size", [5, 7])
def test_the_hands(rules, size):
    """A million of each kind, valid, the same for all; in order they rise, with one wrap at most
    for every time that there are fewer in all.
    """
    ordered, drawn = (bench.benchmark_hands(rules, size, order) for order in ORDERS)
    for hands in (ordered, drawn):
        assert ((1_000_000, size), np.uint8) == (hands.shape, hands.dtype)
        assert hands.flags.c_contiguous
        assert rules.deck[0] <= hands.min() <= hands.max() <= rules.deck[-1]
        assert (np.bitwise_count(card_sets(hands)) == size).all()
    falls = np.count_nonzero(np.diff(card_sets(ordered).astype(np.int64)) <= 0)
    assert (2 if (rules, size) == (SHORT_DECK, 5) else 0) == falls
    assert np.count_nonzero(np.diff(card_sets(drawn).astype(np.int64)) <= 0) > 400_000
    assert bench.benchmark_hands(rules, size, "at random") is drawn


def test_every_way_is_measured():
    """Speeds for two hand sizes, two orders and four batch sizes, and the first call."""
    message = []
    found = measure_speed(holdem.get_evaluator("lookup"), 0.001, message.append)
    assert WAYS == [(figure.cards, figure.order, figure.batch) for figure in found.figures]
    assert MEASUREMENTS == len(WAYS) == sum(message)
    assert all(figure.hands_per_second > 0 for figure in found.figures)
    assert found.first_call > 0
    assert "" == found.failure
    # A call takes microseconds for any batch, a hand in a large batch nanoseconds.
    for size in SIZES:
        for order in ORDERS:
            assert found.at(size, order, 10_000) > 10 * found.at(size, order, 1)


def test_what_is_asked_for():
    """Batches have the stated sizes, and the first one is not measured."""
    sizes = []

    def rank(hands):
        sizes.append(hands.shape)
        return rank_batch(hands)

    made(rank).load()
    load = [*sizes]  # a hand of each class and of each kind
    sizes.clear()
    measure_speed(made(rank), 0.0)
    # Then a hand of each size. A known hand goes with the first, and then one with each 1,024,
    # sixteen at most.
    expected, left = load, 0
    for batch, size in [(1, 5), (1, 7), *((n, size) for size, _, n in WAYS for _ in range(1 + 3))]:
        expected.append((batch, size))
        left -= batch
        if left <= 0:
            known = min(16, max(1, batch // 1024))
            expected.append((known, size))
            left = 1024 * known
    assert expected == sizes


def test_the_slow_are_spared_long_calls(monkeypatch):
    """A call that would take too long, judged by the batch before, is left out."""
    monkeypatch.setattr(bench, "MAX_CALL_SECONDS", 1e-4)
    found = measure_speed(made(rank_batch, sizes={5}), 0.0)
    assert found.at(7, "at random", 1) > 0
    assert found.at(7, "at random", 1_000_000) is None
    assert found.deciding_speed(7, "at random") > 0


@pytest.mark.parametrize("when", ["load", "classes", "run"])
def test_one_that_fails(when):
    """An evaluator that fails to load or raises has no speeds, but a reason."""

    def rank(hands):
        if when == "run" and len(hands) == 100:
            raise ArithmeticError("overflow")
        return rank_batch(hands) * (0 if when == "classes" else 1)

    def load():
        if when == "load":
            raise OSError("no table")
        return rank

    found = measure_speed(made(None, load=load), 0.001)
    assert found.first_call is None
    message = {"load": "OSError: no table", "classes": " ties ", "run": "ArithmeticError: overflow"}
    assert message[when] in found.failure


# A thousand additions in Python per hand.
SLOW = """
def change(hands, strengths):
    for _ in range(1000 * len(hands)):
        pass
    return strengths
"""


def test_json(capsys, directory, monkeypatch):
    """Evaluators are listed fastest first, in any order of the arguments."""
    monkeypatch.setattr(bench, "MAX_CALL_SECONDS", 0.1)
    offer(directory, "slow", SLOW)
    assert run(["evaluators", "bench", "slow", "lookup", "--seconds", "0.001", "-f", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "holdem/bench/1"
    fast, slow = answer["evaluators"]
    assert fast["evaluator"] == {"name": "lookup", "version": holdem.__version__}
    assert slow["evaluator"] == {"name": "slow", "version": "1.0"}
    for found in (fast, slow):
        assert set(found) == {"evaluator", "rules", "first_call", "figures", "failure"}
        assert (found["rules"], found["failure"]) == ("standard", None)
        ways = [(each["cards"], each["order"], each["batch"]) for each in found["figures"]]
        assert ways == WAYS
    assert slow["figures"][-1]["hands_per_second"] is None
    assert fast["figures"][-1]["hands_per_second"] > 0


def test_table(capsys, directory, monkeypatch):
    """A table for each size and order of hands, and one of the first calls."""
    monkeypatch.setattr(bench, "MAX_CALL_SECONDS", 0.1)
    offer(directory, "slow", SLOW)
    offer(directory, "broken", "def load():\n    raise OSError('no table')\n", "plugin_broken")
    names = ["slow", "short-deck", "broken", "lookup"]
    assert run(["evaluators", "bench", *names, "--seconds", "0.001"]) == 0
    tables = [part.splitlines() for part in capsys.readouterr().out.strip().split("\n\n")]
    titles = [table[0] for table in tables]
    standard = [f"{size} cards {order}, standard rules" for size in SIZES for order in ORDERS]
    for title, expected in zip(titles, standard, strict=False):
        assert title.split("  ")[0] == expected
        assert title.split()[-4:] == ["1", "100", "10,000", "1,000,000"]
    for table in tables[:4]:
        assert [line.split()[0] for line in table[1:]] == ["lookup", "slow"]
    assert tables[4][0].startswith("5 cards in order, short-deck rules")
    assert [line.split()[0] for line in tables[4][1:]] == ["short-deck"]
    assert titles[8] == "first call"
    assert {line.split()[0] for line in tables[8][1:]} == {"slow", "short-deck", "lookup"}
    assert titles[9] == "evaluator 'broken' cannot be loaded: OSError: no table"
    assert len(tables) == 10


# Ctrl-C in the first call in the main thread; evaluators are loaded in another one.
CUT = """
import threading

def change(hands, strengths):
    if threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt
    return strengths
"""


@pytest.mark.parametrize("form", ["table", "json"])
def test_ctrl_c(form, capsys, directory, monkeypatch):
    """After Ctrl-C the evaluators measured so far are printed; exit code 130."""
    monkeypatch.setattr(bench, "MAX_CALL_SECONDS", 0.1)
    offer(directory, "cut", CUT)
    arguments = ["bench", "lookup", "cut", "bitwise", "--seconds", "0.001", "-f", form]
    assert run(["evaluators", *arguments]) == 130
    captured = capsys.readouterr()
    assert captured.err == "holdem: interrupted: 1 of 3 evaluators are measured\n"
    if form == "json":
        (found,) = json.loads(captured.out)["evaluators"]
        assert found["evaluator"]["name"] == "lookup"
    else:
        assert "first call\nlookup " in captured.out
    assert run(["evaluators", "bench", "cut", "lookup"]) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "holdem: interrupted: 0 of 2 evaluators are measured\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["kev"], "no evaluator 'kev'"),
        (["lookup", "--seconds", "0"], "not 0.0"),
        (["bitwise", "--no-plugins"], "no evaluator 'bitwise'"),
    ],
)
def test_bad_input(arguments, message, capsys, directory):
    """Bad input is one message, with exit code 2."""
    assert run(["evaluators", "bench", *arguments]) == 2
    captured = capsys.readouterr()
    assert (captured.out, message in captured.err) == ("", True)

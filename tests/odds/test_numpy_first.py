"""Small answers in numpy while kernels are not loaded: the same bits, and no numba."""

import subprocess
import sys
from functools import partial
from threading import Barrier, Event, Thread
from types import SimpleNamespace

import numpy as np
import pytest

import holdem
from holdem.evaluation import hand_validation
from holdem.evaluation.builtin import lookup
from holdem.jit import kernels as jit_kernels
from holdem.jobs.stopwatch import start_preparing, stop_preparing
from holdem.jobs.workers import Workers
from holdem.odds.exact import (
    matchup_method,
    paired_combos,
    ranked_boards,
    two_ranges,
)
from holdem.odds.line_counts import count_categories

KERNELS = (
    paired_combos.compare_combos,
    two_ranges.sweep_boards,
    matchup_method.count_over_runouts,
    ranked_boards.count_winners_by_matchup,
    ranked_boards.count_by_category,
    count_categories,
    lookup._rank_five,
    lookup._rank_six,
    lookup._rank_seven,
)
THIRDS = f"QQ+:{1 / 3!r},AK:0.7,JTs:{1 / 7!r}"
WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"


@pytest.fixture
def in_numpy(monkeypatch):
    """Return a function that makes a call as in a process that has loaded no kernel."""

    def refuse(*arguments):
        raise AssertionError("a kernel is called")

    def call(function, *arguments, **options):
        with monkeypatch.context() as patch:
            patch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
            patch.setattr(jit_kernels, "_kernels_only", False)
            patch.setattr(jit_kernels, "_NUMPY_SECONDS", np.inf)
            for kernel in KERNELS:
                patch.setattr(kernel, "is_loaded", False)
                patch.setattr(kernel, "_dispatcher", refuse)
            result = function(*arguments, **options)
            assert jit_kernels._spent_in_numpy > 0
            return result

    return call


@pytest.fixture(autouse=True)
def kernels(monkeypatch):
    """Load kernels for all other calls."""
    monkeypatch.setattr(jit_kernels, "_kernels_only", True)


def everything(*players, by=("category", "class", "combo", "next-card"), **options):
    """Return all numbers of an answer and its breakdowns."""
    result = holdem.equity(*players, workers=1, **options)
    record = result.to_dict(by[: 4 if 3 <= len(result.board) < 5 else 3])
    del record["elapsed"]
    return record


@pytest.mark.parametrize(
    ("players", "board", "dead"),
    [
        (("AsKs", "QdQh"), "Td9d2c", ""),
        (("AsKs", "QQ+"), "Td9d2c", ""),
        (("AsKs", "QQ+"), "Td9d2c5h", "Ah"),
        (("AhXh", "AsKs:0.3,QdQh"), "9h8h2h", ""),
        (("AsKs", "QdQh", "7c7d"), "Kd7h2s", "2c 3d"),
        (("AsKs", "QdQh", "JJ,TT:0.3", "98s"), "Kd7h2s4d", ""),
        (("AsKs", "QdQh", "JJ,TT:0.3", "98s"), "AhKdQcJsTd", ""),
        (("QQ+,AK", "TT+,AQs+,KQs"), "Ks7h2s", ""),
        (("QQ+,AK", "QQ+,AK"), "Ks7s2s", ""),
        ((THIRDS, "TT+,AQ,98s"), "Kd7h2s", ""),
        ((THIRDS, THIRDS), "Kd7h2s2c", "Ah"),
        ((THIRDS, WIDE), "Kd7h2s2c9c", ""),
        ((THIRDS, "AdAh"), "QsJsTs", ""),
        (("AsAh", "random"), "Kd7h2s2c9c", ""),
        ((WIDE, WIDE), "8h7h2h", ""),
    ],
)
def test_equities(in_numpy, players, board, dead):
    """Equities and all their breakdowns have the same bits."""
    options = {"board": board, "dead": dead, "method": "exact"}
    assert in_numpy(everything, *players, **options) == everything(*players, **options)


def test_ranked_boards(in_numpy):
    """The method for any evaluator, with weights that are no short decimals, has the same bits."""
    from holdem.jobs.run import run_inline
    from holdem.odds.exact.ranked_boards import RankedBoards
    from holdem.odds.spot import make_spot

    spot = make_spot((THIRDS, "TT:0.3,98s", "AdQd", "22"), "Kd7h2s")
    for by_category in (False, True):
        answers = []
        for call in (in_numpy, lambda function, *arguments: function(*arguments)):
            answers.append(call(run_inline, RankedBoards(spot, by_category=by_category)))
        assert repr(answers[0]) == repr(answers[1])


@pytest.mark.parametrize("by_category", [False, True])
def test_many_matchups(in_numpy, by_category):
    """Match-ups are counted in several batches, with the same bits."""
    from holdem.jobs.run import run_inline
    from holdem.odds.exact.ranked_boards import RankedBoards
    from holdem.odds.spot import make_spot

    spot = make_spot((f"{THIRDS},{WIDE}", WIDE), "Kd7h2s2c9c")
    answers = [
        call(run_inline, RankedBoards(spot, by_category=by_category))
        for call in (in_numpy, lambda function, *arguments: function(*arguments))
    ]
    assert repr(answers[0]) == repr(answers[1])


def chosen_for(monkeypatch, method, players, board):
    """Return whether numpy is chosen for the categories of a spot."""
    from holdem.odds.spot import make_spot

    prepared = method(make_spot(players, board), by_category=True)
    with monkeypatch.context() as patch:
        patch.setattr(jit_kernels, "_kernels_only", False)
        patch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
        for kernel in KERNELS:
            patch.setattr(kernel, "is_loaded", False)
        prepared.prepare()
    chosen = vars(prepared).get("_count_outcomes") or prepared._sweep_boards
    return isinstance(chosen, partial)


def test_the_cost_of_matchups(monkeypatch):
    """On one board, the costs are those of the match-ups and their sums."""
    from holdem.odds.exact.ranked_boards import RankedBoards

    board = "Kd7h2s2c9c"
    assert chosen_for(monkeypatch, RankedBoards, ("25%", "25%"), board)
    assert not chosen_for(monkeypatch, RankedBoards, ("80%", "80%"), board)


def test_the_cost_of_categories(monkeypatch):
    """Every combo with all others: the costs grow with the categories."""
    from holdem.odds.exact.two_ranges import TwoRanges

    assert chosen_for(monkeypatch, TwoRanges, ("random", "random"), "Kd7h2s2c9c")
    assert not chosen_for(monkeypatch, TwoRanges, ("random", "random"), "Kd7h2s2c")


@pytest.mark.parametrize(
    ("hands", "board"),
    [("AsKs", "Td9d2c"), (THIRDS, "Ks7s2s"), (WIDE, "Td9d2c5h"), ("AsKs", None)],
)
def test_hits(in_numpy, hands, board):
    assert in_numpy(holdem.hits, hands, board=board) == holdem.hits(hands, board=board)


def test_explain(in_numpy):
    hands = "AsKs", "QdQh"
    for board in ("Td9d2c", "Td9d2c5h", "Td9d2c5h5d"):
        explained = in_numpy(holdem.explain, *hands, board=board)
        assert explained == holdem.explain(*hands, board=board)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_strengths(in_numpy, size):
    """The same strengths for random hands, and for every flush."""
    rng = np.random.default_rng(size)
    deck = np.arange(52, dtype=np.uint8)
    hands = rng.permuted(np.tile(deck, (20_000, 1)), axis=1)[:, :size]
    flushes = rng.permuted(np.tile(deck[::4], (20_000, 1)), axis=1)[:, :size] + rng.integers(
        4, size=(20_000, 1), dtype=np.uint8
    )
    hands = np.concatenate([hands, flushes])
    evaluator = holdem.get_evaluator()
    evaluator.load()
    found = in_numpy(evaluator.strengths, hands, validate=False)
    assert found.dtype == evaluator.strengths(hands).dtype
    assert np.array_equal(found, evaluator.strengths(hands))


def test_the_choice(monkeypatch):
    """Numpy is chosen for small work, until it has taken its time, but not to wait for others."""
    kernel = SimpleNamespace(is_loaded=False)

    def is_numpy(evaluations):
        chosen = jit_kernels.kernel_or_numpy(kernel, len, evaluations)
        return getattr(chosen, "args", None) == (len,)

    def is_kernel(evaluations, most):
        return not hasattr(jit_kernels.kernel_or_numpy(kernel, len, evaluations, most), "args")

    most = jit_kernels.MOST_EVALUATIONS
    monkeypatch.setattr(jit_kernels, "_kernels_only", False)
    monkeypatch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
    assert is_numpy(most)
    assert not is_numpy(most + 1)
    assert is_kernel(9, most=8)
    assert not is_kernel(8, most=8)
    monkeypatch.setattr(jit_kernels, "_spent_in_numpy", jit_kernels._NUMPY_SECONDS)
    assert not is_numpy(1)
    with jit_kernels.loading_for_others():
        assert not is_numpy(1)
        with Workers(1) as others:
            assert others.submit(lambda: is_numpy(1)).result()
    start_preparing()
    try:
        assert is_numpy(1)
    finally:
        stop_preparing()
    assert not is_numpy(1)
    monkeypatch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
    jit_kernels.always_use_kernels()
    assert not is_numpy(1)
    monkeypatch.setattr(jit_kernels, "_kernels_only", False)
    kernel.is_loaded = True
    assert not is_numpy(1)


def test_a_large_batch_loads_its_kernels(monkeypatch):
    """Numpy ranks some 65,000 hands; for more, the kernels are loaded at once."""
    most = jit_kernels.MOST_HANDS
    hands = np.tile(np.arange(7, dtype=np.uint8), (most + 1, 1))
    own = lookup._rank_seven, hand_validation.count_valid
    monkeypatch.setattr(jit_kernels, "_kernels_only", False)
    for kernel in own:
        monkeypatch.setattr(kernel, "is_loaded", False)
    for count in most, most + 1:
        monkeypatch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
        holdem.get_evaluator("lookup").strengths(hands[:count])
        assert [kernel.is_loaded for kernel in own] == [count > most] * 2


def test_threads_add_their_time(monkeypatch):
    """The time in numpy is that of all threads, and kernels stay required when a twin ends."""
    monkeypatch.setattr(jit_kernels, "_kernels_only", False)
    monkeypatch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
    ticks = iter((0.0, 0.0, 1.0, 2.0))
    # Not the clock of the module `time`, which other threads read.
    monkeypatch.setattr(jit_kernels, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    together = Barrier(2)
    kernel = SimpleNamespace(is_loaded=False)

    def compute():
        together.wait(60)  # both have begun
        jit_kernels.always_use_kernels()

    call = jit_kernels.kernel_or_numpy(kernel, compute, 1)
    threads = [Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert jit_kernels._spent_in_numpy == 3.0
    monkeypatch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
    assert jit_kernels.kernel_or_numpy(kernel, compute, 1).__name__ == "<lambda>"


def test_the_page_is_prepared(monkeypatch):
    """The page loads kernels in the background; other threads are given numpy meanwhile."""
    from holdem_page.server import _prepare

    loaded = (
        two_ranges.sweep_boards,
        paired_combos.compare_combos,
        count_categories,
    )
    monkeypatch.setattr(jit_kernels, "_kernels_only", False)
    monkeypatch.setattr(jit_kernels, "_spent_in_numpy", 0.0)
    for kernel in loaded:
        monkeypatch.setattr(kernel, "is_loaded", False)
    is_loading, may_go_on = Event(), Event()
    sweep = loaded[0].dispatcher

    def load(*arguments):
        is_loading.set()
        assert may_go_on.wait(60)
        sweep(*arguments)

    monkeypatch.setattr(loaded[0], "_dispatcher", load)
    thread = Thread(target=_prepare, args=(None,))
    thread.start()
    try:
        assert is_loading.wait(60)
        assert jit_kernels._spent_in_numpy == 0
        result = holdem.equity("QQ+,AK", "TT+,AQs+", board="Td9d2c5h")
        assert result.exact
        assert jit_kernels._spent_in_numpy > 0
        assert not loaded[0].is_loaded
    finally:
        may_go_on.set()
        thread.join()
    assert [kernel.is_loaded for kernel in loaded] == [True] * 3


WITHOUT_NUMBA = """
import sys, holdem
from holdem.cli import run
from holdem.jit import kernels
kernels._NUMPY_SECONDS = float("inf")  # a slow machine takes longer for all of this
holdem.equity("AsKs", "QQ", "JJ", board="Td9d2c").compute("category", "combo", "next-card")
holdem.equity("AsKs", "QQ+")
holdem.equity("QQ+,AK", "TT+,AQs+", board="Td9d2c5h").compute("category", "class", "next-card")
holdem.hits("QQ+,AK", board="Td9d2c")
holdem.explain("AsKs", "QdQh", board="Td9d2c5h")
holdem.evaluate("As Ks Qs Js Ts")
holdem.compare_hands("As Ks Qs Js Ts", "Ah Kh Qh Jh 9h")
holdem.get_evaluator().strengths([[0, 1, 2, 3, 4]])
holdem.get_evaluator().strengths([[0, 1, 2, 3, 4]] * 5000)
commands = ("equity AsKs QQ+ -b Td9d2c", "equity AsKs QQ", "range QQ+", "hits QQ+ -b Td9d2c",
            "explain AsKs QdQh -b Td9d2c", "evaluate AsKsQsJsTs")
for command in commands:
    run(command.split())
assert "numba" not in sys.modules
"""


# What is answered, and then what is refused.
NUMBA_FAILS = """
import holdem, holdem_abstraction, holdem_histories, numpy as np
from holdem.jit import kernels
kernels._NUMPY_SECONDS = 0.0  # numpy has had its time
holdem.equity("AsKs", "QQ+", board="Td9d2c").compute("category", "next-card")
holdem.equity("QQ+,AK", "TT+,AQs+")
holdem.hits("QQ+,AK", board="Td9d2c")
holdem.explain("AsKs", "QdQh", board="Td9d2c5h")
holdem.get_evaluator().strengths(np.tile(np.arange(7, dtype=np.uint8), (100_000, 1)))
[holdem.get_evaluator().strength([0, 1, 2, 3, 4]) for _ in range(10_002)]
holdem.evaluate("As Ks Qs Js Ts", evaluator="reference")
holdem.Range("top 15%"), holdem.evaluators(), holdem.named_ranges()
given, board = [(1.0, (0, 1))], "9h8d7cJcTc"
for call in (
    lambda: holdem.equity("AK", "QQ", "JJ", method="monte-carlo", deals=10, seed=1),
    lambda: holdem.equity("AsKs", "QdQh", "JcTc"),
    lambda: holdem.equities(["AsKs"] * 3, "QQ", board="Td9d2c"),
    lambda: holdem.hits("AsKs"),
    lambda: holdem.deal(players=2, hands=2, seed=1),
    lambda: next(iter(holdem.simulate(players=2, hands=1, seed=1))),
    lambda: holdem.aggregate(players=2, hands=2, seed=1),
    lambda: holdem.estimate(lambda hands: hands.hole[:, 0, 0], players=2, hands=2, seed=1),
    lambda: holdem.head_to_head("AK", "QQ", deals=10, seed=1),
    lambda: holdem.settle(given, ["AsKs", "QdQh"], board=board),
    lambda: holdem_abstraction.hand_strengths("preflop"),
    lambda: holdem.equity_matrix("QQ+", "AK", board="Td9d2c"),
    lambda: holdem.evaluate("As Ks Qs Js Ts", evaluator="bitwise"),
    lambda: holdem.evaluate("As Ks Qs Js Ts", evaluator="suit-mask"),
    lambda: holdem.equity("AsKs", "QdQh", evaluator="short-deck"),
    holdem.warm_up,
):
    try:
        print(call())
    except holdem.HoldemError as error:
        print(error)
"""


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("raise ModuleNotFoundError('missing', name='numba')", ": pip install numba; single"),
        (
            "raise ImportError('Numba needs NumPy 2.2 or less')",
            ", which cannot be imported (ImportError: Numba needs NumPy 2.2 or less): pip install"
            " -U numba; single",
        ),
    ],
)
def test_where_numba_fails(tmp_path, code, told):
    """Without numba, small questions are answered; others say what they need, and what works."""
    (tmp_path / "numba.py").write_text(code)
    done = subprocess.run(
        [sys.executable, "-c", NUMBA_FAILS], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 16
    assert [line for line in lines if f"this runs code compiled by numba{told}" not in line] == []


def test_no_numba():
    """Answers to small questions import no numba."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "15.2441 %" in done.stdout

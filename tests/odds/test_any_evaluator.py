"""The exact methods give the same answers with any evaluator."""

from math import comb

import numpy as np
import pytest

import holdem
from holdem import messages
from holdem.evaluation import load_checks
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.contract import EvaluatorSpec
from holdem.evaluation.evaluator import Evaluator
from holdem.odds.exact.several_ranges import SeveralRanges
from holdem.odds.exact.two_ranges import TwoRanges
from holdem.odds.plan import BATCH_BUDGET, make_plan
from holdem.odds.spot import make_spot
from spots import generate_spots, run_method, spot_of

WIDE = "22+,A2s+,KTs+,QJs,ATo+,KQo"
FIGURES = ("combos", "wins", "ties", "losses", "shares")


def _ranked_alike(hands):
    """Return strengths in the order of the default evaluator, far apart and partly negative."""
    return rank_batch(hands).astype(np.int64) * 987_654_321_012 - 3 * 10**15


ALIKE = Evaluator(EvaluatorSpec("alike", "", "", {5, 6, 7}, lambda: _ranked_alike)).direct


def _figures(sums):
    return [{name: getattr(own, name).tolist() for name in FIGURES} for own in sums]


@pytest.mark.parametrize(("players", "method"), [(2, TwoRanges), (3, SeveralRanges)])
def test_sweeps_with_another_evaluator(players, method):
    """Every combo's totals are those of the default evaluator, with weights and dead cards."""
    rng = np.random.default_rng(4)
    played = 0
    for held, board, dead in generate_spots(8, players, 4, seed=84):
        weights = held * rng.integers(1, 101, held.shape) / 100
        try:
            expected = run_method(method(spot_of(weights, board, dead)))
        except holdem.SpotError:  # no deal is possible
            continue
        found = run_method(method(spot_of(weights, board, dead, ALIKE)))
        assert _figures(expected) == _figures(found)
        played += 1
    assert played > 4


def test_the_table_is_for_evaluators_with_tables():
    """Two players before the flop have the table, unless the evaluator ranks every hand itself."""
    for name in ("lookup", "suit-mask", "reference"):
        plan = make_plan(make_spot(("AcAs", "KdKh"), evaluator=name))
        assert plan.chosen.name == "from the table before the flop"
    direct = holdem.get_evaluator("suit-mask", direct=True)
    considered = make_plan(make_spot(("AcAs", "KdKh"), evaluator=direct)).considered
    assert ["boards ranked in batches"] == [
        found.name for found in considered if found.name != "all combos swept over boards"
    ]


@pytest.fixture
def counting():
    """Return an evaluator that ranks every hand itself, and the sizes of its batches so far."""
    ranked = []

    def rank(hands):
        ranked.append(len(hands))
        return rank_batch(hands)

    evaluator = Evaluator(EvaluatorSpec("counting", "", "", {5, 6, 7}, lambda: rank)).direct
    evaluator.load()
    ranked.clear()
    return evaluator, ranked


def test_boards_are_ranked_in_one_batch(counting):
    """The hands of a small spot are ranked together: one call is faster than one for each board."""
    evaluator, ranked = counting
    players = "QQ", "JJ", "TT", "AKs"
    spot = make_spot(players, "9s7d2c", evaluator=evaluator)
    assert make_plan(spot).chosen.name == "boards ranked in batches"
    holdem.equity(*players, board="9s7d2c", evaluator=evaluator)
    # Each of the 22 combos with every two of the 47 other cards.
    assert max(ranked) == 22 * comb(47, 2)


@pytest.mark.parametrize("players", [(WIDE, "random"), (WIDE, "JJ+", "random")])
def test_sweeps_use_the_evaluator(players, counting):
    """A sweep on a turn ranks every live combo on every board with the named evaluator."""
    evaluator, ranked = counting
    spot = make_spot(players, "Ks7d2c5h", evaluator=evaluator)
    assert make_plan(spot).chosen.name == "all combos swept over boards"
    holdem.equity(*players, board="Ks7d2c5h", evaluator=evaluator)
    # 48 boards, of which each of the 1,128 combos of the other cards misses 46.
    assert sum(ranked) > 1128 * 46


def test_cost():
    """A plan counts every combo on every board; 21 times with an evaluator of five cards."""
    boards, combos = 1176, 1176
    for name, times in (("suit-mask", 1), ("cactus-kev", 21), ("alike", 1)):
        evaluator = ALIKE if name == "alike" else holdem.get_evaluator(name, direct=True)
        plan = make_plan(make_spot(("random", "random"), "Ks7d2c", evaluator=evaluator))
        times = holdem.get_evaluator(evaluator).evaluations(7)
        asked = boards * combos * times
        assert asked < plan.chosen.evaluations < asked + 0.35 * boards * combos
        assert plan.method == "exact"
        assert plan.budget == BATCH_BUDGET
        lines = plan.lines()
        assert f"monte-carlo: {2 * times} evaluations a deal" in lines
        assert lines[1].startswith(
            f"exact, all combos swept over boards: {plan.chosen.evaluations:,} evaluations"
        )


def test_a_hand_at_a_time_has_a_smaller_budget():
    """Before the flop 3.4 M hands are too many for it; with tables or in batches they are not."""

    @holdem.evaluator("singly", hand_sizes={5, 6, 7})
    def singly(cards):
        return 0

    @holdem.evaluator("in-batches", hand_sizes={5, 6, 7}, batch=True)
    def in_batches(hands):
        return hands[:, 0]

    def plan(spec, board, *, direct=True):
        evaluator = holdem.get_evaluator(spec, direct=direct)
        return make_plan(make_spot(("AsKh", "QdJc"), board, evaluator=evaluator))

    assert 2_000_000 == plan(singly, None).budget
    assert "monte-carlo" == plan(singly, None).method
    assert ("exact", 1980) == (plan(singly, "Td9d2c").method, plan(singly, "Td9d2c").deals * 2)
    assert "exact" == plan(in_batches, None).method
    assert "exact" == plan(singly, None, direct=False).method


def test_what_takes_over_two_seconds_is_announced(monkeypatch):
    """Before any hand is ranked, where the evaluator ranks them itself; at 1.5 ms a hand."""
    ranked, heard = [], []

    def load():
        def counting(hands):
            ranked.append(len(hands))
            return rank_batch(hands)

        return counting

    monkeypatch.setattr(load_checks._Check, "pace", 1.5e-3)
    evaluator = holdem.get_evaluator(EvaluatorSpec("mine", "", "", {5, 6, 7}, load))
    evaluator.load()
    loaded = len(ranked)
    monkeypatch.setattr(
        messages,
        "listeners",
        [lambda text: "ranks up" in text and heard.append((text, len(ranked) == loaded))],
    )
    two = ("AsKs", "QdQh")
    sampled = {"method": "monte-carlo", "seed": 1}
    asked = {  # 3 seconds, and fewer than 2
        "ranks up to 1,980 hands itself, in some 3 seconds on one core": (
            lambda own: holdem.equity(*two, board="Td9d2c", method="exact", evaluator=own),
            lambda own: holdem.equity(*two, board="Td9d2c4h", method="exact", evaluator=own),
        ),
        "ranks up to 80,000 hands itself, in some 2 minutes on one core": (
            lambda own: holdem.equity(*two, **sampled, deals=40_000, evaluator=own),
            lambda own: holdem.equity(*two, **sampled, deals=600, evaluator=own),
        ),
        "ranks up to 4,000 hands itself, in some 6 seconds on one core": (
            lambda own: holdem.head_to_head(*two, seed=1, deals=2_000, evaluator=own),
            lambda own: holdem.head_to_head(*two, seed=1, deals=600, evaluator=own),
        ),
    }
    for text, (long, short) in asked.items():
        monkeypatch.setattr(messages, "sent", set())
        short(evaluator.direct)
        long(evaluator)
        assert [] == heard
        loaded = len(ranked)
        long(evaluator.direct)
        assert [(f"evaluator 'mine' {text}", True)] == heard
        heard.clear()

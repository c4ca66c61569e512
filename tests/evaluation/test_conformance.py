"""Conformance checks of correct evaluators, their callbacks, and the assertion for tests."""

from math import comb

import pytest

import holdem
from hands import EVALUATORS
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.conformance import bench
from holdem.evaluation.conformance.checker import CHECKS, check_conformance
from holdem.testing import assert_conforms
from incorrect_evaluators import FEW, offered, wrong_for


@pytest.mark.parametrize("name", [name for name in EVALUATORS if name != "reference"])
def test_evaluators_conform(name):
    """Every check is made and passes."""
    found = check_conformance(holdem.get_evaluator(name))
    assert () == found.failures
    assert {"ok"} == {check.status for check in found.checks}
    hands = {check.name: check.hands for check in found.checks}
    assert comb(52, 5) == hands["five cards"]
    drawn = 1_000_000 if 7 in holdem.get_evaluator(name).spec.hand_sizes else 20_000
    assert drawn == hands["six cards"] == hands["seven cards"]
    assert {5, 6, 7} == set(found.speeds)
    assert all(speed > 0 for speed in found.speeds.values())
    assert found.first_call > 0


@pytest.mark.slow
@pytest.mark.exhaustive
def test_rule_book_conforms():
    """All 2,598,960 hands of five, one by one."""
    assert_conforms("reference")


def test_deuces_wild_conforms():
    found = assert_conforms("deuces-wild")
    assert "deuces-wild" == found.rules
    hands = {check.name: check.hands for check in found.checks}
    assert (comb(52, 5), 5162) == (hands["five cards"], hands["classes"])


@pytest.mark.exhaustive
def test_every_hand_of_the_short_deck():
    """All 1,947,792 hands of six and 8,347,680 of seven."""
    found = assert_conforms("short-deck", exhaustive=True)
    hands = {check.name: check.hands for check in found.checks}
    assert (comb(36, 6), comb(36, 7)) == (hands["six cards"], hands["seven cards"])


def test_callbacks():
    """All hands are reported."""
    calls = []
    found = check_conformance(
        offered(rank_batch),
        FEW,
        on_estimate=lambda hands, seconds: calls.append((hands, seconds)),
        on_progress=lambda hands: calls.append(hands),
    )
    assert found.passed
    (hands, seconds), *batches = calls
    assert 0 < seconds
    # Small batches are not part of the estimate.
    assert hands <= sum(batches) <= hands + 3 * 600


class Clock:
    """A clock that advances by some seconds a hand, and once by more."""

    def __init__(self, seconds, *, interrupted=None):
        self.now, self.seconds, self.interrupted = 0.0, seconds, interrupted
        self.batches = []

    def perf_counter(self):
        return self.now

    def rank(self, hands):
        self.batches.append(len(hands))
        self.now += self.seconds * len(hands)
        if len(self.batches) == self.interrupted:
            self.now += 100.0


@pytest.mark.parametrize("interrupted", [None, 1, 2, 3, 4])
@pytest.mark.parametrize(
    ("seconds", "largest"), [(1e-9, 1 << 16), (1e-5, 1 << 16), (1e-3, 512), (0.1, 64), (5.0, 1)]
)
def test_estimated_time(seconds, largest, interrupted, monkeypatch):
    """The estimate uses few hands, and the fastest call, in case another one was delayed."""
    clock = Clock(seconds, interrupted=interrupted)
    monkeypatch.setattr(bench, "time", clock)
    found = bench.measure_seconds_per_hand(clock.rank, range(1 << 16))
    assert seconds == pytest.approx(found, rel=1e-6)  # differences of a sum of floats
    assert max(clock.batches) <= largest
    assert 4 <= len(clock.batches) <= 9


# --- the assertion ----------------------------------------------------------------------


def test_assertion_passes():
    """It takes a name or a spec, and returns the results."""
    assert assert_conforms("lookup", hands=10).passed
    assert "lookup" == assert_conforms("lookup", hands=10).evaluator
    spec = holdem.EvaluatorSpec("mine", "", "", {5}, lambda: rank_batch)
    assert "mine" == assert_conforms(spec, hands=10).evaluator


def test_result_of_the_assertion_prints_all_checks():
    found = assert_conforms("lookup", hands=10)
    assert f"lookup {holdem.__version__}, standard rules" == str(found).splitlines()[0]
    assert all(f"\n{name} " in str(found) for name in CHECKS)
    assert ", 7 cards " in str(found).splitlines()[-1]


def test_assertion_error_shows_the_hand():
    """It has every check, the hand, both strengths, and the number of hands."""
    with pytest.raises(AssertionError) as caught:
        assert_conforms(wrong_for("2c 3d 5h 7s 9c", "2c 3d 5h 7s 9d"), hands=10)
    message = str(caught.value)
    assert all(name in message for name in CHECKS)
    assert "five cards: 2c 3d 5h 7s 9c: strength " in message
    assert "expected: strength " in message
    assert "; 2 hands are affected" in message


def test_assertion_needs_an_evaluator():
    with pytest.raises(holdem.EvaluatorError, match="no evaluator 'kev'"):
        assert_conforms("kev")

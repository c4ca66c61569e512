"""What conforms passes each check, what comes of them is shown, and asserted in a test."""

from math import comb

import pytest
from hands import EVALUATORS
from nearly_right import FEW, offered, wrong_for

import holdem
from holdem.evaluation.builtin.lookup.kernels import rank_batch
from holdem.evaluation.conformance import timing
from holdem.evaluation.conformance.check import CHECKS, check_conformance
from holdem.report.evaluator_reports import conformance_report
from holdem.report.formats import render
from holdem.testing import assert_conforms


@pytest.mark.parametrize("name", [name for name in EVALUATORS if name != "reference"])
def test_what_comes_with_the_engine_conforms(name):
    """The engine's own evaluators pass every check, each of which is run."""
    found = check_conformance(holdem.get_evaluator(name))
    assert () == found.failures
    assert {"ok"} == {check.status for check in found.checks}
    asked = {check.name: check.hands for check in found.checks}
    assert comb(52, 5) == asked["five cards"]
    drawn = 1_000_000 if 7 in holdem.get_evaluator(name).spec.hand_sizes else 20_000
    assert drawn == asked["six cards"] == asked["seven cards"]
    assert {5, 6, 7} == set(found.speeds)
    assert all(speed > 0 for speed in found.speeds.values())
    assert found.first_call > 0


@pytest.mark.exhaustive
def test_the_rule_book_conforms():
    """All 2,598,960 hands of five, asked one by one, have the level derived from 7,462 of them."""
    assert_conforms("reference")


def test_another_rule_set_conforms():
    """Short deck is held to its own reference: 36 cards, 376,992 hands of five."""
    found = assert_conforms("short-deck")
    assert "short-deck" == found.rules
    assert comb(36, 5) == {check.name: check.hands for check in found.checks}["five cards"]


@pytest.mark.exhaustive
def test_every_hand_of_the_short_deck():
    """All 1,947,792 hands of six and 8,347,680 of seven are gone through."""
    found = assert_conforms("short-deck", exhaustive=True)
    asked = {check.name: check.hands for check in found.checks}
    assert (comb(36, 6), comb(36, 7)) == (asked["six cards"], asked["seven cards"])


def test_progress_and_estimate_may_print(capsys):
    """What the caller's own functions print is nobody's fault, and all hands are told of."""
    told = []
    found = check_conformance(
        offered(rank_batch),
        FEW,
        on_estimate=lambda hands, seconds: (
            print("estimate", hands) or told.append((hands, seconds))
        ),
        on_progress=lambda hands: told.append(hands),
    )
    assert found.passed
    (hands, seconds), *parts = told
    assert f"estimate {hands}\n" == capsys.readouterr().out
    assert 0 < seconds
    # The calls with a few hands at a time are left out of the estimate.
    assert hands <= sum(parts) <= hands + 3 * 600


class Clock:
    """A clock that goes on when hands are ranked: so many seconds a hand, and once more."""

    def __init__(self, seconds, *, interrupted=None):
        self.now, self.seconds, self.interrupted = 0.0, seconds, interrupted
        self.batches = []

    def perf_counter(self):
        return self.now

    def ask(self, hands):
        self.batches.append(len(hands))
        self.now += self.seconds * len(hands)
        if len(self.batches) == self.interrupted:
            self.now += 100.0


@pytest.mark.parametrize("interrupted", [None, 1, 2, 3, 4])
@pytest.mark.parametrize(
    ("seconds", "most"), [(1e-9, 1 << 16), (1e-5, 1 << 16), (1e-3, 512), (0.1, 64), (5.0, 1)]
)
def test_the_estimate(seconds, most, interrupted, monkeypatch):
    """It is by the fastest call, whatever else the machine did meanwhile, and by a few hands."""
    clock = Clock(seconds, interrupted=interrupted)
    monkeypatch.setattr(timing, "time", clock)
    found = timing.seconds_a_hand(clock.ask, lambda count: range(count))
    assert seconds == pytest.approx(found, rel=1e-6)  # differences of a sum of floats
    assert max(clock.batches) <= most
    assert 4 <= len(clock.batches) <= 9


# --- in an author's tests --------------------------------------------------------------


def test_the_assertion_passes():
    """It takes a name or a spec, and gives back what was found."""
    assert assert_conforms("lookup", hands=10).passed
    assert "lookup" == assert_conforms("lookup", hands=10).evaluator
    spec = holdem.EvaluatorSpec("mine", "", "", {5}, lambda: rank_batch)
    assert "mine" == assert_conforms(spec, hands=10).evaluator


def test_what_the_assertion_returns_prints_as_the_command_does():
    """`print` shows the table of all checks, and the speeds."""
    found = assert_conforms("lookup", hands=10)
    assert render(conformance_report([found], detailed=True), "table") == str(found)
    assert f"lookup {holdem.__version__}, standard rules" == str(found).splitlines()[0]
    assert all(f"\n{name} " in str(found) for name in CHECKS)
    assert str(found).endswith("/s of 7 cards")


def test_the_assertion_shows_the_hand():
    """Its message has every check, the hand, the answer, what is right, and how many hands."""
    with pytest.raises(AssertionError) as caught:
        assert_conforms(wrong_for("2c 3d 5h 7s 9c", "2c 3d 5h 7s 9d"), hands=10)
    message = str(caught.value)
    assert all(name in message for name in CHECKS)
    assert "five cards: 2c 3d 5h 7s 9c: strength " in message
    assert "right is: strength " in message
    assert "; 2 hands are affected" in message


def test_the_assertion_needs_an_evaluator():
    """A name that nobody has is the registry's error."""
    with pytest.raises(holdem.EvaluatorError, match="no evaluator 'kev'"):
        assert_conforms("kev")

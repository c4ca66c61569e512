"""Checks of modified input, output, global random generators, and of load."""

import ctypes
import os
import random

import numpy as np
import pytest

from holdem.cards import card_set, cards_text
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.conformance.checker import check_conformance
from holdem.rules import STANDARD
from incorrect_evaluators import FEW, failures, offered


def test_modified_input():
    """Sorting the hands is found, although numpy raises an error."""

    def sorts(hands):
        hands.sort(axis=1)
        return rank_batch(hands)

    failed = failures(offered(sorts))
    assert {"input", "answers"} == set(failed)  # for what the engine gives cannot be sorted
    failure = failed["input"]
    changed = [hand for hand in STANDARD.examples.tolist() if sorted(hand) != hand]
    assert min(changed, key=card_set) == list(failure.hand)
    assert f"the hand was changed to {cards_text(sorted(failure.hand), ' ')}" == failure.answered
    assert "unchanged hands" == failure.expected
    assert len(changed) == failure.affected


def test_modified_read_only_input():
    """Compiled code can write to read-only arrays."""

    def writes(hands):
        strengths = rank_batch(hands)
        if len(hands):
            ctypes.memset(hands.ctypes.data, 99, 1)
        return strengths

    failed = failures(offered(writes))
    assert {"input"} == set(failed)
    failure = failed["input"]
    assert STANDARD.class_at(1).example == failure.hand
    assert f"the hand was changed to 99 {cards_text(failure.hand[1:], ' ')}" == failure.answered
    assert 1 == failure.affected


USES = {
    "draws": (lambda: random.random(), "Python's random"),
    "seeds": (lambda: random.seed(5), "Python's random"),
    "numpy draws": (lambda: np.random.random(), "numpy.random"),  # noqa: NPY002
    "numpy seeds": (lambda: np.random.seed(5), "numpy.random"),  # noqa: NPY002
}


@pytest.mark.parametrize(
    ("when", "use", "name"),
    [
        *(("call", *use) for use in USES.values()),
        ("load", *USES["draws"]),
    ],
)
def test_global_random_generators(use, name, when):
    """Both drawing and seeding are found, at load and in a call."""

    def load():
        if when == "load":
            use()
        return rank

    def rank(hands):
        if when == "call":
            use()
        return rank_batch(hands)

    failed = failures(offered(None, load=load))
    assert {"random state"} == set(failed)
    failure = failed["random state"]
    assert f"the state of {name} has changed" == failure.answered
    assert "no use of global random generators" == failure.expected
    assert ((), 0) == (failure.hand, failure.affected)


@pytest.mark.parametrize(
    ("write", "when"),
    [(print, "load"), (lambda text: os.write(1, text.encode()), "call")],
    ids=["print at load", "C in a call"],
)
def test_output(write, when, capfd):
    """The failure shows it, and it does not reach standard output."""
    times = []

    def load():
        if when == "load":
            write("loading\ntables")
        return rank

    def rank(hands):
        if when == "call" and not times:
            times.append(1)
            write("loading\ntables")
        return rank_batch(hands)

    failed = failures(offered(None, load=load))
    assert {"output"} == set(failed)
    failure = failed["output"]
    assert "it wrote 'loading tables' to standard output" == failure.answered
    assert "nothing on standard output" == failure.expected
    assert ((), 0) == (failure.hand, failure.affected)
    assert "" == capfd.readouterr().out


# --- load ------------------------------------------------------------------------------


def test_load_fails():
    """The failure has the reason, and no other check is run."""
    found = check_conformance(offered(None, load=lambda: None), FEW)
    statuses = [check.status for check in found.checks]
    assert ["failed", *["not run"] * 12, "ok", "ok"] == statuses
    failure = found.checks[0].failure
    assert "load returned None, not a function" in failure.answered
    assert ("a function", (), 0) == (failure.expected, failure.hand, failure.affected)

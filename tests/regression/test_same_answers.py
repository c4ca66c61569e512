"""The results of the regression corpus are those recorded."""

import json

import pytest

from check_answers import DIGESTS, read_cases
from regression.calls import call
from regression.records import applicable_digests, digests_of

CASES = read_cases()
SLOW = ("command", "study")  # each case starts processes or computes several spots
RECORDED = json.loads(DIGESTS.read_text(encoding="utf-8"))


def _with_marks():
    """Return the names of the cases; the first of each group is a smoke test."""
    groups = set()
    names = []
    for name in CASES:
        function, group, _ = name.split("/")
        if (function, group) not in groups:
            marks = pytest.mark.smoke
        else:
            marks = pytest.mark.slow if function in SLOW else ()
        names.append(pytest.param(name, marks=marks))
        groups.add((function, group))
    return names


@pytest.mark.parametrize("name", _with_marks())
def test_same_answer(name):
    """Results agree to the last bit on arithmetic as recorded, to ten digits elsewhere.

    ``scripts/checks/check_answers.py`` shows what differs.
    """
    digests = digests_of({name: call(name, CASES[name])})
    kind = applicable_digests(RECORDED)
    assert digests[kind][name] == RECORDED[kind][name]


def test_every_case_is_recorded():
    assert list(RECORDED["exact"]) == list(RECORDED["rounded"]) == list(CASES)

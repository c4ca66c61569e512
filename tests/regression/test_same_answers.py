"""Recorded answers stay the same: ``scripts/check_answers.py`` shows what differs."""

import json

import pytest

from check_answers import DIGESTS, answer, digests_of, kind_of_digest, read_questions

QUESTIONS = read_questions()
RECORDED = json.loads(DIGESTS.read_text(encoding="utf-8"))


def _with_marks():
    """Yield the names of the questions; the first of each group is a smoke test."""
    groups = set()
    for name in QUESTIONS:
        group = name.rpartition("/")[0]
        yield pytest.param(name, marks=() if group in groups else pytest.mark.smoke)
        groups.add(group)


@pytest.mark.parametrize("name", list(_with_marks()))
def test_same_answer(name):
    """Answers agree to the last bit on arithmetic as recorded, to ten digits elsewhere.

    To see where an answer differs, keep the old code's answer with ``python
    scripts/check_answers.py NAME --answers FILE`` and run the new code with ``--compare FILE``.
    """
    found = digests_of({name: answer(name, QUESTIONS[name])})
    kind = kind_of_digest(RECORDED)
    assert found[kind][name] == RECORDED[kind][name]


def test_every_question_is_recorded():
    assert list(RECORDED["exact"]) == list(RECORDED["rounded"]) == list(QUESTIONS)

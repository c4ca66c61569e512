"""Answers that were recorded stay what they are: ``regression_questions.py`` shows differences."""

import importlib.util
import json
from pathlib import Path

import pytest


def _questions_beside():
    """Import the module beside this one, which is in no package and on no path."""
    path = Path(__file__).with_name("regression_questions.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


regression = _questions_beside()
QUESTIONS = regression.read_questions()
RECORDED = json.loads(regression.DIGESTS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", QUESTIONS)
def test_same_answer(name):
    """To the last bit where arithmetic is that of the machine it was recorded on; else ten digits.

    See where it differs: keep the answers of the code before with ``python
    tests/regression/regression_questions.py NAME --answers FILE``, and ask the code after with
    ``--compare FILE``.
    """
    found = regression.digests_of({name: regression.answer(name, QUESTIONS[name])})
    kind = regression.kind_of_digest(RECORDED)
    assert found[kind][name] == RECORDED[kind][name]


def test_every_question_is_recorded():
    assert list(RECORDED["exact"]) == list(RECORDED["rounded"]) == list(QUESTIONS)

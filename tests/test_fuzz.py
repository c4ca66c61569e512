"""The saved inputs of the fuzzer raise nothing but the project's own errors, in limited time."""

import pytest

from fuzz import NAMES
from fuzzing.corpus import read_corpus, try_input
from fuzzing.targets import TARGETS


def test_every_target_has_a_corpus():
    assert NAMES == tuple(TARGETS)
    assert all(len(read_corpus(name)) >= 5 for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_saved_inputs(name, tmp_path, monkeypatch):
    """`scripts/checks/fuzz.py` found them; those that once failed are among them."""
    monkeypatch.setenv("HOLDEM_TRACEBACK", "1")
    for data in (*TARGETS[name].seeds, *read_corpus(name)):
        try:
            try_input(TARGETS[name], data, tmp_path)
        except AssertionError:  # the first call may compile or load something
            try_input(TARGETS[name], data, tmp_path)


def test_an_unexpected_error_is_found(tmp_path):
    """A target that raises another exception, or is slow, fails."""
    target = TARGETS["cards"]

    def broken(data, directory):
        raise KeyError(data)

    with pytest.raises(KeyError):
        try_input(type(target)(broken, ()), b"x", tmp_path)

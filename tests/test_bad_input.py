"""Invalid text and invalid Python values at every door: one message, and no other exception."""

import tomllib
import warnings
from pathlib import Path

import pytest

import holdem
from bad_input_doors import DOORS, ask
from bad_values import CALLS, VALUES

TEXTS = tomllib.loads((Path(__file__).parent / "data" / "bad_input.toml").read_text("utf-8"))


def test_every_door_has_examples():
    assert DOORS.keys() == TEXTS.keys()


@pytest.mark.parametrize(
    ("door", "text"), [(door, text) for door, texts in TEXTS.items() for text in texts]
)
def test_message(door, text, monkeypatch):
    """The message is that of the table."""
    monkeypatch.setenv("HOLDEM_TRACEBACK", "1")
    found, expected = ask(door, text), TEXTS[door][text]
    if expected.endswith("…"):
        found = found[: len(expected) - 1] + "…"
    assert expected == found


@pytest.mark.parametrize("call", CALLS)
def test_values(call, tmp_path, monkeypatch):
    """A value is accepted, or is an error with a short message that can be printed."""
    monkeypatch.chdir(tmp_path)
    function, accepted = CALLS[call]
    for name, value in VALUES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                function(value)
            except holdem.HoldemError as error:
                message = str(error)
                assert name not in accepted, message
                assert 10 < len(message) < 1000, (name, message)
                assert message.replace("\n", "").isprintable(), (name, message)
                continue
        assert name in accepted, f"{call} accepts {name}"

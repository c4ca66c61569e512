"""Invalid Python values for every argument: one message, and no other exception."""

import warnings

import pytest

import holdem
from bad_values import CALLS, VALUES


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

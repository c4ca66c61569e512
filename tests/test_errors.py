"""Errors have one root, and what they show of others' text is one printable line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem import errors
from holdem.errors import CardError, HoldemError, HoldemTypeError, error_text, one_line, quoted


def test_all_errors_have_one_root():
    """Whoever catches HoldemError, or ValueError, catches them all."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert len(kinds) >= 8
    assert all(issubclass(kind, HoldemError) and issubclass(kind, ValueError) for kind in kinds)
    assert issubclass(HoldemTypeError, TypeError)
    assert not issubclass(CardError, TypeError)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As", "'As'"),
        ("", "''"),
        ("A♠", "'A♠'"),
        ("it's", '"it\'s"'),
        ("\x1b[2J", r"'\x1b[2J'"),
        ("a\nb\tc", r"'a\nb\tc'"),
        ("\u202eAs", r"'\u202eAs'"),
        ("\x9b", r"'\x9b'"),
        ("\ud800", r"'\ud800'"),
        ("x" * 60, f"'{'x' * 60}'"),
        ("x" * 61, f"'{'x' * 59}…'"),
    ],
)
def test_users_text_is_quoted_escaped_and_cut(text, expected):
    """Control characters, also those that turn text around, are shown as escapes."""
    assert expected == quoted(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("  two\n\tlines \r\n", "two lines"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x85next", "next"),
        ("\u2028x", "x"),
        ("a\x00b\ud800", r"a\x00b\ud800"),
        ("x" * 300, "x" * 300),
        ("x" * 301, "x" * 299 + "…"),
    ],
)
def test_others_text_becomes_one_line(text, expected):
    """White space of any kind is a blank; the rest is escaped where it does not print."""
    assert expected == one_line(text)


@given(st.text())
def test_any_text_prints_on_one_line(text):
    """Both ways of showing text give printable text of bounded length."""
    for shown, limit in ((quoted(text), 60), (one_line(text), 300)):
        assert shown.isprintable()
        assert len(shown) <= 10 * limit + 2


class SilentError(Exception):
    """An exception that cannot even say what is wrong."""

    def __str__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("no\nway"), "ValueError: no way"),
        (ValueError(), "ValueError"),
        (KeyError("x"), "KeyError: 'x'"),
        (SystemExit(3), "SystemExit: 3"),
        (CardError("'x' is not a card"), "'x' is not a card"),
        (FileNotFoundError(2, "gone"), "FileNotFoundError: [Errno 2] gone"),
        (SilentError(), "SilentError"),
    ],
)
def test_exceptions_of_others_are_told_with_their_kind(error, expected):
    """Our own say all there is to say; those of others need their kind."""
    assert expected == error_text(error)

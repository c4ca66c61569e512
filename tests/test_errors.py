"""Errors have one base class, and show untrusted text on one printable line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem import errors
from holdem.errors import CardError, HoldemError, HoldemTypeError, error_text, one_line, quoted


def test_all_errors_have_one_root():
    """All errors derive from HoldemError, and warnings from HoldemWarning."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    kinds = [kind for kind in kinds if issubclass(kind, BaseException)]
    assert len(kinds) >= 8
    others = (errors.Interrupted, errors.HoldemWarning)
    assert all(issubclass(kind, HoldemError) for kind in kinds if not issubclass(kind, others))
    assert issubclass(CardError, ValueError)
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
def test_text_is_quoted_escaped_and_cut(text, expected):
    """Control characters and bidirectional marks are escaped."""
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
def test_untrusted_text_becomes_one_line(text, expected):
    """White space becomes blanks; characters that do not print are escaped."""
    assert expected == one_line(text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, "None"), (7, "7"), (10**400, "a number of 1329 bits"), (["a\nb"], r"['a\nb']")],
)
def test_other_values(value, expected):
    """Other values are shown by `repr`, and very long integers by their size."""
    assert expected == quoted(value)


@given(st.text())
def test_any_text_prints_on_one_line(text):
    """`quoted` and `one_line` return printable text of limited length."""
    for shown, limit in ((quoted(text), 60), (one_line(text), 300)):
        assert shown.isprintable()
        assert len(shown) <= 10 * limit + 2


class SilentError(Exception):
    """An exception whose `__str__` fails."""

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
def test_exceptions_as_text(error, expected):
    """The type is shown, except for errors of the package."""
    assert expected == error_text(error)

"""Error messages that underline the offending part of a range text and may give a hint."""

from __future__ import annotations

from holdem.errors import RangeError, one_line

#: Suit signs that cards may have, and the variation selectors that may follow them.
SUIT_SIGNS = "♣♦♥♠♧♢♡♤\ufe0e\ufe0f"

_BEFORE, _WITHIN, _AFTER = 30, 40, 20  # characters shown around and within the offending part
_MAX_LINE = 120


def located(error: RangeError, text: str, start: int, end: int) -> RangeError:
    """Return a copy of a `RangeError` that points at ``text[start:end]``.

    Args:
        error: the error, whose message is the problem; `expected` and `hint` are optional.
        text: the whole range text.
        start: start of the offending part.
        end: end of the offending part; `start` if something is missing there.
    """
    lines = [f"{error} (position {start + 1})", *underlined(text, start, end)]
    if error.expected:
        lines.append(f"expected {one_line(error.expected, _MAX_LINE)}")
    if error.hint and len(error.hint) <= _MAX_LINE:  # a truncated hint would not help
        lines.append(f"hint: {error.hint}")
    return RangeError(
        "\n".join(lines),
        text=text,
        position=start,
        length=end - start,
        expected=error.expected,
        hint=error.hint,
    )


def underlined(text: str, start: int, end: int) -> tuple[str, str]:
    """Return an excerpt of `text` around ``text[start:end]``, and a line of carets below it.

    Control characters are escaped; the carets take that into account.
    """
    first, last = max(0, start - _BEFORE), min(len(text), max(end, start + 1) + _AFTER)
    stop = min(end, start + _WITHIN)
    if end > stop:
        last = stop
    before = ("…" if first else "") + printable(text[first:start])
    part = printable(text[start:stop])
    after = printable(text[stop:last]) + ("…" if last < len(text) else "")
    carets = "^" * max(1, _width(part))
    return f"  {before}{part}{after}", f"  {' ' * _width(before)}{carets}"


def printable(text: str) -> str:
    """Return text with control characters and combining marks escaped."""
    return "".join(
        char
        if char.isprintable() and not _is_mark(char)
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def _is_mark(char: str) -> bool:
    """Return whether `char` is a combining mark, which would be hard to see in a message."""
    if char.isascii() or char in SUIT_SIGNS:
        return False
    import unicodedata

    return unicodedata.category(char).startswith("M")


def _width(text: str) -> int:
    """Return the number of terminal columns that `text` occupies."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if char in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )

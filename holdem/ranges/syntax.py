"""Where the parser stopped, and what to tell the user about it."""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from holdem.errors import RangeError, visible
from holdem.ranges.faults import Fault, foreign_fault, foreign_place, word_fault

_BLANKS = " \t\r\n"
_BRACKETS = re.compile(r"#[^#]*#|\[[ \t\r\n]*/|[(\[)]")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]*%?")
_DELIMITERS = _BLANKS + ",;()[]!&:=@#"


def depth_exceeded(text: str, most: int) -> int | None:
    """Return the place of the first bracket in `text` that lies deeper than `most` levels."""
    depth = 0
    for match in _BRACKETS.finditer(text):
        sign = match[0]
        if sign in ("(", "["):
            depth += 1
            if depth > most:
                return match.start()
        elif sign[0] != "#":
            depth -= 1
    return None


def _open_bracket(text: str) -> tuple[int, str] | None:
    """Return the place of the innermost bracket that `text` leaves open, and what closes it."""
    opened: list[int] = []
    for match in _BRACKETS.finditer(text):
        sign = match[0]
        if sign in ("(", "["):
            opened.append(match.start())
        elif sign[0] != "#" and opened:
            opened.pop()
    if not opened:
        return None
    place = opened[-1]
    if text[place] == "(":
        return place, ")"
    inside = re.match(r"\[[ \t\r\n]*([0-9.]*)", text[place:])
    return place, f"[/{inside[1] if inside else ''}]"


def syntax_error(text: str, offset: int, unexpected: UnexpectedInput) -> RangeError:
    """Return the error for a text of which the parser read all before `offset` plus its place."""
    place = len(text)
    if isinstance(unexpected, UnexpectedToken):
        wanted = set(unexpected.expected)
        if unexpected.token.type != "$END" and unexpected.token.start_pos is not None:
            place = offset + unexpected.token.start_pos
    else:
        assert isinstance(unexpected, UnexpectedCharacters)
        wanted = set(unexpected.allowed)
        place = offset + (unexpected.pos_in_stream or 0)
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    start, end = _word_at(text, place)
    foreign = foreign_place(text, start, end)
    if foreign is not None:
        return foreign_fault(text, foreign, start, end).at(text, foreign, foreign + 1)
    if place == len(text):
        return _end_fault(text, wanted).at(text, place, place)
    if text[place] == "#" and "TAG" in wanted:
        return Fault("a # tag has no end", expected="another #").at(text, place, len(text))
    if text[place] in _DELIMITERS:
        return _sign_fault(text, place, wanted).at(text, place, place + 1)
    if "NUMBER" in wanted:
        fault = Fault(f"{visible(text[place:end])} is not a number", expected="a number, as in 0.5")
        return fault.at(text, place, end)
    if "HAND" in wanted and "FACTOR" not in wanted and _NUMBER.fullmatch(text, start, end):
        fault = Fault(
            f"{visible(text[start:end])} cannot stand after ! or &",
            expected="a hand or a bracket; a weight goes inside the bracket",
        )
        return fault.at(text, start, end)
    after_hand = start < place and "WITHOUT" in wanted and "%" not in text[start:place]
    if "HAND" in wanted or after_hand:  # AKQ stops at the Q; what is wrong is AKQ
        return word_fault(text[start:end]).at(text, start, end)
    fault = Fault(f"{visible(text[place:end])} cannot stand here", expected=_expected(wanted))
    return fault.at(text, place, end)


def _word_at(text: str, place: int) -> tuple[int, int]:
    """Return where the word around `place` begins and ends."""
    start = end = place
    while start > 0 and text[start - 1] not in _DELIMITERS:
        start -= 1
    while end < len(text) and text[end] not in _DELIMITERS:
        end += 1
    return start, end


def _end_fault(text: str, wanted: set[str]) -> Fault:
    opened = _open_bracket(text)
    if opened and not wanted & {"HAND", "NUMBER", "OPEN", "SHARE_END"}:
        place, closing = opened
        problem = f"the bracket opened at position {place + 1} is not closed"
        return Fault(problem, expected=f"'{closing}' in the end", hint=closing)
    return Fault("the range ends too early", expected=_expected(wanted))


def _sign_fault(text: str, place: int, wanted: set[str]) -> Fault:
    sign = text[place]
    if "HAND" in wanted and sign in ",;":
        before = text[:place].rstrip(_BLANKS)[-1:]
        if before and before in ",;":
            return Fault(
                f"two separators in a row, {before!r} and {sign!r}", expected="a hand between them"
            )
    opened = _open_bracket(text[:place])
    if sign in ")]" and opened is None and "HAND" not in wanted:
        return Fault(f"{sign!r} closes no bracket", expected=_expected(wanted))
    if opened and sign in ")[" and opened[1][0] != sign:
        return Fault(f"{sign!r} does not close the bracket before it", expected=f"'{opened[1]}'")
    return Fault(f"{sign!r} cannot stand here", expected=_expected(wanted))


def _expected(wanted: set[str]) -> str:
    """Return in words what could stand where the parser stopped."""
    if "HAND" in wanted:
        return "a hand, as in AKs, QQ+ or AhKd" + (", or ')'" if "CLOSE" in wanted else "")
    if "NUMBER" in wanted:
        return "a number, as in 0.5"
    words = [
        ("SHARE_END", "']'"),
        ("OPEN", "'('"),
        ("SEPARATOR", "a comma"),
        ("CLOSE", "')'"),
        ("SHARE_CLOSE", "'[/'"),
        ("WEIGHT", "a weight (:0.5)"),
        ("PLUS", "'+'"),
        ("DASH", "'-'"),
        ("WITHOUT", "'!' or '&'"),
    ]
    found = [word for name, word in words if name in wanted]
    return " or ".join(found) if found else "the end"

"""The long way from text to weights: the parser built from ``grammar.lark``.

The parser is built when a text first needs it (25 ms, and 35 ms to import lark) and kept. It
computes as it goes: each rule of the grammar has its meaning below, from weights to weights,
so no tree is built, and memory does not grow with the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from lark import Lark, Token, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark import v_args as with_arguments

from holdem.errors import RangeError, visible
from holdem.ranges import hands
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.faults import Fault, foreign_fault, foreign_place, word_fault
from holdem.ranges.hands import Mask
from holdem.ranges.ranking import strongest
from holdem.ranges.reading import (
    BLANKS,
    MAX_DEPTH,
    Reading,
    Remark,
    Weights,
    climb_remark,
    finished,
)

GRAMMAR_FILE = "grammar.lark"
_MAX_NUMBER = 400  # digits; the longest that a weight prints with is 326
_BRACKETS = re.compile(r"#[^#]*#|\[[ \t\r\n]*/|[(\[)]")
_DELIMITERS = BLANKS + ",;()[]!&:=@#"


def read_any(text: str) -> Reading:
    """Read any text of the range language, whose length is checked.

    Raises:
        RangeError: with the offending part underlined.
    """
    body = text.lstrip(BLANKS)
    offset = len(text) - len(body)
    try:
        _check_depth(body)
        part: _Part = _parser().parse(body)  # type: ignore[assignment]
    except _Refused as refused:
        error = refused.fault.at(text, refused.start + offset, refused.end + offset)
    except UnexpectedInput as unexpected:
        error = _syntax_error(text, offset, unexpected)
    else:
        return finished(part.weights, part.remarks)
    raise error


@cache
def _parser() -> Lark:
    grammar = resources.files(__package__).joinpath(GRAMMAR_FILE).read_text(encoding="utf-8")
    # Neither `cache=True`, which unpickles from a directory that all users share, nor the
    # standalone form, a generated file: building takes 25 ms, once.
    return Lark(grammar, parser="lalr", maybe_placeholders=False, transformer=_Meaning())


# --- what the rules mean --------------------------------------------------------------------


class _Part(NamedTuple):
    """The meaning of a part of a text. Its weights may be written to by who gets them."""

    weights: Weights
    remarks: tuple[Remark, ...] = ()


class _Refused(Exception):  # noqa: N818 - becomes a RangeError as soon as the text is at hand
    """A part of the text without a meaning."""

    def __init__(self, fault: Fault, start: int, end: int) -> None:
        super().__init__(fault.problem)
        self.fault = fault
        self.start = start
        self.end = end


def _refused(fault: Fault, token: Token, last: Token | None = None) -> _Refused:
    start, end = token.start_pos, (last or token).end_pos
    assert start is not None
    assert end is not None
    return _Refused(fault, start, end)


def _held(mask: Mask, *remarks: Remark) -> _Part:
    return _Part(mask.astype(np.float64), remarks)


def _meaning_of(find: Callable[..., Mask], first: Token, last: Token, *texts: str) -> Mask:
    try:
        return find(*texts)
    except Fault as fault:
        raise _refused(fault, first, last) from None


@with_arguments(inline=True)
class _Meaning(Transformer[Token, _Part]):
    """Each rule's meaning; the grammar says which text each stands for."""

    def start(self, union: _Part | None = None, *_: Token) -> _Part:
        return union or _Part(np.zeros(COMBO_COUNT))

    def union(self, union: _Part, _: Token, item: _Part) -> _Part:
        np.maximum(union.weights, item.weights, out=union.weights)
        return _joined(union, item)

    def tag(self, _: Token) -> _Part:
        return _Part(np.zeros(COMBO_COUNT))

    def weighted(self, factor: Token, _: Token, union: _Part, __: Token) -> _Part:
        text = factor.rstrip(BLANKS)
        share = text.endswith("%")
        return _times(union, _weight(factor, text.rstrip("%"), 0, 100 if share else 1))

    def bracketed(
        self, _: Token, number: Token, __: Token, union: _Part, ___: Token, end: Token, ____: Token
    ) -> _Part:
        weight = _weight(number, number, 0, 100)
        if _number(end) != _number(number):
            problem = f"[{number}] is closed by [/{end}]"
            raise _refused(Fault(problem, expected=f"[/{number}]", hint=f"[/{number}]"), end)
        return _times(union, weight)

    def weighted_by(self, part: _Part, _: Token, number: Token) -> _Part:
        return _times(part, _weight(number, number, 0, 1))

    def shared_by(self, part: _Part, _: Token, number: Token, __: Token | None = None) -> _Part:
        return _times(part, _weight(number, number, 1, 100))

    def without(self, part: _Part, _: Token, other: _Part) -> _Part:
        part.weights[other.weights > 0] = 0.0
        return _joined(part, other)

    def common(self, part: _Part, _: Token, other: _Part) -> _Part:
        np.minimum(part.weights, other.weights, out=part.weights)
        return _joined(part, other)

    def group(self, _: Token, union: _Part, __: Token) -> _Part:
        return union

    def any(self, _: Token) -> _Part:
        return _Part(np.ones(COMBO_COUNT))

    def percent(self, token: Token) -> _Part:
        return _held(strongest(_percent(token, token, zero=False)))

    def percent_span(self, token: Token) -> _Part:
        low, high = (_percent(token, part, zero=True) for part in token.split("-"))
        if low >= high:
            hint = "-".join(part.strip(BLANKS) for part in reversed(token.split("-")))
            problem = f"{visible(str(token))} holds no hand"
            expected = "the smaller percentage first"
            raise _refused(
                Fault(problem, expected=expected, hint=hint if low > high else None), token
            )
        return _held(strongest(high) & ~strongest(low) if low else strongest(high))

    def hand(self, hand: Token) -> _Part:
        return _held(_meaning_of(hands.alone, hand, hand, hand), *_apart_remarks(hand))

    def upward(self, hand: Token, plus: Token) -> _Part:
        mask = _meaning_of(hands.upward, hand, plus, hand)
        remark = climb_remark(str(hand))
        return _held(mask, *([remark] if remark else []))

    def downward(self, hand: Token, minus: Token) -> _Part:
        return _held(_meaning_of(hands.downward, hand, minus, hand))

    def dash(self, hand: Token, dash: Token, other: Token) -> _Part:
        try:
            return _held(hands.dash(hand, other))
        except Fault as fault:
            if dash[-1] in BLANKS and dash[0] == "-" and not fault.hint:
                fault.hint = f"{hand}-, {other} is two items"
            raise _refused(fault, hand, other) from None


def _joined(part: _Part, other: _Part) -> _Part:
    return _Part(part.weights, part.remarks + other.remarks) if other.remarks else part


def _apart_remarks(hand: Token) -> list[Remark]:
    """Return what to remark of ``Ax Kx``: with the blank it could be two classes as well."""
    words = hand.split()
    if len(words) == 2 and all(word[-1] in "xX" for word in words):
        return [
            Remark(" ".join(words), "apart", ", ".join(f"{word[:-1].upper()}X" for word in words))
        ]
    return []


# --- numbers --------------------------------------------------------------------------------


def _number(token: Token, text: str | None = None) -> float:
    if len(token) > _MAX_NUMBER:
        problem = f"a number of {len(token)} digits is too long"
        raise _refused(Fault(problem, expected=f"at most {_MAX_NUMBER}"), token)
    return float(text or token)


def _weight(token: Token, text: str, low: int, scale: int) -> float:
    """Return the weight that `text` within `token` gives: a share of `scale`, 1 or 100.

    It must be above 0, and at least `low`.
    """
    number = _number(token, text)
    if low <= number <= scale and number > 0:
        # Shifted in decimal, 33.3 is 0.333; divided by 100 it would be 0.33299999999999996.
        weight = number if scale == 1 else float(f"{text}e-2")
        if weight > 0:
            return weight
    shown = visible(text)
    if number == 0:
        zero = f"the weight {shown} is none"
        raise _refused(
            Fault(zero, expected="a weight above 0: a hand of weight 0 is left out"), token
        )
    hint = None
    if scale == 100 and low and number < low:
        hint = f":{text} or @{_decimal(text, 2)}"
    elif scale == 1 and number <= 100:
        hint = f"{_decimal(text, -2)}, or {text}% before a bracket, or @{text}"
    kind = (
        "a percentage from" if low else "a percentage above" if scale == 100 else "a weight above"
    )
    expected = f"{kind} {low} to {scale}"
    raise _refused(
        Fault(f"the weight {shown} is out of bounds", expected=expected, hint=hint), token
    )


def _decimal(text: str, shift: int) -> str:
    """Return a decimal number with its point moved by `shift` places."""
    return np.format_float_positional(float(f"{text}e{shift}"), trim="-")


def _percent(token: Token, text: str, *, zero: bool) -> Fraction:
    digits = text.lower().removeprefix("top").strip(BLANKS).rstrip("%")
    number = _number(token, digits)
    if number > 100 or (number == 0 and not zero):
        problem = f"{visible(str(token))} is no share of all hands"
        raise _refused(Fault(problem, expected="a percentage above 0 and at most 100"), token)
    return Fraction(digits)


def _times(part: _Part, weight: float) -> _Part:
    if weight == 1.0:
        return part
    held = part.weights > 0
    np.multiply(part.weights, weight, out=part.weights)
    if not (part.weights[held] > 0).all():
        raise RangeError("the weights of a group and of its hands multiply to less than any number")
    return part


# --- syntax errors --------------------------------------------------------------------------


def _check_depth(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        sign = match[0]
        depth += 1 if sign in ("(", "[") else -1 if sign == ")" or sign[0] == "[" else 0
        if depth > MAX_DEPTH:
            fault = Fault(
                "brackets are too deep", expected=f"at most {MAX_DEPTH} levels of brackets"
            )
            raise _Refused(fault, *match.span())


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


def _syntax_error(text: str, offset: int, unexpected: UnexpectedInput) -> RangeError:
    place = len(text)
    if isinstance(unexpected, UnexpectedToken):
        wanted = set(unexpected.expected)
        if unexpected.token.type != "$END" and unexpected.token.start_pos is not None:
            place = offset + unexpected.token.start_pos
    else:
        assert isinstance(unexpected, UnexpectedCharacters)
        wanted = set(unexpected.allowed)
        place = offset + unexpected.pos_in_stream
    while place < len(text) and text[place] in BLANKS:
        place += 1
    start, end = _word_at(text, place)
    foreign = foreign_place(text, start, end)
    if foreign is not None:
        return foreign_fault(text, foreign, start, end).at(text, foreign, foreign + 1)
    if place == len(text):
        return _end_fault(text, wanted).at(text, place, place)
    if text[place] in _DELIMITERS:
        return _sign_fault(text, place, wanted).at(text, place, place + 1)
    if "HAND" in wanted and text.startswith("#", place):
        return Fault("a # tag has no end", expected="another #").at(text, place, len(text))
    if "NUMBER" in wanted:
        fault = Fault(f"{visible(text[place:end])} is not a number", expected="a number, as in 0.5")
        return fault.at(text, place, end)
    if "HAND" in wanted or start < place:
        return word_fault(text[start:end]).at(text, start, end)
    fault = Fault(
        f"{visible(text[place:end])} follows without a separator", expected=_expected(wanted)
    )
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
        problem = f"the bracket at position {place + 1} is not closed"
        return Fault(problem, expected=f"'{closing}' in the end", hint=closing)
    return Fault("the range ends too early", expected=_expected(wanted))


def _sign_fault(text: str, place: int, wanted: set[str]) -> Fault:
    sign = text[place]
    if sign == "#" and "TAG" in wanted:
        return Fault("a # tag has no end", expected="another #")
    if "HAND" in wanted and sign in ",;":
        before = text[:place].rstrip(BLANKS)[-1:]
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


__all__: list[Any] = ["read_any"]

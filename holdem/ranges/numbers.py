"""Numbers in a text of the range language: weights and shares, and what is refused of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from lark import Token

from holdem.errors import visible
from holdem.ranges.faults import Fault
from holdem.ranges.reading import BLANKS

_MAX_NUMBER = 400  # digits; the longest that a weight prints with is 326


class Refused(Exception):  # noqa: N818 - becomes a RangeError as soon as the text is at hand
    """A part of the text without a meaning."""

    def __init__(self, fault: Fault, start: int, end: int) -> None:
        super().__init__(fault.problem)
        self.fault = fault
        self.start = start
        self.end = end


def refusal(fault: Fault, token: Token, last: Token | None = None) -> Refused:
    """Return what to raise of a token, or of all from it to the `last`."""
    last = last or token
    assert token.start_pos is not None
    assert last.start_pos is not None
    return Refused(fault, token.start_pos, last.start_pos + len(last.rstrip(BLANKS)))


def number_in(token: Token, text: str) -> float:
    """Return the number that `text` within `token` is."""
    if len(text) > _MAX_NUMBER:
        problem = f"a number of {len(text)} digits is too long"
        raise refusal(Fault(problem, expected=f"at most {_MAX_NUMBER}"), token)
    return float(text)


def weight_in(token: Token, text: str, *, hint: str) -> float:
    """Return the weight, above 0 and at most 1, that `text` within `token` is.

    `hint` is what to write instead where it is rather a percentage, in which case ``{0}``
    stands for it and ``{1}`` for the same as a weight.
    """
    weight = number_in(token, text)
    _refuse_none(token, text, weight)
    if weight > 1:
        fault = Fault(
            f"the weight {visible(str(text))} is above 1", expected="a weight above 0, at most 1"
        )
        if 2 <= weight <= 100:
            fault.hint = hint.format(text, _decimal(text, -2))
        raise refusal(fault, token)
    return weight


def share_in(token: Token, text: str, *, above: int) -> float:
    """Return as a weight the percentage, at least `above` and at most 100, that `text` is."""
    share = number_in(token, text)
    # Shifted in decimal, 33.3 becomes 0.333; divided by 100 it would be 0.33299999999999996.
    weight = float(f"{text}e-2")
    _refuse_none(token, text, weight)
    if not above <= share <= 100:
        least = f"from {above}" if above else "above 0"
        fault = Fault(
            f"{visible(str(text))} is no percentage {least} to 100", expected="a weight in percent"
        )
        if share < 1:
            fault.hint = f":{text} or @{_decimal(text, 2)}"
        raise refusal(fault, token)
    return weight


def _refuse_none(token: Token, text: str, weight: float) -> None:
    if weight == 0:
        expected = "a weight above 0; a hand that is not played is left out"
        raise refusal(Fault(f"the weight {visible(str(text))} is none", expected=expected), token)


def _decimal(text: str, shift: int) -> str:
    """Return a decimal number with its point moved by `shift` places."""
    return np.format_float_positional(float(f"{text}e{shift}"), trim="-")


def percentage_in(token: Token, text: str, *, zero: bool) -> Fraction:
    """Return the percentage, at most 100, that `text` within `token` is; 0 only if `zero`."""
    digits = text.lower().removeprefix("top").strip(BLANKS).rstrip("%")
    number = number_in(token, digits)
    if number > 100 or (number == 0 and not zero):
        problem = f"{visible(str(token))} is no share of all hands"
        raise refusal(Fault(problem, expected="a percentage above 0 and at most 100"), token)
    return Fraction(digits)

"""The long way from text to weights: the parser built from ``grammar.lark``.

The parser is built when a text first needs it (25 ms, and 35 ms to import lark) and kept. It
computes as it goes: each rule of the grammar has its meaning below, from weights to weights,
so no tree is built, and memory does not grow with the text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from lark import Lark, Token, Transformer, UnexpectedInput
from lark import v_args as with_arguments

from holdem.cards import RANKS
from holdem.errors import visible
from holdem.ranges import hands
from holdem.ranges.combos import COMBO_COUNT
from holdem.ranges.faults import Fault
from holdem.ranges.hands import Mask
from holdem.ranges.numbers import (
    Refused,
    number_in,
    percentage_in,
    refusal,
    share_in,
    weight_in,
)
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
from holdem.ranges.syntax import depth_exceeded, syntax_error
from holdem.values import STANDARD, RuleSet

GRAMMAR_FILE = "grammar.lark"
# By whether the number could be a hand: 22(AK) may be the pair, with its comma forgotten.
_FACTOR_HINTS = {False: "{0}%(", True: "{0}%( for a weight, {0},( for a hand"}


def read_any(text: str, rules: RuleSet = STANDARD) -> Reading:
    """Read any text of the range language, whose length is checked.

    Args:
        text: the text.
        rules: in whose deck and order it is read. What has no end is not cut at the deck's.

    Raises:
        RangeError: with the offending part underlined.
    """
    body = text.lstrip(BLANKS)
    offset = len(text) - len(body)
    too_deep = depth_exceeded(text, MAX_DEPTH)
    if too_deep is not None:
        fault = Fault("brackets are too deep", expected=f"at most {MAX_DEPTH} levels of brackets")
        raise fault.at(text, too_deep, too_deep + 1)
    parser = _parser(rules)
    try:
        part: _Part = parser.parse(body)  # type: ignore[assignment]
    except Refused as refused:
        error = refused.fault.at(text, refused.start + offset, refused.end + offset)
    except UnexpectedInput as unexpected:
        error = syntax_error(text, offset, unexpected)
    else:
        return finished(part.weights, part.remarks)
    raise error


@cache
def _parser(rules: RuleSet) -> Lark:
    grammar = resources.files(__package__).joinpath(GRAMMAR_FILE).read_text(encoding="utf-8")
    # Neither `cache=True`, which unpickles from a directory that all users share, nor the
    # standalone form, a generated file: building takes 25 ms, once.
    return Lark(grammar, parser="lalr", maybe_placeholders=False, transformer=_Meaning(rules))


# --- what the rules mean --------------------------------------------------------------------


class _Part(NamedTuple):
    """The meaning of a part of a text. Whoever gets it may write to what is in it."""

    weights: Weights
    remarks: dict[Remark, None]  # a set that keeps the order of the text


def _held(mask: Mask, *remarks: Remark) -> _Part:
    return _Part(mask.astype(np.float64), dict.fromkeys(remarks))


def _meaning_of(find: Callable[..., Mask], first: Token, last: Token, *texts: str) -> Mask:
    try:
        return find(*texts)
    except Fault as fault:
        raise refusal(fault, first, last) from None


@with_arguments(inline=True)
class _Meaning(Transformer[Token, _Part]):
    """Each rule's meaning; the grammar says which text each stands for."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.rules = rules

    def start(self, union: _Part | None = None, *_: Token) -> _Part:
        return union or _Part(np.zeros(COMBO_COUNT), {})

    def union(self, union: _Part, _: Token, item: _Part) -> _Part:
        np.maximum(union.weights, item.weights, out=union.weights)
        return _joined(union, item)

    def tag(self, _: Token) -> _Part:
        return _Part(np.zeros(COMBO_COUNT), {})

    def weighted(self, factor: Token, _: Token, union: _Part, __: Token) -> _Part:
        text = factor.rstrip(BLANKS)
        if text.endswith("%"):
            return _times(union, share_in(factor, text[:-1], above=0), factor)
        return _times(
            union, weight_in(factor, text, hint=_FACTOR_HINTS[set(text) <= set("23456789")]), factor
        )

    def bracketed(
        self, _: Token, number: Token, __: Token, union: _Part, ___: Token, end: Token, ____: Token
    ) -> _Part:
        weight = share_in(number, number, above=0)
        if number_in(end, end) != number_in(number, number):
            problem = f"{visible(f'[{number}]')} is closed by {visible(f'[/{end}]')}"
            raise refusal(Fault(problem, expected=f"[/{number}]", hint=f"[/{number}]"), end)
        return _times(union, weight, number)

    def weighted_by(self, part: _Part, _: Token, number: Token) -> _Part:
        return _times(part, weight_in(number, number, hint="@{0} or :{1}"), number)

    def shared_by(self, part: _Part, _: Token, number: Token, __: Token | None = None) -> _Part:
        return _times(part, share_in(number, number, above=1), number)

    def without(self, part: _Part, _: Token, other: _Part) -> _Part:
        np.copyto(part.weights, 0.0, where=other.weights > 0)
        return _joined(part, other)

    def common(self, part: _Part, _: Token, other: _Part) -> _Part:
        np.minimum(part.weights, other.weights, out=part.weights)
        return _joined(part, other)

    def group(self, _: Token, union: _Part, __: Token) -> _Part:
        return union

    def any(self, _: Token) -> _Part:
        return _Part(np.ones(COMBO_COUNT), {})

    def percent(self, token: Token) -> _Part:
        return _held(strongest(percentage_in(token, token, zero=False), self.rules))

    def percent_span(self, token: Token) -> _Part:
        low, high = (percentage_in(token, part, zero=True) for part in token.split("-"))
        if low >= high:
            hint = "-".join(part.strip(BLANKS) for part in reversed(token.split("-")))
            problem = f"{visible(str(token))} holds no hand"
            expected = "the smaller percentage first"
            raise refusal(
                Fault(problem, expected=expected, hint=hint if low > high else None), token
            )
        mask = strongest(high, self.rules)
        return _held(mask & ~strongest(low, self.rules) if low else mask)

    def hand(self, hand: Token) -> _Part:
        _check_ranks(self.rules, hand)
        return _held(_meaning_of(hands.alone, hand, hand, hand), *_apart_remarks(hand))

    def upward(self, hand: Token, plus: Token) -> _Part:
        _check_ranks(self.rules, hand, upward=True)
        mask = _meaning_of(hands.upward, hand, plus, hand)
        remark = climb_remark(str(hand))
        return _held(mask, *([remark] if remark else []))

    def downward(self, hand: Token, minus: Token) -> _Part:
        _check_ranks(self.rules, hand)
        return _held(_meaning_of(hands.downward, hand, minus, hand))

    def dash(self, hand: Token, dash: Token, other: Token) -> _Part:
        _check_ranks(self.rules, hand)
        _check_ranks(self.rules, other)
        try:
            return _held(hands.dash(hand, other))
        except Fault as fault:
            if dash[-1] in BLANKS and dash[0] == "-" and not fault.hint:
                fault.hint = f"{hand}-, {other} is two items"
            raise refusal(fault, hand, other) from None


def _times(part: _Part, weight: float, token: Token) -> _Part:
    if weight == 1.0:
        return part
    held = part.weights > 0
    np.multiply(part.weights, weight, out=part.weights)
    if not (part.weights[held] > 0).all():
        problem = "the weights here multiply to less than any number above 0"
        raise refusal(Fault(problem), token)
    return part


def _check_ranks(rules: RuleSet, hand: Token, *, upward: bool = False) -> None:
    """Refuse a hand that names a rank below those of the deck.

    `upward` says that a ``+`` follows: then what was meant may be all that the deck has.
    """
    lowest = RANKS[rules.lowest_rank]
    if not any(rank in hand for rank in RANKS[: rules.lowest_rank]):
        return
    hint = None
    if upward and len(hand) <= 3 and hand[0].upper() == hand[1].upper():
        hint = f"{lowest}{lowest}+"
    elif upward and len(hand) <= 3 and hand[0].upper() in RANKS[rules.lowest_rank + 1 :]:
        hint = f"{hand[0].upper()}{lowest}{hand[2:]}+"
    problem = f"{visible(str(hand))} is not in the deck of {rules.name} rules ({rules.deck_text})"
    raise refusal(Fault(problem, expected=f"ranks from {lowest} up", hint=hint), hand)


def _joined(part: _Part, other: _Part) -> _Part:
    part.remarks.update(other.remarks)
    return part


def _apart_remarks(hand: Token) -> list[Remark]:
    """Return what to remark of ``Ax Kx``: with the blank it could be two classes as well."""
    words = hand.split()
    if len(words) == 2 and all(word[-1] in "xX" for word in words):
        return [
            Remark(" ".join(words), "apart", ", ".join(f"{word[:-1].upper()}X" for word in words))
        ]
    return []

"""Parser for the full range language, built from ``grammar.lark``.

The parser is built when a text first needs it (25 ms, and 35 ms to import lark). It evaluates
each rule of the grammar as soon as the rule matches, so that no tree is built and memory does
not grow with the text.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from types import TracebackType
from typing import NamedTuple

import numpy as np
from lark import Lark, Token, Transformer, UnexpectedInput
from lark import v_args as with_arguments

from holdem.cards import RANKS
from holdem.errors import RangeError, quoted
from holdem.ranges.combos import COMBO_COUNT, Mask
from holdem.ranges.dialects import Ambiguity, connector_ambiguity, spaced_ambiguity
from holdem.ranges.hand_tokens import (
    BLANKS,
    combos_between,
    combos_from,
    combos_of,
    parse_hand,
)
from holdem.ranges.range_errors import located
from holdem.ranges.starting_hands import parse_percentage, strongest
from holdem.ranges.syntax_errors import open_brackets, syntax_error
from holdem.ranges.weights import Weights, parse_number, parse_percent_weight, parse_weight
from holdem.rules import STANDARD, RuleSet

MAX_DEPTH = 50
_GRAMMAR_FILE = "grammar.lark"
# Hints for 50(AK), and for 22(AK), where 22 may be a pair without its comma.
_FACTOR_HINTS = {False: "{0}%(", True: "{0}%( for a weight, {0},( for a hand"}


class Parsed(NamedTuple):
    """The weights and ambiguities of a part of a range text."""

    weights: Weights  # not shared; callers may change them
    ambiguities: dict[Ambiguity, None]  # an ordered set


def parse(text: str, rules: RuleSet = STANDARD) -> Parsed:
    """Parse text in the range language to weights and ambiguities.

    Args:
        text: the text, whose length is not checked.
        rules: the rule set, which defines the ranks that may be named and the percentages.
            Wildcards and open spans are not limited to its deck.

    Raises:
        RangeError: the text is invalid.
    """
    body = text.lstrip(BLANKS)
    offset = len(text) - len(body)
    opened = open_brackets(text, MAX_DEPTH)
    if len(opened) > MAX_DEPTH:
        expected = f"at most {MAX_DEPTH} levels of brackets"
        error = RangeError("brackets are nested too deeply", expected=expected)
        raise located(error, text, opened[-1], opened[-1] + 1)
    try:
        return _parser(rules).parse(body)  # type: ignore[return-value]
    except RangeError as invalid:
        start = offset + (invalid.position or 0)
        error = located(invalid, text, start, start + (invalid.length or 0))
    except UnexpectedInput as unexpected:
        error = syntax_error(text, offset, unexpected)
    raise error


@cache
def _parser(rules: RuleSet) -> Lark:
    grammar = resources.files(__package__).joinpath(_GRAMMAR_FILE).read_text(encoding="utf-8")
    # Lark's own cache is not used: it unpickles files from a directory that all users share.
    return Lark(grammar, parser="lalr", maybe_placeholders=False, transformer=_Evaluation(rules))


class _errors_at:  # noqa: N801 - used as a function
    """Context manager that sets the position of a `RangeError` to a token or a span of tokens."""

    def __init__(self, first: Token, last: Token | None = None) -> None:
        self.first = first
        self.last = last or first

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: object, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, RangeError) and error.position is None:
            assert self.first.start_pos is not None
            assert self.last.start_pos is not None
            error.position = self.first.start_pos
            error.length = self.last.start_pos + len(self.last.rstrip(BLANKS)) - error.position


@with_arguments(inline=True)
class _Evaluation(Transformer[Token, Parsed]):
    """Transformer that evaluates the rules of ``grammar.lark``, which documents their meaning."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.rules = rules
        self.missing_ranks = frozenset(RANKS[: rules.lowest_rank])

    def start(self, union: Parsed | None = None, *_: Token) -> Parsed:
        return union or Parsed(np.zeros(COMBO_COUNT), {})

    def union(self, union: Parsed, _: Token, item: Parsed) -> Parsed:
        np.maximum(union.weights, item.weights, out=union.weights)
        return _joined(union, item)

    def tag(self, _: Token) -> Parsed:
        return Parsed(np.zeros(COMBO_COUNT), {})

    def weighted(self, factor: Token, _: Token, union: Parsed, __: Token) -> Parsed:
        text = factor.rstrip(BLANKS)
        with _errors_at(factor):
            if text.endswith("%"):
                return _times(union, parse_percent_weight(text[:-1], lowest=0))
            hint = _FACTOR_HINTS[set(text) <= set("23456789")]
            return _times(union, parse_weight(text, hint=hint))

    def bracketed(
        self, _: Token, number: Token, __: Token, union: Parsed, ___: Token, end: Token, ____: Token
    ) -> Parsed:
        with _errors_at(number):
            weight = parse_percent_weight(number, lowest=0)
        with _errors_at(end):
            if parse_number(end) != parse_number(number):
                problem = f"{quoted(f'[{number}]')} is closed by {quoted(f'[/{end}]')}"
                raise RangeError(problem, expected=f"[/{number}]", hint=f"[/{number}]")
        with _errors_at(number):
            return _times(union, weight)

    def weighted_by(self, part: Parsed, _: Token, number: Token) -> Parsed:
        with _errors_at(number):
            return _times(part, parse_weight(number, hint="@{0} or :{1}"))

    def shared_by(self, part: Parsed, _: Token, number: Token, __: Token | None = None) -> Parsed:
        with _errors_at(number):
            return _times(part, parse_percent_weight(number, lowest=1))

    def without(self, part: Parsed, _: Token, other: Parsed) -> Parsed:
        np.copyto(part.weights, 0.0, where=other.weights > 0)
        return _joined(part, other)

    def common(self, part: Parsed, _: Token, other: Parsed) -> Parsed:
        np.minimum(part.weights, other.weights, out=part.weights)
        return _joined(part, other)

    def group(self, _: Token, union: Parsed, __: Token) -> Parsed:
        return union

    def any(self, _: Token) -> Parsed:
        return Parsed(np.ones(COMBO_COUNT), {})

    def percent(self, token: Token) -> Parsed:
        with _errors_at(token):
            return _with_weight_1(strongest(parse_percentage(token), self.rules))

    def percent_span(self, token: Token) -> Parsed:
        with _errors_at(token):
            low, high = (parse_percentage(part, zero=True) for part in token.split("-"))
            if low >= high:
                hint = "-".join(part.strip(BLANKS) for part in reversed(token.split("-")))
                problem = f"{quoted(token)} is an empty range"
                expected = "the smaller percentage first"
                raise RangeError(problem, expected=expected, hint=hint if low > high else None)
        mask = strongest(high, self.rules)
        return _with_weight_1(mask & ~strongest(low, self.rules) if low else mask)

    def hand(self, token: Token) -> Parsed:
        with _errors_at(token):
            self._check_ranks(token)
            return _with_weight_1(combos_of(parse_hand(token)), spaced_ambiguity(token))

    def upward(self, token: Token, plus: Token) -> Parsed:
        with _errors_at(token):
            self._check_ranks(token, upward=True)
        with _errors_at(token, plus):
            hand = parse_hand(token)
            return _with_weight_1(combos_from(hand, "+"), connector_ambiguity(hand))

    def downward(self, token: Token, minus: Token) -> Parsed:
        with _errors_at(token):
            self._check_ranks(token)
        with _errors_at(token, minus):
            return _with_weight_1(combos_from(parse_hand(token), "-"))

    def dash(self, token: Token, dash: Token, other: Token) -> Parsed:
        with _errors_at(token):
            self._check_ranks(token)
        with _errors_at(other):
            self._check_ranks(other)
        with _errors_at(token, other):
            try:
                return _with_weight_1(combos_between(parse_hand(token), parse_hand(other)))
            except RangeError as error:
                if dash[-1] in BLANKS and dash[0] == "-" and not error.hint:
                    error.hint = f"{token}-, {other} is two items"
                raise

    def _check_ranks(self, hand: Token, *, upward: bool = False) -> None:
        """Raise `RangeError` if a hand has a rank that is not in the deck.

        If `upward`, a ``+`` follows, and the hint starts the span at the deck's lowest rank.
        """
        if self.missing_ranks.isdisjoint(hand):
            return
        rules, hint = self.rules, None
        lowest = RANKS[rules.lowest_rank]
        if upward and len(hand) <= 3 and hand[0].upper() == hand[1].upper():
            hint = f"{lowest}{lowest}+"
        elif upward and len(hand) <= 3 and hand[0].upper() in RANKS[rules.lowest_rank + 1 :]:
            hint = f"{hand[0].upper()}{lowest}{hand[2:]}+"
        problem = f"{quoted(hand)} is not in the deck of {rules.name} rules ({rules.deck_text})"
        raise RangeError(problem, expected=f"ranks from {lowest} up", hint=hint)


def _with_weight_1(mask: Mask, ambiguity: Ambiguity | None = None) -> Parsed:
    return Parsed(mask.astype(np.float64), {ambiguity: None} if ambiguity else {})


def _times(part: Parsed, weight: float) -> Parsed:
    if weight == 1.0:
        return part
    held = part.weights > 0
    np.multiply(part.weights, weight, out=part.weights)
    if not (part.weights[held] > 0).all():
        raise RangeError("the product of these weights is too small: it rounds to 0")
    return part


def _joined(part: Parsed, other: Parsed) -> Parsed:
    part.ambiguities.update(other.ambiguities)
    return part

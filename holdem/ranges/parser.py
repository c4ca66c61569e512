"""Recursive-descent parser of range strings.

Five examples:

    22+, A5s-A2s, KTs+, AhKd      0.4(AK, QQ)      [50]AA,KK[/50]      top 15% ! 22      [Ah Kd]

A range is a union of items, separated by commas, semicolons or blanks. A combo that is in several
items gets the largest weight. One separator may follow the last item. Blanks are allowed inside
brackets, around ``! & : = @`` and a dash, after ``top``, and between a weight and its bracket.
A percentage and a hand with only blanks between them, such as ``AKs 50%``, are refused, since other
tools read a weight; ``AKs top 50%`` is a union. Letters other than suit variables may be upper or
lower case. Each method parses one form and documents it; `holdem.ranges.hand_tokens` defines the
hands.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from holdem.advice import advise
from holdem.cards import RANKS, read_only
from holdem.errors import RangeError, quoted
from holdem.ranges import range_messages as messages
from holdem.ranges.combos import COMBO_COUNT, combos_in_deck
from holdem.ranges.hand_tokens import BLANKS, combos_between, combos_from, combos_of, parse_hand
from holdem.ranges.names import NAME, NamedRange, find_range
from holdem.ranges.weights import (
    SMALLEST,
    Held,
    Weights,
    held_combos,
    parse_number,
    parse_percent_weight,
    parse_weight,
)
from holdem.rules import STANDARD, RuleSet

if TYPE_CHECKING:
    from fractions import Fraction

MAX_LENGTH = 1 << 19  # more than `str` of any range, 1,326 combos with weights of 322 digits
_MAX_ADVISED = 200  # characters of a string that advice is looked for
MAX_DEPTH = 50  # of brackets, also around names and in their texts
_LEVELS = f"at most {MAX_DEPTH} levels of brackets and names"

#: The numbers of combos, or of a single one, and either their common weight or one for each.
Part: TypeAlias = tuple[Held | int, float | Weights]

_ONE = 1.0  # recognised by identity: the weight of a hand without one
_ALL: Held = np.arange(COMBO_COUNT)
_NONE: Held = _ALL[:0]

# Hints for 50(AK), and for 22(AK), where 22 may be a pair without its comma.
_FACTOR_HINTS = {False: "{0}%(", True: "{0}%( for a weight, {0},( for a hand"}

# --- tokens ---
#
# A hand with its sign is one token, and most hands are one with the comma or colon after them,
# so that reading takes few steps. (?>…) finds one hand and keeps to it.

_B = "[ \t\r\n]*"
_RANK = "(?:[2-9TJQKAtjqka]|10)"
_ANY_RANK = "(?:[2-9TJQKAtjqkaXx*]|10)"
_SUITS = "cdhsCDHS♣♦♥♠♧♢♡♤"
_CARD = f"{_ANY_RANK}(?:[{_SUITS}][\ufe0e\ufe0f]?|[wxyz])"
# "As Ks" unless the second card begins another hand, as in "Ax KsQs".
_APART = f"{_CARD}[ \t\r\n]+{_CARD}(?!{_ANY_RANK}[{_SUITS}wxyz])"
# A hand as a hand history has it. A number in brackets is a weight.
_KNOWN = f"{_RANK}[{_SUITS}][\ufe0e\ufe0f]?"
_HISTORY_HAND = rf"\[{_B}{_KNOWN}[{BLANKS},;]*{_KNOWN}{_B}\]"
_HAND = f"(?>{_APART}|{_CARD}{_CARD}|{_CARD}[Xx*]|{_ANY_RANK}{{2}}[soSO]?)"
_DASHES = dict.fromkeys(map(ord, "–—−‐‑‒"), "-")  # which word processors put for a minus
_DASH = rf"{_B}-{_B}(?=[2-9TJQKAtjqka1Xx*])"  # a minus before the start of a hand
_MINUS = rf"{_B}-(?={_B}(?:[,;)!&:=@\[]|\Z))"
_END = rf"(?=[{BLANKS},;()\[\]!&:=@#]|\Z)"
_NUMBER = r"(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)"

_PLAIN = rf"(?:{_RANK}{{2}}[soSO]?|(?:{_RANK}[cdhsCDHS]){{2}})"
_AFTER_PLAIN = rf"{_B}(?:(?P<sign>[,;!&:=@]|(?<=[{BLANKS}])(?={_RANK})){_B}|\Z)"
_PLAIN_HAND = rf"(?P<plain>{_PLAIN}(?:\+|-{_PLAIN})?){_AFTER_PLAIN}"
_FACTOR = rf"(?P<factor>{_NUMBER}%?){_B}\({_B}"
_OTHER_TERM = (
    rf"{_HAND}(?:(?P<run>{_DASH})|(?P<hand>\+|{_MINUS}|){_END})"
    rf"|(?P<name>@{NAME.pattern}){_END}"
    rf"|(?P<any>(?i:random|any)|\?{{4}}|\?\?|\.{{4}}|\*){_END}"
    rf"|(?P<percent>{_NUMBER}%{_B}-{_B}{_NUMBER}%|(?:(?i:top){_B})?{_NUMBER}%)"
    rf"|(?P<group>\({_B})"
    rf"|(?P<cards>{_HISTORY_HAND}){_END}"
)
_ITEM = re.compile(rf"{_PLAIN_HAND}|{_FACTOR}|{_OTHER_TERM}|(?P<share>\[{_B})|(?P<tag>#[^#]*#)")
_TERM = re.compile(f"{_PLAIN_HAND}|{_OTHER_TERM}")
_ONE_HAND = re.compile(_HAND)
_LAST_HAND = re.compile(_HAND + _END)
_SIGN = re.compile(rf"{_B}(\)|(?:[,;!&:=@]|\[{_B}/){_B})?")
_TWO_CARDS = re.compile(rf"(?:{_KNOWN}{_B}[,;]{_B}{_KNOWN})")
_ONE_NUMBER = re.compile(_NUMBER)
_SHARE_END = re.compile(rf"{_B}(?:%{_B})?(?:(\]){_B})?")
_BARE_PERCENT = re.compile(rf"[({BLANKS}]*({_NUMBER})%[){BLANKS}]*")
# Two numbers that may be one with a decimal comma, as in 33,3%, and are no weight or span.
_DECIMAL_COMMA = re.compile(r"(?:\A|[^0-9A-Za-z.,%-])([0-9]{1,2}),(?!100%)[0-9]+%[^-]*\Z")
# A weight with digits that are no hand, as in AKs:0,55, or are one decimal, as in AKs@33,3%.
_DECIMALS = re.compile(rf"0,[0-9]+(?![0-9.]|{_B}[:=@+!&\-soSO])")
_SHARE_DECIMALS = re.compile(rf"{_DECIMALS.pattern}|[0-9]{{1,2}},[0-9]%(?!{_B}[:=@!&(\-])")
# What may follow a percentage or a hand in an item, once the blanks are removed.
_CLOSING = re.compile(rf"(?:\)|\[/[^\[\]]*\]|[:=@]{_NUMBER}%?)*\Z")
# Digits that may be a weight in percent, as in AKs 25, and are not from a list such as T9 98 87.
_DIGITS = frozenset("23456789")
_LIKE_PERCENT = frozenset(a + b for a in _DIGITS for b in _DIGITS if a < b or a > b == "5")
_TWO_DIGITS = re.compile(f"[2-9]{{2}}{_END}")

_SEPARATORS = frozenset(",; ")
_NO_SIGNS = str.maketrans(",;", "  ")
_PLAIN_KINDS = frozenset(("sign", "plain"))


class Reading(NamedTuple):
    """The weights, warnings and expanded text that result from reading a range string."""

    weights: Weights
    """``float64 (combo,)``, 0..1, read-only."""

    warnings: tuple[str, ...]
    """Messages of warnings about tokens that other tools read differently, and about hands that a
    weight of 0 leaves out."""

    text: str
    """The string, with each range name replaced by the text of that range."""


def read(text: str, rules: RuleSet = STANDARD, against: int = 1) -> Reading:
    """Parse a range string into combo weights and warnings, which the caller should issue.

    Ranks that are not in the deck of the rule set cannot be named; other tokens, such as ``random``
    and ``88-``, stand for combos of the deck only. Percentages go down the hands in the order of
    their equity against so many random hands.
    """
    parser = _Parser(text, rules, against)
    try:
        weights = parser.parse()
        expanded = parser.expanded() if parser.named else text
    except RangeError as error:
        start, end = parser.at, parser.end  # of the token whose meaning is wrong
        if error.position is not None:
            start, end = error.position, error.position + (error.length or 0)
        if len(text) <= _MAX_ADVISED:
            error.hint = advise(text, lambda changed: _is_valid(changed, rules)) or error.hint
        raise messages.located(error, text, start, end) from None
    if rules.lowest_rank:
        weights = np.where(combos_in_deck(rules), weights, 0.0)
    if parser.spans:
        parser.ambiguities |= dict.fromkeys(parser.gaps())
    notes = messages.dialect_warnings(parser.ambiguities)
    if parser.left_out:
        without = np.zeros(COMBO_COUNT, dtype=np.bool_)
        for combos in parser.left_out:
            without[combos] = True
        if count := int((without & (weights == 0)).sum()):
            notes += (messages.left_out_note(count),)
    return Reading(read_only(weights), notes, expanded)


def _is_valid(text: str, rules: RuleSet) -> bool:
    try:
        _Parser(text, rules).parse()
    except RangeError:
        return False
    return True


class _Parser:
    """Parser of one range string."""

    def __init__(
        self,
        text: str,
        rules: RuleSet,
        against: int = 1,
        outer: _Parser | None = None,
        name: str = "",
    ) -> None:
        self.length = len(text)
        self.text = text.rstrip(BLANKS)
        if not text.isascii():
            self.text = self.text.translate(_DASHES)
        self.rules, self.against = rules, against
        self.missing_ranks = RANKS[: rules.lowest_rank]
        # The index of the token to read next or, while a token is evaluated, its start.
        self.at = len(self.text) - len(self.text.lstrip(BLANKS))
        self.end = self.at  # after the last operand or number
        # The first character of the sign before `at`: a separator, an operator such as ``!`` or
        # ``:``, or a closing bracket; a blank if there are only blanks, empty if there is nothing.
        self.sign = ""
        self.complete = False  # whether no weight, ``!`` or ``&`` can follow the last item
        self.opened: list[messages.Bracket] = []  # outermost first
        self.has_percent = "%" in self.text
        # The last item besides tags, if only blanks and tags follow it.
        self.before: messages.Item | None = None
        self.ambiguities: dict[messages.Ambiguity, None] = {}  # in order
        # By percentage, such as ``15%`` or ``16%-50%``, its bounds.
        self.spans: dict[str, tuple[Fraction | int, Fraction]] = {}
        self.left_out: list[Held | int] = []  # combos with a weight of 0, by mention
        # If this is the text of a named range, the full names of the ranges around and of this one.
        self.within: tuple[str, ...] = (*outer.within, name) if outer else ()
        # The number of names and open brackets around this text.
        self.depth: int = outer.depth + len(outer.opened) + 1 if outer else 0
        # Weights and expanded texts of named ranges, by full name. Two names in each text would
        # otherwise take twice the time at each level.
        self.read_before: dict[str, tuple[Weights, str]] = outer.read_before if outer else {}
        # The start and end of each range name in `text`, and the text of the range.
        self.named: list[tuple[int, int, str]] = []

    def parse(self) -> Weights:
        """Parse the complete string into weights, ``float64 (combo,)``."""
        if self.length > MAX_LENGTH:
            problem = f"a range of {self.length:,} characters is too long"
            expected = f"at most {MAX_LENGTH:,} characters"
            raise messages.error_at(MAX_LENGTH, MAX_LENGTH + 1, problem, expected)
        if self.at == len(self.text):
            return np.zeros(COMBO_COUNT)
        if _TWO_CARDS.fullmatch(self.text, self.at):  # "Ah, Kd" is no range of single cards
            self.end = len(self.text)
            return _array((self._known_hand(), _ONE))
        weights = self._union()
        if self.at < len(self.text) or self.sign not in ("", ",", ";"):
            raise self._sign_error()
        return weights

    def _union(self) -> Weights:
        """Parse items, such as ``22+, A5s-A2s; AhKd KQ``, up to a sign that is not a separator.

        A combo gets its largest weight in any item, ``float64 (combo,)``.
        """
        weights = np.zeros(COMBO_COUNT)
        before = None
        while True:
            start = self.at
            combos, weight = self._item()
            if weight is not _ONE:
                weight = np.maximum(weights[combos], weight)
            weights[combos] = weight
            if before or self.sign == " ":
                item = before
                if self.text[start] != "#":
                    item = messages.Item(self.text[start : self.end], self.complete)
                    if before:
                        self._compare(before, item, start)
                before = item if self.sign == " " else None
            self.before = before
            if self.sign not in _SEPARATORS or (self.at == len(self.text) and not self.opened):
                return weights

    def _compare(self, before: messages.Item, item: messages.Item, start: int) -> None:
        """Raise `RangeError` if one of two items may be a weight of the other, as in ``AKs 50%``.

        The second begins at index `start`, with only blanks and tags before it.
        """
        if self.has_percent:
            for share, hand, end in ((item, before, self.end), (before, item, start)):
                number = _BARE_PERCENT.fullmatch(share.text)
                if number and not _is_share(hand.text):
                    at = self.text.rindex(share.text, 0, end)
                    problem = f"{quoted(share.text)} is beside a hand, and may be its weight"
                    hint = messages.percent_readings(hand, number[1], after=share is item)
                    raise messages.error_at(at, at + len(share.text), problem, hint=hint)
        if (
            item.text in _LIKE_PERCENT
            and not (before.is_weighted or _DIGITS.issuperset(before.text))
            # Two such numbers in a row are no weights.
            and not (self.sign == " " and _TWO_DIGITS.match(self.text, self.at))
        ):
            self.ambiguities[messages.number_ambiguity(before.text, item.text)] = None

    def _item(self) -> Part:
        """Parse an item: terms joined by ``!`` and ``&``, left to right, and any weight after them.

        ``a!b`` removes the combos of b from a, whatever their weight; ``a&b`` is the intersection,
        with the smaller weight. ``AKs:0.5`` and ``AKs=0.5`` give a weight, and ``AKs@50`` and
        ``AKs@50%`` give it in percent. None of this can follow a weighted group or a tag.
        """
        part = self._operand(_ITEM)
        while not self.complete and self.sign in ("!", "&"):
            sign, weights = self.sign, _array(part)
            other = self._operand(_TERM)
            if sign == "!":
                weights[other[0]] = 0.0
            else:
                np.minimum(weights, _array(other), out=weights)
            part = _part(weights)
        if not self.complete and self.sign in (":", "=", "@"):
            number = self._number()
            if self.sign == "@":
                weight = parse_percent_weight(number, lowest=1)
            elif self.text.startswith("%", self.end):
                raise messages.percent_weight_error(self.text, self.at, self.end)
            else:
                hand = messages.hand_before(self.text, self.at)
                weight = parse_weight(
                    number, hint=f"for {{0}} %, write {hand}@{{0}} or {hand}:{{1}}"
                )
            decimals = _SHARE_DECIMALS if self.sign == "@" else _DECIMALS
            if match := decimals.match(self.text, self.at):
                raise self._comma_error(self.at, match.end())
            part = self._times(part, weight, self.at, self.end)
            if self.sign == "@" and self.text.startswith("%", self.end):
                self.end += 1
            self._read_sign()
            self.complete = True
        return part

    def _operand(self, forms: re.Pattern[str]) -> Part:
        """Parse an operand, without a weight after it, and the sign that follows.

        `forms`, `_ITEM` or `_TERM`, is the pattern of the operands that are valid here.
        """
        match = forms.match(self.text, self.at)
        if match is None:
            hand = _ONE_HAND.match(self.text, self.at)
            at = hand.end() if hand else self.at  # AKQ: the word around the Q
            before = self.before if self.sign == " " else None
            raise messages.operand_error(self.text, at, self.opened, self.sign, before)
        kind, self.end = match.lastgroup, match.end()
        plain = kind in _PLAIN_KINDS
        if plain:
            self.end = match.end(1)
        elif kind == "run":
            last = _LAST_HAND.match(self.text, self.end)
            if last is None:
                raise messages.operand_error(self.text, self.end, self.opened, "-")
            self.end = last.end()
        elif kind != "hand":
            return self._other_operand(match)
        token = self.text[self.at : self.end]
        if self.missing_ranks:  # here too: for the full deck, a call would be one in ten
            self._require_ranks(token)
        combos, ambiguity = _hands(token)
        if ambiguity and set(self.missing_ranks).isdisjoint(ambiguity.other):
            self.ambiguities[ambiguity] = None
        self.complete = False
        if plain:
            self.at, self.sign = match.end(), match[2] or (" " if kind == "sign" else "")
        else:
            self._read_sign()
        return combos, _ONE

    def _other_operand(self, match: re.Match[str]) -> Part:
        """Parse a name, a percentage, a group or the like, and the sign that follows.

        `match` is the match at the operand's start. A tag, ``#a note#``, has no combos.
        """
        kind = match.lastgroup
        part: Part = _NONE, _ONE
        first = _DECIMAL_COMMA.search(self.text[max(0, self.at - 4) : match.end()])
        if first and not self.complete:  # no weight is before it
            end = self.text.index("%", self.at) + 1
            raise self._comma_error(self.at - len(first[1]) - 1, end)
        if kind == "any":
            part = _ALL, _ONE
        elif kind == "name":
            part = self._named_range(match["name"])
        elif kind == "percent":
            part = self._strongest(match[0]), _ONE
        elif kind == "cards":
            part = self._known_hand(), _ONE
        elif kind == "group":
            start, self.at = match.span()
            part = self._group(start, ")")
        elif kind == "factor":
            part = self._weighted_group(match)
        elif kind == "share":
            part = self._share_group(match)
        self.complete = kind in ("factor", "share", "tag")
        self._read_sign()
        return part

    def _known_hand(self) -> Held | int:
        """Parse two cards such as ``[Ah, Kd]``, from `at` to `end`; return their combo number."""
        token = "".join(self.text[self.at : self.end].strip("[]").translate(_NO_SIGNS).split())
        self._require_ranks(token)
        return _hands(token)[0]

    def _named_range(self, token: str) -> Part:
        """Find the combos of a named range, such as ``@utg-open`` or ``@plugin/utg-open``."""
        found = find_range(token[1:], *self.within[-1:])
        text, weights = found.text, found.weights
        if weights is None:
            weights, text = self.read_before.get(found.full_name) or self._read_named(token, found)
        elif self.missing_ranks and (weights[~combos_in_deck(self.rules)] > 0).any():
            problem = f"the range {quoted(token)} has hands that are not in the deck of"
            raise RangeError(f"{problem} {self.rules.name} rules ({self.rules.deck_text})")
        self.named.append((self.at, self.end, text))
        return _part(weights)

    def _read_named(self, token: str, found: NamedRange) -> tuple[Weights, str]:
        """Parse the text of a named range into weights and the text without names."""
        if found.full_name in self.within:
            raise RangeError(f"the range {quoted(token)} is part of itself")
        parser = _Parser(found.text, self.rules, self.against, self, found.full_name)
        try:
            if parser.depth > MAX_DEPTH:
                raise RangeError("names of ranges are nested too deeply", expected=_LEVELS)
            read = parser.parse(), parser.expanded()
        except RangeError as error:
            problem = f"the range {quoted(token)} of {found.origin}: {error}"
            if error.expected == _LEVELS:  # not with the names of all levels
                problem = str(error)
            elif error.position is not None:
                problem += f" (in {quoted(found.text)})"
            raise RangeError(problem, expected=error.expected) from error
        self.ambiguities |= parser.ambiguities
        self.left_out += parser.left_out
        self.read_before[found.full_name] = read
        return read

    def expanded(self) -> str:
        """Build the string with each range name replaced by the text of that range."""
        parts, at = [], 0
        for start, end, named in self.named:
            is_all = end == len(self.text) and not self.text[:start].strip(BLANKS)
            parts += (
                [self.text[at:start], named] if is_all else [self.text[at:start], "(", named, ")"]
            )
            at = end
        length = sum(map(len, parts)) + len(self.text) - at  # joined, it may not fit in memory
        if length > MAX_LENGTH:
            start, end, _ = self.named[0]
            problem = f"with the ranges that it names, the text has {length:,} characters"
            raise messages.error_at(start, end, problem, f"at most {MAX_LENGTH:,}")
        return "".join(parts) + self.text[at:]

    def _strongest(self, token: str) -> Held:
        """Find the combos that a percentage such as ``top 15%`` or ``5%-10%`` stands for."""
        from holdem.ranges.starting_hands import parse_percentage, strongest

        parts = re.split(r"(?<=%)[ \t\r\n]*-", token)  # not at the minus of 5e-1
        if len(parts) == 1:
            most = parse_percentage(token)
            self.spans[token] = 0, most
            return strongest(most, self.rules, self.against).nonzero()[0]
        low, high = parts
        least, most = parse_percentage(low, zero=True), parse_percentage(high, zero=True)
        if least == 1:  # as in ProPokerTools, which counts from 1
            least -= 1
        self.spans[token] = least, most
        if least >= most:
            hint = f"{high.strip(BLANKS)}-{low.strip(BLANKS)}" if least > most else None
            problem = f"{quoted(token)} is an empty range"
            raise RangeError(problem, expected="the smaller percentage first", hint=hint)
        mask = strongest(most, self.rules, self.against)
        if least:
            mask = mask & ~strongest(least, self.rules, self.against)
        return mask.nonzero()[0]

    def gaps(self) -> Iterator[messages.Ambiguity]:
        """Find the spans of hands that begin 1 % after another ends, as in ``15%, 16%-50%``."""
        ordered = sorted(self.spans.values())
        highs = [high for _, high in ordered]
        ends, furthest = set(highs), list(accumulate(highs, max))
        for token, (least, most) in self.spans.items():
            if least - 1 in ends and furthest[bisect_left(ordered, (least,)) - 1] < least:
                yield messages.gap_ambiguity(token, least, most)

    # --- brackets and weights ---

    def _group(self, start: int, closing: str) -> Part:
        """Parse a group from `at` up to the text `closing`, such as ``)`` or ``[/50]``.

        `start` is the index of the opening bracket.
        """
        if self.depth + len(self.opened) == MAX_DEPTH:
            problem = "brackets are nested too deeply"
            raise messages.error_at(start, start + 1, problem, _LEVELS)
        self.opened.append(messages.Bracket(start, closing))
        self.sign, self.before = "", None
        weights = self._union()
        if self.sign != closing[0]:
            raise self._sign_error()
        self.opened.pop()
        self.end = self.at
        return _part(weights)

    def _weighted_group(self, match: re.Match[str]) -> Part:
        """Parse a weight and the group it applies to: ``0.4(AK,QQ)`` or ``40%(ATs+)``.

        `match` is the match of the weight, ``factor``, and the opening bracket.
        """
        start, self.end = match.span("factor")
        factor = match["factor"]
        if factor.endswith("%"):
            weight = parse_percent_weight(factor[:-1], lowest=0)
        else:
            weight = parse_weight(factor, hint=_FACTOR_HINTS[_DIGITS.issuperset(factor)])
        self.at = match.end()
        part = self._group(self.text.index("(", start), ")")
        return self._times(part, weight, start, match.end("factor"))

    def _share_group(self, match: re.Match[str]) -> Part:
        """Parse items between two tags with the same weight in percent: ``[50.0]AA,KK[/50]``.

        `match` is the match of the first bracket.
        """
        start, self.at = match.span()
        number = self._number(", or two cards, as in [As Kd]")
        weight, first, end = parse_percent_weight(number, lowest=0), self.at, self.end
        self._read_share_end()
        part = self._times(self._group(start, f"[/{number}]"), weight, first, end)
        last = self._number()
        if parse_number(last) != parse_number(number):
            problem = f"{quoted(f'[{number}]')} is closed by {quoted(f'[/{last}]')}"
            raise RangeError(problem, expected=f"[/{number}]", hint=f"[/{number}]")
        self._read_share_end()
        return part

    def _number(self, others: str = "") -> str:
        """Read the number at index `at`, return its text, and move `end` past it.

        `others` is added to what an error message says is expected.
        """
        match = _ONE_NUMBER.match(self.text, self.at)
        if match is None:
            expected, problem = f"a number, as in 0.5{others}", "is not a number"
            if self.sign == "@" and (name := NAME.match(self.text, self.at)):
                problem = f"{quoted(name[0])} {problem}: @ after a hand is a weight in percent"
                expected = f"{expected}, or a comma before @{name[0]}"
                raise messages.error_at(self.at, name.end(), problem, expected)
            raise messages.syntax_error(self.text, self.at, [], expected, problem)
        self.end = match.end()
        return match[0]

    def _read_share_end(self) -> None:
        match = _SHARE_END.match(self.text, self.end)
        assert match
        if match[1] is None:
            raise messages.syntax_error(self.text, match.end(), [], "']'")
        self.end, self.at = match.end(1), match.end()

    def _times(self, part: Part, weight: float, start: int, end: int) -> Part:
        """Multiply the weights of a part by `weight`, which is at ``text[start:end]``."""
        combos, weights = part
        if weight == 0:
            self.left_out.append(combos)
            return _NONE, _ONE
        if weights is _ONE or weight == 1.0:
            return combos, weight if weights is _ONE else weights
        product = weights * weight
        if np.any(product < SMALLEST):
            problem = f"the product of these weights is below {SMALLEST}, the smallest weight"
            raise messages.error_at(start, end, problem)
        return combos, product

    # --- signs ---

    def _read_sign(self) -> None:
        """Read the sign at index `end` into `sign`; move `at` past it and the blanks around it."""
        match = _SIGN.match(self.text, self.end)
        assert match
        sign, self.at = match[1], match.end()
        self.sign = sign[0] if sign else " " if self.at > self.end else ""

    def _sign_error(self) -> RangeError:
        """Create the error for a sign, or another token, that cannot follow the last item."""
        expected = "a comma" + (f" or '{self.opened[-1].closing}'" if self.opened else "")
        if not self.complete:
            expected += " or a weight (:0.5) or '!' or '&'"
        return messages.sign_error(self.text, self.end, self.opened, expected)

    def _comma_error(self, start: int, end: int) -> RangeError:
        """Create the error for a number with a decimal comma; advice has the hint."""
        problem = f"{quoted(self.text[start:end])} has a comma, which separates hands"
        return messages.error_at(start, end, problem, "a point in a number, as in 12.5%")

    def _require_ranks(self, token: str) -> None:
        """Raise `RangeError` if a token has a rank that is not in the deck."""
        missing = set(self.missing_ranks)
        if missing.isdisjoint(token):
            return
        hand = next(hand for hand in _ONE_HAND.finditer(token) if not missing.isdisjoint(hand[0]))
        text, rules, hint = hand[0], self.rules, None
        lowest = RANKS[rules.lowest_rank]
        if token.endswith("+") and len(text) <= 3:  # the span from the deck's lowest rank up
            if text[0].upper() == text[1].upper():
                hint = f"{lowest}{lowest}+"
            elif text[0].upper() in RANKS[rules.lowest_rank + 1 :]:
                hint = f"{text[0].upper()}{lowest}{text[2:]}+"
        problem = f"{quoted(text)} is not in the deck of {rules.name} rules ({rules.deck_text})"
        start = self.at + hand.start()
        raise messages.error_at(start, start + len(text), problem, f"ranks from {lowest} up", hint)


@lru_cache(maxsize=4096)
def _hands(token: str) -> tuple[Held | int, messages.Ambiguity | None]:
    """Find the combos of a hand, such as ``AKs`` or ``77+``, or of a run of hands.

    A single combo is an int. Also return the ambiguity if other tools read the token differently.
    """
    first, dash, last = token.partition("-")
    hand = parse_hand(first.rstrip("+" + BLANKS))
    if first.endswith("+"):
        return combos_from(hand, "+"), messages.connector_ambiguity(hand)
    if not dash:
        combos = combos_of(hand)
        # Assigning to one index is several times as fast as to an array of one.
        return combos if len(combos) > 1 else int(combos[0]), (
            messages.spaced_ambiguity(first) or messages.wildcard_ambiguity(hand)
        )
    if not last:
        return combos_from(hand, "-"), None
    try:
        return combos_between(hand, parse_hand(last.lstrip(BLANKS))), None
    except RangeError as error:
        if last[0] in BLANKS and first[-1] not in BLANKS and not error.hint:
            error.hint = f"{first}-, {last.strip(BLANKS)} is two items"
        raise


def _is_share(item: str) -> bool:
    """Test whether an item is a percentage, such as ``15%``, ``(top 15%)`` or ``5%-10%:0.5``."""
    return _CLOSING.sub("", "".join(item.split()), count=1).endswith("%")


def _array(part: Part) -> Weights:
    """Expand a `Part` to an array of the weights of all combos, ``float64 (combo,)``."""
    weights = np.zeros(COMBO_COUNT)
    weights[part[0]] = part[1]
    return weights


def _part(weights: Weights) -> Part:
    """Convert weights to a `Part`: the combos with positive weights, and their weights."""
    combos = held_combos(weights)
    return combos, weights[combos]

"""The range language as its grammar defines it, evaluated combo by combo in plain Python.

`range_grammar.lark` decides which strings are ranges. Hands are evaluated by comparing every combo
with a pattern of two cards, so that nothing is shared with the package but the names of combos and
the ranking of starting hands.
"""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path

from lark import Lark, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from holdem.ranges.combos import COMBO_TEXT
from holdem.ranges.starting_hands import starting_hands

RANKS = "23456789TJQKA"
_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", " \t\r\n\ufe0e\ufe0f")


class NoMeaningError(Exception):
    """Raised for a string that the grammar accepts and that has no meaning, such as ``AAs``."""


def evaluate(text):
    """Return the weights of the combos of a range, or None if the string is not a range."""
    text = text.lstrip(" \t\r\n")
    try:
        return _Meaning(text).transform(_grammar().parse(text))
    except UnexpectedInput:
        return None
    except VisitError as error:
        if isinstance(error.orig_exc, NoMeaningError):
            return None
        raise


@cache
def _grammar():
    path = Path(__file__).with_name("range_grammar.lark")
    return Lark(path.read_text(encoding="utf-8"), parser="lalr", propagate_positions=True)


# --- hands ---


def _pattern(token):
    """Return the two cards of a hand as ranks and suits, the higher rank first, and its suit rule.

    The suit rule is ``s``, ``o`` or empty for classes. For cards it is a pair of suits, if one is
    written out; ``None`` stands for the rule that the other card may be any.
    """
    plain = token.translate(_SIGNS).replace("10", "T")
    ranks = {**{char: char.upper() for char in "23456789TJQKAtjqka"}, "x": "X", "X": "X", "*": "*"}
    if len(plain) == 4:
        cards = [(ranks[plain[i]], _suit(plain[i + 1])) for i in (0, 2)]
        cards.sort(key=lambda card: (RANKS.find(card[0]), "cdhs".find(card[1]), card), reverse=True)
        suits = [card[1] for card in cards]
        if any(suit in "cdhs" for suit in suits):
            rule = tuple(suit if suit in "cdhs" else "?" for suit in suits)
        else:
            rule = "s" if suits[0] == suits[1] else "o"
        return [card[0] for card in cards], rule, "cards"
    if len(plain) == 3 and plain[2] in "Xx*":
        suit = _suit(plain[1])
        return [ranks[plain[0]], "*"], (suit if suit in "cdhs" else "?", "?"), "card"
    both = sorted((ranks[plain[0]], ranks[plain[1]]), key=RANKS.find, reverse=True)
    if both[0] == both[1] and both[0] not in "X*" and plain[2:]:
        raise NoMeaningError(token)
    return both, plain[2:].lower(), "class"


def _suit(char):
    return char if char in "wxyz" else char.lower()


@cache
def _combos(first, second, rule, form):
    return {text for text in COMBO_TEXT if _fits(text, first, second, rule, form)}


def _fits(text, first, second, rule, form):
    """Return whether a combo belongs to a hand, in either order of its cards."""
    written = [rank for rank in (first, second) if rank not in "X*"]
    if text[0] == text[2] and form != "card":
        if len(written) == 1 and "X" in (first, second):
            return False
        if form == "class" and rule and len(written) < 2:
            return False
    for one, two in ((text[:2], text[2:]), (text[2:], text[:2])):
        if first not in ("X", "*", one[0]) or second not in ("X", "*", two[0]):
            continue
        if rule in ("s", "o"):
            if (one[1] == two[1]) == (rule == "s"):
                return True
        elif not rule or (rule[0] in ("?", one[1]) and rule[1] in ("?", two[1])):
            return True
    return False


def _hand(token):
    (first, second), rule, form = _pattern(token)
    found = _combos(first, second, rule, form)
    if not found:  # the same card twice
        raise NoMeaningError(token)
    return found


def _open(token, sign):
    """Return the combos of a hand with a plus or a minus."""
    (first, second), rule, form = _pattern(token)
    if first in "X*" or (second in "X*" and (second, form) != ("X", "class")):
        raise NoMeaningError(token)
    _hand(token)
    h, k = RANKS.index(first), RANKS.find(second)
    tops = range(h, 13) if sign == "+" else range(h + 1)
    if second == "X":
        pairs = [(top, low) for top in tops for low in range(top)]
    elif first == second:
        pairs = [(top, top) for top in tops]
    else:
        pairs = [(h, low) for low in (range(k, h) if sign == "+" else range(k + 1))]
    if not pairs:
        raise NoMeaningError(token)
    return set().union(*(_combos(RANKS[a], RANKS[b], rule, form) for a, b in pairs))


def _run(token, other):
    """Return the combos between two hands: kickers of one top card, a diagonal, or pairs."""
    _hand(token), _hand(other)
    (one, rule, form), (two, other_rule, _) = _pattern(token), _pattern(other)
    if rule != other_rule or set("X*") & {*one, *two}:
        raise NoMeaningError(token)
    (a, b), (c, d) = ([RANKS.index(rank) for rank in hand] for hand in (one, two))
    if (a == b) != (c == d):
        raise NoMeaningError(token)
    if a == c:
        pairs = [(a, low) for low in range(min(b, d), max(b, d) + 1)]
    elif a - b == c - d:
        pairs = [(top, top - a + b) for top in range(min(a, c), max(a, c) + 1)]
    else:
        raise NoMeaningError(token)
    return set().union(*(_combos(RANKS[x], RANKS[y], rule, form) for x, y in pairs))


# --- percentages and weights ---


def _percentage(text, *, zero):
    percent = Fraction(text.lower().removeprefix("top").strip(" \t\r\n%"))
    if percent > 100 or (percent == 0 and not zero):
        raise NoMeaningError(text)
    return percent


@cache
def _strongest(percent):
    """Return the combos of the strongest classes whose number is nearest to a percentage."""
    if not percent:
        return set()
    classes = [_hand(hand.name) for hand in starting_hands()]
    sizes = [sum(map(len, classes[:count])) for count in range(170)]
    count = min(range(1, 170), key=lambda n: (abs(sizes[n] - percent * 1326 / 100), -n))
    return set().union(*classes[:count])


def _times(weights, factor, lowest=0, highest=1):
    if factor == 0:
        return {}
    if not lowest <= factor <= highest:
        raise NoMeaningError(factor)
    product = {combo: weight * float(factor / highest) for combo, weight in weights.items()}
    if not all(product.values()):
        raise NoMeaningError(factor)
    return product


def _whole(combos):
    return dict.fromkeys(combos, 1.0)


# Digits before a comma and a percentage, this percentage, and digits after a weight.
_DECIMALS_FOLLOW = re.compile(r"(?:^|[^0-9A-Za-z.,%-])[0-9]{1,2},$")
_DECIMALS_PERCENT = re.compile(r"(?!100%)[0-9]+%(?![ \t\r\n]*[\-–—−‐‑‒])")
_DECIMALS = re.compile(r",[0-9]+(?![0-9.]|[ \t\r\n]*[:=@+!&soSO\-–—−‐‑‒])")
_SHARE_DECIMAL = re.compile(r",[0-9]%(?![ \t\r\n]*[:=@!&(\-–—−‐‑‒])")
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"
_BARE_PERCENT = re.compile(rf"[( \t\r\n]*{_NUMBER}%[) \t\r\n]*")


class _Union(dict):
    """Weights, with the index at which the last item begins and whether a weight can follow it."""

    last, weighted = 0, False


class _Weighted(dict):
    """Weights of an item that no weight can follow."""


# What may follow a percentage in its item, once blanks are removed.
_CLOSING = re.compile(rf"(?:\)|\[/[^\[\]]*\]|[:=@]{_NUMBER}%?)*\Z")


def _is_share(text):
    return _CLOSING.sub("", "".join(text.split()), count=1).endswith("%")


@v_args(inline=True)
class _Meaning(Transformer):
    """A dictionary from combos to weights for each rule of the grammar."""

    def __init__(self, text):
        super().__init__()
        self._text = text

    def start(self, union=None, *_):
        return union or {}

    @v_args(meta=True, inline=True)
    def union(self, meta, union, separator, item):
        begin = union.last if isinstance(union, _Union) else meta.start_pos
        before = re.sub("#[^#]*#", "", self._text[begin : separator.start_pos])
        after = self._text[separator.end_pos : meta.end_pos]
        weighted, is_tag = isinstance(item, _Weighted), after.startswith("#")
        if separator.type == "BLANK" and before.strip() and not is_tag:
            for one, other in ((before, after), (after, before)):
                if _BARE_PERCENT.fullmatch(one) and not _is_share(other):
                    raise NoMeaningError(one)
        first = self._text[max(0, separator.end_pos - 4) : separator.end_pos]
        decimals = _DECIMALS_PERCENT.match(after) and _DECIMALS_FOLLOW.search(first)
        if decimals and not self._weighted(union):
            raise NoMeaningError(after)
        both = _Union(union)
        for combo, weight in item.items():
            both[combo] = max(weight, both.get(combo, 0))
        both.last, both.weighted = separator.end_pos, weighted
        if is_tag and separator.type == "BLANK":
            both.last = begin
        return both

    def _weighted(self, union):
        return union.weighted if isinstance(union, _Union) else isinstance(union, _Weighted)

    def tag(self, _):
        return _Weighted()

    def weighted(self, factor, _, union, __):
        number = factor.strip(" \t\r\n")
        if number.endswith("%"):
            return _Weighted(_times(union, Fraction(number[:-1]), highest=100))
        return _Weighted(_times(union, Fraction(number)))

    def bracketed(self, _, number, __, union, ___, end, ____):
        if Fraction(number) != Fraction(end):
            raise NoMeaningError(number)
        return _Weighted(_times(union, Fraction(number), highest=100))

    def weighted_by(self, part, _, number):
        self._require_no_decimals(number)
        return _Weighted(_times(part, Fraction(number)))

    def shared_by(self, part, _, number, __=None):
        self._require_no_decimals(number)
        if re.fullmatch("[0-9]{1,2}", number) and _SHARE_DECIMAL.match(self._text, number.end_pos):
            raise NoMeaningError(number)
        return _Weighted(_times(part, Fraction(number), lowest=1, highest=100))

    def _require_no_decimals(self, number):
        if number == "0" and _DECIMALS.match(self._text, number.end_pos):
            raise NoMeaningError(number)

    def without(self, part, _, other):
        return {combo: weight for combo, weight in part.items() if combo not in other}

    def common(self, part, _, other):
        return {combo: min(part[combo], other[combo]) for combo in part.keys() & other.keys()}

    def group(self, _, union, __):
        return dict(union)

    def any(self, _):
        return _whole(COMBO_TEXT)

    def percent(self, token):
        return _whole(_strongest(_percentage(token, zero=False)))

    def percent_span(self, token):
        parts = re.split(r"(?<=%)[ \t\r\n]*[-–—−‐‑‒]", token)
        low, high = (_percentage(part, zero=True) for part in parts)
        low = 0 if low == 1 else low
        if low >= high:
            raise NoMeaningError(token)
        return _whole(_strongest(high) - _strongest(low))

    def hand(self, token):
        return _whole(_hand(token))

    def upward(self, token, _):
        return _whole(_open(token, "+"))

    def downward(self, token, _):
        return _whole(_open(token, "-"))

    def dash(self, token, _, other):
        return _whole(_run(token, other))

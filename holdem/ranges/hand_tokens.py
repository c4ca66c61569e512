"""Conversion of tokens of range strings, such as ``AKs``, ``77+`` and ``A5s-A2s``, to combos.

A hand is converted to two Boolean tables: a 13x13 table of the pairs of ranks that it allows, and a
4x4 table of the pairs of suits. ``AhX``, for example, allows an ace with any rank, and a heart with
any suit. A combo belongs to the hand if both tables allow its two cards in at least one order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS, SUITS
from holdem.errors import RangeError, quoted
from holdem.ranges.combos import COMBO_CARDS, combo_number
from holdem.ranges.weights import Held

#: Characters that separate hands and may surround signs.
BLANKS = " \t\r\n"

# Index of each combo in a table of two ranks or two suits, for both orders of its cards.
_RANKS_AT = ((COMBO_CARDS >> 2) @ np.array([[13, 1], [1, 13]])).T.copy()
_SUITS_AT = ((COMBO_CARDS & 3) @ np.array([[4, 1], [1, 4]])).T.copy()
_SUIT_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", BLANKS + "\ufe0e\ufe0f")
_WILD = "X*"
_VARIABLES = "wxyz"
_SPANS = "the same top card (A5s-A2s), the same gap (T9s-65s), or pairs at both ends (22-77)"


class Hand(NamedTuple):
    """A parsed hand of the range language, such as ``AKs`` or ``AhKd``."""

    text: str
    """The hand in normal form: upper-case ranks, T for 10, no blanks."""

    ranks: tuple[int | None, int | None]
    """The two ranks, 0..12, the higher first; None for a wildcard, which comes last."""

    suits: str
    """Either the suits of both cards in the order of `ranks`, with ``?`` for any suit, as in ``hh``
    or ``h?``; or ``s`` for equal suits, ``o`` for different suits, or empty for any suits."""

    wild: str
    """The wildcard: ``X`` for any rank but that of the other card, ``*`` for any rank; empty if
    there is none."""

    is_class: bool
    """Whether the hand is written as a class, such as ``AKs``, and not with cards."""


def parse_hand(text: str) -> Hand:
    """Parse a hand, such as ``AKs`` or ``AhKd``.

    The text is assumed to match the pattern of a hand in `holdem.ranges.parser`.
    """
    plain = text.translate(_SUIT_SIGNS).replace("10", "T")
    if len(plain) == 4:
        return _of_cards([(plain[0].upper(), _suit(plain[1])), (plain[2].upper(), _suit(plain[3]))])
    if len(plain) == 3 and plain[2] not in "soSO":  # AhX: the other card may be an ace as well
        rank, suit = plain[0].upper(), _suit(plain[1])
        return Hand(
            f"{rank}{suit}X", (_rank(rank), None), _suit_rule(suit, "?"), "*", is_class=False
        )
    return _parse_class(plain.upper())


def _suit(char: str) -> str:
    return char if char in _VARIABLES else char.lower()


def _rank(char: str) -> int | None:
    return None if char in _WILD else RANKS.index(char)


def _parse_class(text: str) -> Hand:
    first, second = sorted(text[:2], key=RANKS.find, reverse=True)  # a wildcard comes last
    suits = text[2:].lower()
    if suits and first == second and first not in _WILD:
        problem = f"{quoted(first + second + suits)} is not a hand"
        raise RangeError(f"{problem}: a pair is neither suited nor offsuit", hint=first + second)
    wild = second if second in _WILD else ""
    return Hand(first + second + suits, (_rank(first), _rank(second)), suits, wild, is_class=True)


def _of_cards(cards: list[tuple[str, str]]) -> Hand:
    # The higher rank first and wildcards last; the cards of a pair by suit.
    cards.sort(key=lambda card: (RANKS.find(card[0]), SUITS.find(card[1]), card), reverse=True)
    (first, suit), (second, other_suit) = cards
    text = first + suit + second + other_suit
    if cards[0] == cards[1] and first not in _WILD:
        hint = f"{first + second} is any pair of this rank"
        raise RangeError(f"{quoted(text)} is the same card twice", hint=hint)
    wild = second if second in _WILD else ""
    return Hand(
        text, (_rank(first), _rank(second)), _suit_rule(suit, other_suit), wild, is_class=False
    )


def _suit_rule(suit: str, other: str) -> str:
    """Build `Hand.suits` from the suits of two cards, in the order of `Hand.ranks`.

    Each is a letter such as ``h``, ``?`` for any suit, or a variable such as ``x``, which is the
    same suit wherever it stands in the hand.
    """
    if suit in SUITS or other in SUITS:
        return "".join(one if one in SUITS else "?" for one in (suit, other))
    if "?" in (suit, other):
        return ""
    return "s" if suit == other else "o"


# --- combos -------------------------------------------------------------------------------


def combos_of(hand: Hand) -> Held:
    """Find the numbers of the combos of a hand such as ``AK``, ``AhKd``, ``AhX`` or ``A*``."""
    first, second = hand.ranks
    if first is not None and second is not None and len(hand.suits) == 2 and "?" not in hand.suits:
        high, low = 4 * first + SUITS.index(hand.suits[0]), 4 * second + SUITS.index(hand.suits[1])
        return np.array([combo_number(high, low)])  # the tables would take ten times as long
    ranks = np.zeros((13, 13), dtype=np.bool_)
    ranks[slice(None) if first is None else first, slice(None) if second is None else second] = True
    if hand.wild and hand.is_class and hand.suits:
        np.fill_diagonal(ranks, val=False)  # XXo and A*o have no pairs
    elif hand.wild == "X" and first is not None:
        ranks[first, first] = False
    return _combos(ranks, hand.suits)


def combos_from(hand: Hand, sign: str) -> Held:
    """Find the combos of ``77+``, the hand and stronger ones, or ``66-``, it and weaker ones."""
    first, second = hand.ranks
    if first is None or (second is None and not (hand.wild == "X" and hand.is_class)):
        raise RangeError(
            f"'{hand.text}{sign}' is not valid",
            expected=f"{sign} after two ranks or cards without wildcards, or after a rank and X",
            hint=hand.text,
        )
    tops = range(first, 13) if sign == "+" else range(first + 1)
    if second is None:
        pairs = [(top, low) for top in tops for low in range(top)]
    elif first == second:
        pairs = [(top, top) for top in tops]
    else:
        lows = range(second, first) if sign == "+" else range(second + 1)
        pairs = [(first, low) for low in lows]
    if not pairs:
        raise RangeError(f"'{hand.text}-' is empty: there is no card below a deuce")
    return _combos(_rank_table(pairs), hand.suits)


def combos_between(one: Hand, two: Hand) -> Held:
    """Find the combos of a run of hands such as ``A5s-A2s`` or ``22-77``, from either end."""
    text = f"'{one.text}-{two.text}'"
    (high, low), (other_high, other_low) = one.ranks, two.ranks
    if high is None or low is None or other_high is None or other_low is None:
        raise RangeError(
            f"{text} is not valid: a dash joins two hands without wildcards",
            expected="hands with two ranks, as in A5s-A2s, or a list, as in AX,KX",
        )
    if (high == low) != (other_high == other_low):
        raise RangeError(f"{text} joins a pair and a hand that is not a pair", expected=_SPANS)
    if one.suits != two.suits:
        raise RangeError(
            f"{text} joins hands with different suits",
            expected="both suited, both offsuit, both neither, or the same suits at both ends",
            hint=_with_equal_suits(one, two),
        )
    if high == other_high:
        pairs = [(high, kicker) for kicker in range(min(low, other_low), max(low, other_low) + 1)]
    elif high - low == other_high - other_low:
        gap = high - low
        pairs = [
            (top, top - gap) for top in range(min(high, other_high), max(high, other_high) + 1)
        ]
    else:
        raise RangeError(f"{text} is not a run of hands", expected=_SPANS)
    return _combos(_rank_table(pairs), one.suits)


def _with_equal_suits(one: Hand, two: Hand) -> str | None:
    """Correct a run such as ``A5s-A2`` by repeating the ``s`` or ``o``, as in ``A5s-A2s``.

    Return None for pairs, and for hands given as two cards.
    """
    if len(one.text) > 3 or len(two.text) > 3 or one.ranks[0] == one.ranks[1]:
        return None
    suits = one.suits or two.suits
    return f"{one.text[:2]}{suits}-{two.text[:2]}{suits}"


def _combos(ranks: NDArray[np.bool_], rule: str) -> Held:
    """Find the numbers of the combos whose cards, in one order, fit both ranks and suits.

    `ranks` are the allowed pairs, ``bool (13, 13)``, of first and second card; `rule` is
    `Hand.suits`.
    """
    suits = _suit_table(rule)
    mask: NDArray[np.bool_] = ranks.take(_RANKS_AT[0]) & suits.take(_SUITS_AT[0])
    mask |= ranks.take(_RANKS_AT[1]) & suits.take(_SUITS_AT[1])
    return mask.nonzero()[0]


def _suit_table(rule: str) -> NDArray[np.bool_]:
    same = np.eye(4, dtype=np.bool_)
    if len(rule) < 2:
        return same if rule == "s" else ~same if rule == "o" else np.ones((4, 4), dtype=np.bool_)
    first, second = (np.array([one in ("?", suit) for suit in SUITS]) for one in rule)
    table: NDArray[np.bool_] = first[:, None] & second
    return table


def _rank_table(pairs: list[tuple[int, int]]) -> NDArray[np.bool_]:
    table = np.zeros((13, 13), dtype=np.bool_)
    table[tuple(zip(*pairs, strict=True))] = True
    return table

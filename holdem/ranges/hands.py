"""What a hand of the range language stands for, alone or with ``+``, ``-`` or a dash.

A hand is a choice of two ranks and a choice of two suits: ``AhX`` is an ace and any rank,
a heart and any suit. Both choices are small tables (13x13 and 4x4), and a combo belongs to
the hand where both say yes, with its cards one way round or the other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS, SUITS
from holdem.errors import visible
from holdem.ranges.combos import COMBO_CARDS
from holdem.ranges.faults import Fault

#: Which combos: ``bool (combo,)``, read-only.
Mask: TypeAlias = NDArray[np.bool_]

_ACE = 12
# Where a combo stands in a table of two ranks or two suits, its cards one way round or the other.
_RANKS_AT = ((COMBO_CARDS >> 2) @ np.array([[13, 1], [1, 13]])).T.copy()
_SUITS_AT = ((COMBO_CARDS & 3) @ np.array([[4, 1], [1, 4]])).T.copy()
_SUIT_SIGNS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs", " \t\r\n\ufe0e\ufe0f")
_WILD = "X*"
_VARIABLES = "wxyz"


class Hand(NamedTuple):
    """A hand taken apart."""

    text: str
    """As it would be written: upper-case ranks, T for 10, no blanks."""

    ranks: tuple[int | None, int | None]
    """The higher rank first; None is a wildcard, which comes last."""

    suits: str
    """The suits of the two cards in the order of `ranks`, ``?`` for any, as in ``hh`` or
    ``h?``; or ``s`` for equal suits, ``o`` for different ones, nothing for any two."""

    wild: str
    """Of a hand with a wildcard: ``X`` where that is another rank than the written one, ``*``
    where it is any."""

    is_class: bool
    """Whether no card is written out."""


@lru_cache(maxsize=4096)
def parse_hand(text: str) -> Hand:
    """Take the text of a hand apart; it has the form that the grammar gives it.

    Raises:
        Fault: a pair with ``s`` or ``o``, or the same card twice.
    """
    plain = text.translate(_SUIT_SIGNS).replace("10", "T")
    if len(plain) == 4:
        return _of_cards([(plain[0].upper(), _suit(plain[1])), (plain[2].upper(), _suit(plain[3]))])
    if len(plain) == 3 and plain[2] not in "soSO":  # AhX: the other card may be an ace as well
        rank, suit = plain[0].upper(), _suit(plain[1])
        return Hand(
            f"{rank}{suit}X", (_rank(rank), None), _suit_rule(suit, "?"), "*", is_class=False
        )
    return _of_class(plain.upper())


def _suit(char: str) -> str:
    return char if char in _VARIABLES else char.lower()


def _rank(char: str) -> int | None:
    return None if char in _WILD else RANKS.index(char)


def _of_class(text: str) -> Hand:
    first, second = sorted(text[:2], key=RANKS.find, reverse=True)  # a wildcard comes last
    suits = text[2:].lower()
    if suits and first == second and first not in _WILD:
        raise Fault(
            f"{visible(first + second + suits)} is no hand: a pair is neither suited nor offsuit",
            hint=first + second,
        )
    wild = second if second in _WILD else ""
    return Hand(first + second + suits, (_rank(first), _rank(second)), suits, wild, is_class=True)


def _of_cards(cards: list[tuple[str, str]]) -> Hand:
    # The higher rank first and wildcards last; the cards of a pair by suit.
    cards.sort(key=lambda card: (RANKS.find(card[0]), SUITS.find(card[1]), card), reverse=True)
    (first, suit), (second, other_suit) = cards
    text = first + suit + second + other_suit
    if cards[0] == cards[1] and first not in _WILD:
        raise Fault(f"{visible(text)} is no hand: the same card twice", hint=first + second)
    wild = second if second in _WILD else ""
    return Hand(
        text, (_rank(first), _rank(second)), _suit_rule(suit, other_suit), wild, is_class=False
    )


def _suit_rule(suit: str, other: str) -> str:
    """Return `Hand.suits` of two suits, variables or ``?``."""
    if suit in SUITS or other in SUITS:
        return "".join(one if one in SUITS else "?" for one in (suit, other))
    if "?" in (suit, other):
        return ""
    return "s" if suit == other else "o"


# --- combos -------------------------------------------------------------------------------


def _suit_choices(rule: str) -> NDArray[np.bool_]:
    same = np.eye(4, dtype=np.bool_)
    if len(rule) < 2:
        return same if rule == "s" else ~same if rule == "o" else np.ones((4, 4), dtype=np.bool_)
    first, second = (np.array([one in ("?", suit) for suit in SUITS]) for one in rule)
    choices: NDArray[np.bool_] = first[:, None] & second
    return choices


def _combos(ranks: NDArray[np.bool_], rule: str) -> Mask:
    """Return the combos with ranks in `ranks`, bool (first, second), and suits by `rule`."""
    suits = _suit_choices(rule)
    mask: Mask = ranks.take(_RANKS_AT[0]) & suits.take(_SUITS_AT[0])
    mask |= ranks.take(_RANKS_AT[1]) & suits.take(_SUITS_AT[1])
    mask.setflags(write=False)
    return mask


def _rank_pairs(pairs: list[tuple[int, int]]) -> NDArray[np.bool_]:
    table = np.zeros((13, 13), dtype=np.bool_)
    table[tuple(zip(*pairs, strict=True))] = True
    return table


def alone(text: str) -> Mask:
    """Return the combos of a hand: ``AK``, ``AKs``, ``AhKd``, ``AhX``, ``A*``."""
    return _alone(parse_hand(text))


@lru_cache(maxsize=1024)
def _alone(hand: Hand) -> Mask:
    first, second = hand.ranks
    ranks = np.zeros((13, 13), dtype=np.bool_)
    ranks[slice(None) if first is None else first, slice(None) if second is None else second] = True
    if hand.wild and hand.is_class and hand.suits:
        np.fill_diagonal(ranks, val=False)  # XXo, A*o: no pair, whatever the wildcard
    elif hand.wild == "X" and first is not None:
        ranks[first, first] = False
    return _combos(ranks, hand.suits)


def upward(text: str) -> Mask:
    """Return the combos of a hand with a ``+``: ``77+``, ``A2s+``, ``8d5d+``, ``KX+``."""
    return _upward(parse_hand(text))


@lru_cache(maxsize=1024)
def _upward(hand: Hand) -> Mask:
    first, second = _span_ranks(hand, "+")
    if second is None:
        return _combos(
            _rank_pairs([(a, b) for a in range(first, 13) for b in range(a)]), hand.suits
        )
    if first == second:
        return _combos(_rank_pairs([(a, a) for a in range(first, 13)]), hand.suits)
    return _combos(_rank_pairs([(first, b) for b in range(second, first)]), hand.suits)


def downward(text: str) -> Mask:
    """Return the combos of a hand with a ``-`` and no second hand: ``66-``, ``A5s-``, ``QX-``."""
    return _downward(parse_hand(text))


@lru_cache(maxsize=1024)
def _downward(hand: Hand) -> Mask:
    first, second = _span_ranks(hand, "-")
    if second is None:
        if first == 0:
            raise Fault(f"'{hand.text}-' holds no hand: there is no card below a deuce")
        return _combos(
            _rank_pairs([(a, b) for a in range(1, first + 1) for b in range(a)]), hand.suits
        )
    if first == second:
        return _combos(_rank_pairs([(a, a) for a in range(first + 1)]), hand.suits)
    return _combos(_rank_pairs([(first, b) for b in range(second + 1)]), hand.suits)


def _span_ranks(hand: Hand, sign: str) -> tuple[int, int | None]:
    """Return the ranks of a hand that takes a ``+`` or ``-``; None for the wildcard X."""
    first, second = hand.ranks
    if first is None or (second is None and not (hand.wild == "X" and hand.is_class)):
        raise Fault(
            f"'{hand.text}{sign}' has no meaning",
            expected=f"{sign} after two ranks or cards without wildcards, or after a rank and X",
            hint=hand.text,
        )
    return first, second


def dash(text: str, other: str) -> Mask:
    """Return the combos from one hand to another: ``A5s-A2s``, ``T9s-65s``, ``22-77``."""
    return _dash(parse_hand(text), parse_hand(other))


@lru_cache(maxsize=1024)
def _dash(one: Hand, two: Hand) -> Mask:
    shown = f"'{one.text}-{two.text}'"
    (high, low), (other_high, other_low) = one.ranks, two.ranks
    if high is None or low is None or other_high is None or other_low is None:
        raise Fault(f"{shown} has no meaning: a dash joins two hands without wildcards")
    if one.suits != two.suits:
        raise Fault(
            f"{shown} joins hands of different kinds",
            expected="both suited, both offsuit, both neither, or the same suits at both ends",
            hint=_alike(one, two),
        )
    if (high == low) != (other_high == other_low):
        raise Fault(f"{shown} joins a pair with a hand that is none", expected=_SPANS)
    if high == other_high:
        pairs = [(high, kicker) for kicker in range(min(low, other_low), max(low, other_low) + 1)]
    elif high - low == other_high - other_low:
        gap = high - low
        pairs = [
            (top, top - gap) for top in range(min(high, other_high), max(high, other_high) + 1)
        ]
    else:
        raise Fault(f"{shown} is no run of hands", expected=_SPANS)
    return _combos(_rank_pairs(pairs), one.suits)


_SPANS = "the same top card (A5s-A2s), the same gap (T9s-65s), or two pairs (22-77)"


def _alike(one: Hand, two: Hand) -> str | None:
    """Return the dash that was meant where only the letters s and o differ."""
    if len(one.text) > 3 or len(two.text) > 3 or one.ranks[0] == one.ranks[1]:
        return None
    suits = one.suits or two.suits
    return f"{one.text[:2]}{suits}-{two.text[:2]}{suits}"


def climb(text: str) -> str | None:
    """Return what ``text+`` means where a connector climbs: ``AKs-T9s`` for ``T9s``.

    None where every reader agrees: no connector, or one that reaches the ace already.
    """
    hand = parse_hand(text)
    high, low = hand.ranks
    if high is None or low is None or high - low != 1 or high == _ACE:
        return None
    top = f"A{hand.text[1]}K{hand.text[3]}" if len(hand.text) == 4 else f"AK{hand.text[2:]}"
    return f"{top}-{hand.text}"

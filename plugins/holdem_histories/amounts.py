"""Amounts and cards of logs."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from holdem.betting.played_hand import Amount, plain
from holdem.cards import DECK, Card
from holdem.errors import HistoryError, quoted

_CARDS = {str(card): card for card in DECK}
MOST_DIGITS = 18  # of an amount, before and behind the point

#: An amount as sites write it, such as $1,430.50, €0,20, Rs. 1 or 1 430.
MONEY = r"(?:Rs\. ?)?[^\d\s(\[/]{0,3}(\d(?:[.,'’]?\d|[ \xa0\u202f]\d{3}(?!\d))*)"

#: A card, in a group.
CARD = "([2-9TJQKAtjqka][cdhsCDHS])"

PLAIN = re.compile(rf"(?=\.?\d)\d{{0,{MOST_DIGITS}}}(?:\.\d{{0,{MOST_DIGITS}}})?")
_THOUSANDS = re.compile(r"[ '’\xa0\u202f]|(?<!^0),(?=\d{3}(?!\d))")

# Where there are amounts such as 1.430; the words keep names from being changed.
THREE_DIGITS = re.compile(r"\.\d{3}(?!\d)")
_DECIMAL = re.compile(r"\d\.(?:\d\d?|\d{4,})(?!\d)|\b0\.\d")
_POINTS = re.compile(
    r"([($€£₹/\[]|Rs\. ?|\b(?:to|calls|bets|raises|blinds?|ante|straddle|pot(?:-\d)?|Rake|collected"
    r"|for) )([1-9]\d{0,2}(?:\.\d{3})+)(?![\d.,]*\d)"
)


@lru_cache(maxsize=1 << 16)
def parse_amount(text: str) -> Amount:
    """Parse an amount of chips such as ``100`` or ``2.50``."""
    if not PLAIN.fullmatch(text):
        raise HistoryError(f"{quoted(text)} is not an amount, such as 100 or 2.50")
    return int(text) if text.isdecimal() else plain(Fraction(text))


@lru_cache(maxsize=1 << 16)
def parse_money(text: str) -> Amount:
    """Parse what `MONEY` finds: blanks and apostrophes mark thousands.

    So does a comma that three digits follow; another one is a decimal mark, as is the last of
    commas and points.
    """
    if ("." in text and text.rfind(",") > text.rfind(".")) or text.count(".") > 1:  # 1.430,20
        text = text.replace(".", "")
    return parse_amount(_THOUSANDS.sub("", text).replace(",", "."))


def join_thousands(text: str, has_decimals: bool) -> str:
    """Leave out the points of amounts such as 1.430 in a hand.

    With `has_decimals`, they stay if a point in the hand is surely a decimal mark, as in 2.50.
    """
    if has_decimals and _DECIMAL.search(text):
        return text
    return _POINTS.sub(lambda found: found[1] + found[2].replace(".", ""), text)


@lru_cache(maxsize=1 << 16)
def read_cards(text: str) -> tuple[Card, ...]:
    """Parse cards such as ``Td9d2c`` or ``Td 9d 2c``."""
    text = text.replace(" ", "")
    try:
        return tuple([_CARDS[text[start : start + 2]] for start in range(0, len(text), 2)])
    except KeyError:
        pass
    found = [
        text[start].upper() + text[start + 1 : start + 2].lower()
        for start in range(0, len(text), 2)
    ]
    for card in found:
        if card not in _CARDS:
            raise HistoryError(f"{card!r} in {text!r} is not a card")
    return tuple([_CARDS[card] for card in found])

"""Suits of cards in reports: letters, or the symbols ♣ ♦ ♥ ♠, in colour or not.

A report does not know how its cards will be shown. It writes their suits as placeholders, which
are one character wide, and `with_suits` replaces them in the finished text. The widths of tables
are therefore the same in every style.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from holdem.cards import SUITS, SYMBOLS, Card
from holdem.report.layout.style import Style

_LETTERS = SUITS + SUITS.upper()  # ranges are shown as given
_PLACEHOLDERS = [chr(0xE000 + i) for i in range(len(_LETTERS))]  # of the private use area
_TO_PLACEHOLDERS = str.maketrans(_LETTERS, "".join(_PLACEHOLDERS))

# Foreground colours of a four-colour deck. Spades have that of the text. The end of a colour
# does not end bold.
_COLOURS = {"♣": 32, "♦": 94, "♥": 31}
_COLOURED = [
    f"\x1b[{_COLOURS[symbol]}m{symbol}\x1b[39m" if symbol in _COLOURS else symbol
    for symbol in SYMBOLS
]
# Two cards, as in `AsKs`, `10s 9s` and `8d5d+`, but not the suited hand `AKs`.
_CARD = r"(?:10|[2-9TJQKA])[cdhs]"
_COMBO = re.compile(rf"(?<!\w){_CARD} ?{_CARD}(?!\w)", re.IGNORECASE)


def cards_in_report(cards: Iterable[Card]) -> str:
    """Return cards as text for a report, separated by blanks, with placeholders for suits."""
    return " ".join(map(str, cards)).translate(_TO_PLACEHOLDERS)


def range_in_report(text: str) -> str:
    """Return the text of a range for a report, with placeholders for the suits of combos."""
    return _COMBO.sub(lambda combo: combo[0].translate(_TO_PLACEHOLDERS), text)


def with_suits(text: str, style: Style) -> str:
    """Replace the placeholders for suits in the text of a report.

    Symbols in colour have ANSI codes for the colours of a four-colour deck.

    Args:
        text: the finished text.
        style: its style.
    """
    shown = 2 * (_COLOURED if style.colour else SYMBOLS) if style.symbols else _LETTERS
    return text.translate(dict(zip(map(ord, _PLACEHOLDERS), shown, strict=True)))

"""Formatting of table cells: numbers, durations, cards and ranges.

A report does not know how its cards will be shown. It writes their suits as placeholders, which
are one character wide, and `show_suits` replaces them in the finished text by letters or by the
symbols ♣ ♦ ♥ ♠. The widths of tables are therefore the same in every style.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import floor, log10
from typing import Any

from numpy.typing import NDArray

from holdem.cards import SUITS, SYMBOLS, Card, parse_cards


def count(value: float | None, digits: int = 4) -> str:
    """Format an int, without decimals, or a weighted sum with separators; None is a dash."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


def exact_decimals(values: Iterable[float | None], most: int = 4) -> int:
    """Count the decimals needed to show all numbers exactly, with an upper limit of `most`."""
    numbers = [value for value in values if value is not None and value == value]
    return next((n for n in range(most) if all(round(x, n) == x for x in numbers)), most)


def percent(value: float | None, digits: int = 4) -> str:
    """Format a fraction as a percentage; None and NaN become a dash."""
    return "-" if value is None or value != value else f"{100 * value:.{digits}f} %"


def decimals(stderr: float | None) -> int:
    """Choose how many decimals of a percentage to print, given the standard error of the fraction.

    The last decimal is in the place of the first digit of the error, or of its second digit if the
    first is 1 or 2. If the error is 0, None or NaN, the number is exact and has four decimals.
    """
    return 4 if not stderr or is_missing(stderr) else max(0, -floor(log10(100 * stderr / 3)))


def rounded_percent(value: float | None, stderr: float | None) -> str:
    """Format a fraction as a percentage, with as many decimals as its standard error justifies."""
    return percent(value, decimals(stderr))


def interval(bounds: tuple[float, float], digits: int = 3, sign: str = "") -> str:
    """Format an interval of fractions as percentages, such as ``"30.161 … 31.436 %"``.

    The sign ``"+"`` shows that of positive numbers, too.
    """
    low, high = bounds
    return f"{100 * low:{sign}.{digits}f} … {100 * high:{sign}.{digits}f} %"


def cell_format(form: str) -> Callable[[Any, int], str]:
    """Return a function that formats a value of a field, given the value and a number of decimals.

    The function formats None and NaN as a dash. For strings `form` is ``"range"``, ``"cards"`` (no
    cards become a dash) or the largest width, such as ``"20"``; for fractions ``"%"`` or, with
    fixed decimals, ``".2%"``; for intervals of fractions ``"interval"``; for counts and weighted
    sums ``","``; for other numbers a format of Python, such as ``"+,.{digits}f"``. If it is empty,
    the format follows from the type of the value.
    """
    format_value = _FORMS.get(form) or partial(_format, form)
    return lambda value, digits: "-" if is_missing(value) else format_value(value, digits)


def is_missing(value: Any) -> bool:
    """Test for None, NaN and an interval of NaN."""
    if isinstance(value, tuple) and value:
        value = value[0]
    return value is None or bool(value != value)


def _format(form: str, value: Any, digits: int) -> str:
    """Clip a string to the width that `form` gives, or format a number by it; see `cell_format`."""
    if isinstance(value, str):
        return clip(value, int(form))
    if form.endswith("%"):
        return percent(value, int(form[1:-1]))
    return format(value, form.format(digits=digits))


def _format_by_type(value: Any, digits: int) -> str:
    """Format a value by its type: truth value, number, or tuple of cards, or else by ``str``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count(value, digits)
    if isinstance(value, float):
        return f"{value:,.6g}"
    return cards_in_report(value) if isinstance(value, tuple) else str(value)


_FORMS: dict[str, Callable[[Any, int], str]] = {
    "": _format_by_type,
    "%": percent,
    ",": count,
    "interval": interval,
    "range": lambda text, _: short_range(text),
    "cards": lambda text, _: cards_in_report(parse_cards(text)) or "-",
}


def rate(per_second: float | None) -> str:
    """Format a speed to three significant digits, such as ``"438 M/s"``; None becomes a dash."""
    if per_second is None:
        return "-"
    for size, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if per_second >= 0.9995 * size:
            return f"{_three_digits(per_second / size)} {prefix}/s"
    return f"{_three_digits(per_second)} /s"


def duration(seconds: float) -> str:
    """Format a duration in a suitable unit, such as ``"41 minutes"``."""
    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{_two_digits(seconds / size)} {unit}"
    return f"{_two_digits(seconds)} s"


def _three_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 99.95 else f"{number:#.3g}"


def _two_digits(number: float) -> str:
    return f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}"


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
    """Format cards, separated by blanks, with placeholders for suits."""
    return " ".join(map(str, cards)).translate(_TO_PLACEHOLDERS)


def range_in_report(text: str) -> str:
    """Replace the suits of combos in a range string by placeholders."""
    return _COMBO.sub(lambda combo: combo[0].translate(_TO_PLACEHOLDERS), text)


def short_range(text: str, width: int = 32) -> str:
    """Format a range string for a table cell, truncated to `width` characters."""
    return range_in_report(clip(text, width))


def show_suits(text: str, *, symbols: bool, colour: bool = False) -> str:
    """Replace the suit placeholders in a report's finished text by letters or by ♣ ♦ ♥ ♠.

    Symbols may be coloured, by the ANSI codes of a four-colour deck.
    """
    shown = 2 * (_COLOURED if colour else SYMBOLS) if symbols else _LETTERS
    # Three times as fast as `str.translate`, which looks up each character.
    for placeholder, suit in zip(_PLACEHOLDERS, shown, strict=True):
        text = text.replace(placeholder, suit)
    return text


Row = Sequence[str]

#: Characters that are not shown, for a set of a regular expression: control characters but the
#: line feed, characters without width, and those that turn the direction of text.
HIDDEN = "\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_HIDDEN = re.compile(f"[{HIDDEN}]")


def escape_hidden(text: str) -> str:
    """Replace invisible characters, such as control characters, by their JSON escape codes."""
    return _HIDDEN.sub(lambda char: f"\\u{ord(char[0]):04x}", text)


def name_players_by_number(equities: NDArray[Any]) -> list[str]:
    """List the names ``player 1``, ``player 2``, … for equities ``float64 (item, player)``."""
    return [f"player {number}" for number in range(1, equities.shape[1] + 1)]


def first_and_last(size: int, most: int) -> list[int | None]:
    """List the indices of the rows to show of a table with `size` rows.

    These are all rows, or, if there are more than `most`, the first and the last ones, with None
    between them for the rows that are left out.
    """
    if size <= most:
        return list(range(size))
    return [*range(most // 2), None, *range(size - most // 2, size)]


def clip(text: str, width: int = 32) -> str:
    """Truncate text to `width` characters, ending it with an ellipsis if it is cut."""
    return text if len(text) <= width else text[: width - 1] + "…"

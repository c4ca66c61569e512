"""Errors for range text that the grammar rejects."""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from holdem.cards import RANKS
from holdem.errors import RangeError, quoted
from holdem.ranges.hand_tokens import BLANKS
from holdem.ranges.range_errors import SUIT_SIGNS, located, printable
from holdem.ranges.weights import decimal_text

_BRACKETS = re.compile(r"#[^#]*#|\[[ \t\r\n]*/|[(\[)]")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]*%?")
_DELIMITERS = BLANKS + ",;()[]!&:=@#"
# AK:50 before a percent sign, and its hand if that is one word after a comma or a bracket.
_WEIGHT_BEFORE = re.compile(
    r"(?:(?:\A|[,;(])[ \t\r\n]*([^ \t\r\n,;()\[\]!&:=@#]+))?"
    r"[:=][ \t\r\n]*([0-9]+\.?[0-9]*|\.[0-9]+)\Z"
)
_MAX_WORD = 40  # characters of a word from which a correction is derived

# Letters and signs that look like those of the range language. Characters that Unicode
# normalisation maps to ASCII (full-width letters, superscript digits) are not needed here.
_LOOK_ALIKES = str.maketrans(
    "АВЕКМНОРСТХЈԚаекорсухѕјһԁԛΑΚΤΧκοχ–—−‐‑‒·“”，；（）！：",
    'ABEKMHOPCTXJQaekopcyxsjhdqAKTXkox------*"",;()!:',
)


def open_brackets(text: str, most: int) -> list[int]:
    """Return the positions of the unclosed brackets in `text`, outermost first.

    The search stops at the first bracket after `most` open ones.
    """
    opened: list[int] = []
    for match in _BRACKETS.finditer(text):
        sign = match[0]
        if sign in ("(", "["):
            opened.append(match.start())
            if len(opened) > most:
                break
        elif sign[0] != "#" and opened:
            opened.pop()
    return opened


def _innermost_bracket(text: str) -> tuple[int, str] | None:
    """Return the index of the innermost unclosed bracket and the text that closes it; None if all
    brackets are closed.
    """
    opened = open_brackets(text, most=len(text))
    if not opened:
        return None
    place = opened[-1]
    if text[place] == "(":
        return place, ")"
    inside = re.match(r"\[[ \t\r\n]*([0-9.]*)", text[place:])
    return place, f"[/{inside[1] if inside else ''}]"


def syntax_error(text: str, offset: int, unexpected: UnexpectedInput) -> RangeError:
    """Return a `RangeError` that explains why the parser rejected a range text.

    Args:
        text: the whole range text.
        offset: where the parsed part of `text` begins.
        unexpected: the exception of the parser.
    """
    place = len(text)
    if isinstance(unexpected, UnexpectedToken):
        wanted = set(unexpected.expected)
        if unexpected.token.type != "$END" and unexpected.token.start_pos is not None:
            place = offset + unexpected.token.start_pos
    else:
        assert isinstance(unexpected, UnexpectedCharacters)
        wanted = set(unexpected.allowed)
        place = offset + (unexpected.pos_in_stream or 0)
    while place < len(text) and text[place] in BLANKS:
        place += 1
    error, start, end = _diagnosis(text, place, wanted)
    return located(error, text, start, end)


def _diagnosis(text: str, place: int, wanted: set[str]) -> tuple[RangeError, int, int]:
    """Return the error for rejected text, with the start and end of the offending part.

    Args:
        text: the whole range text.
        place: where the parser stopped.
        wanted: the terminals of the grammar that could follow there.
    """
    start, end = _word_at(text, place)
    foreign = _foreign_character(text, start, end)
    if foreign is not None:
        error = _foreign_character_error(text[foreign], text[start : min(end, start + _MAX_WORD)])
        return error, foreign, foreign + 1
    if place == len(text):
        return _end_error(text, wanted), place, place
    if text[place] == "#" and "TAG" in wanted:
        return RangeError("a # tag has no end", expected="another #"), place, len(text)
    if text[place] in _DELIMITERS:
        return _sign_error(text, place, wanted), place, place + 1
    if text[place] == "%" and (
        weight := _WEIGHT_BEFORE.search(text, max(0, place - _MAX_WORD), place)
    ):
        return _percent_weight_error(*weight.groups()), weight.start(2), place + 1
    if "NUMBER" in wanted:
        problem = f"{quoted(text[place:end])} is not a number"
        return RangeError(problem, expected="a number, as in 0.5"), place, end
    if "HAND" in wanted and "FACTOR" not in wanted and _NUMBER.fullmatch(text, start, end):
        problem = f"{quoted(text[start:end])} cannot follow ! or &"
        expected = "a hand or a bracket; a weight goes inside the bracket"
        return RangeError(problem, expected=expected), start, end
    after_hand = start < place and "WITHOUT" in wanted and "%" not in text[start:place]
    if "HAND" in wanted or after_hand:  # AKQ stops at the Q, but the error is all of AKQ
        return _word_error(text[start:end]), start, end
    problem = f"{quoted(text[place:end])} is not valid here"
    return RangeError(problem, expected=_expected(wanted)), place, end


def _word_at(text: str, place: int) -> tuple[int, int]:
    """Return the start and end of the word around position `place`."""
    start = end = place
    while start > 0 and text[start - 1] not in _DELIMITERS:
        start -= 1
    while end < len(text) and text[end] not in _DELIMITERS:
        end += 1
    return start, end


def _percent_weight_error(hand: str | None, number: str) -> RangeError:
    """Return the error for a percentage after a colon, as in ``AK:50%``."""
    percent, hand = float(number), hand or ""
    weight = decimal_text(float(f"{number}e-2"))
    hint = None
    if 0 < percent <= 100:
        hint = f"{hand}:{weight}" + (f" or {hand}@{number}%" if percent >= 1 else "")
    expected = "a weight above 0 and at most 1, without a percent sign"
    return RangeError(f"{quoted(f'{number}%')} is not a weight", expected=expected, hint=hint)


def _end_error(text: str, wanted: set[str]) -> RangeError:
    opened = _innermost_bracket(text)
    if opened and not wanted & {"HAND", "NUMBER", "OPEN", "SHARE_END"}:
        place, closing = opened
        problem = f"the bracket opened at position {place + 1} is not closed"
        return RangeError(problem, expected=f"'{closing}' at the end", hint=closing)
    return RangeError("the range ends too early", expected=_expected(wanted))


def _sign_error(text: str, place: int, wanted: set[str]) -> RangeError:
    sign = text[place]
    if "HAND" in wanted and sign in ",;":
        before = text[:place].rstrip(BLANKS)[-1:]
        if before and before in ",;":
            problem = f"two separators in a row, {before!r} and {sign!r}"
            return RangeError(problem, expected="a hand between them")
    opened = _innermost_bracket(text[:place])
    if sign in ")]" and opened is None and "HAND" not in wanted:
        return RangeError(f"{sign!r} closes no bracket", expected=_expected(wanted))
    if opened and sign in ")[" and opened[1][0] != sign:
        problem = f"{sign!r} does not close the bracket before it"
        return RangeError(problem, expected=f"'{opened[1]}'")
    return RangeError(f"{sign!r} is not valid here", expected=_expected(wanted))


def _expected(wanted: set[str]) -> str:
    """Describe what could follow at the point where the parser stopped."""
    if "HAND" in wanted:
        return "a hand, as in AKs, QQ+ or AhKd" + (", or ')'" if "CLOSE" in wanted else "")
    if "NUMBER" in wanted:
        return "a number, as in 0.5"
    words = [
        ("SHARE_END", "']'"),
        ("OPEN", "'('"),
        ("SEPARATOR", "a comma"),
        ("CLOSE", "')'"),
        ("SHARE_CLOSE", "'[/'"),
        ("WEIGHT", "a weight (:0.5)"),
        ("PLUS", "'+'"),
        ("DASH", "'-'"),
        ("WITHOUT", "'!' or '&'"),
    ]
    found = [word for name, word in words if name in wanted]
    return " or ".join(found) if found else "the end"


# --- words that are not hands ---------------------------------------------------------------


def _foreign_character(text: str, start: int, end: int) -> int | None:
    """Return the index of the first character in ``text[start:end]`` that is not valid in range
    text; None if all are valid.
    """
    for place in range(start, end):
        char = text[place]
        if not (char.isascii() and char.isprintable()) and char not in BLANKS + SUIT_SIGNS:
            return place
    return None


def _foreign_character_error(char: str, word: str) -> RangeError:
    """Return the error for a character that is not valid anywhere in range text.

    Args:
        char: the character.
        word: the word around it, from which a correction is derived.
    """
    import unicodedata

    if unicodedata.category(char) == "Cc":
        return RangeError(f"{quoted(char)} is a control character")
    name = unicodedata.name(char, "")
    plain = unicodedata.normalize("NFKC", word.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)
    like = unicodedata.normalize("NFKC", char.translate(_LOOK_ALIKES))
    shown = printable(char) if char.isprintable() else quoted(char)[1:-1]
    described = f"'{shown}' (U+{ord(char):04X}{' ' + name if name else ''})"
    if like.isascii() and like.isprintable() and like.strip():
        hint = plain if plain.isascii() and plain.isprintable() else None
        return RangeError(f"{described} only looks like {like!r}", hint=hint)
    return RangeError(f"{described} is not used in ranges")


def _word_error(word: str) -> RangeError:
    """Return the error for a word that is not a hand, where a hand is expected."""
    expected = "two ranks or two cards, as in AKs or AhKd"
    plain = word.upper().replace("10", "T")
    ranks = set(RANKS)
    suit = word[-1:].lower()
    if len(plain) == 2 and plain[0] in ranks and suit in "cdhs♣♦♥♠":
        problem = f"{quoted(word)} is one card; a hand has two"
        hint = f"{plain[0]}{suit}X is any hand that holds it"
        return RangeError(problem, hint=hint, expected=expected)
    if len(plain) == 1 and plain in ranks:
        problem = f"{quoted(word)} is one rank; a hand has two"
        hint = f"{plain}X is any hand with that rank and another rank"
        return RangeError(problem, hint=hint, expected=expected)
    if len(plain) > 2 and set(plain) <= ranks:
        problem = f"{quoted(word)} has {len(plain)} ranks; a hand has two"
        return RangeError(problem, expected=expected)
    return RangeError(f"{quoted(word)} is not a hand", hint=_correction(word), expected=expected)


def _correction(word: str) -> str | None:
    """Return a likely correction of a word that is not a hand; None if no correction is likely."""
    if "+-" in word:
        return word.replace("+-", "-")
    if word.endswith("-") and len(word) > 1:
        return f"{word}, with a comma after it or at the end"
    number = word.lower().removeprefix("top").rstrip("%")
    parts = [part.rstrip("%") for part in number.split("-")]
    if len(parts) > 2 or not all(d.isascii() and d.replace(".", "", 1).isdigit() for d in parts):
        return "top 15%" if not number else None
    shares = [float(part) for part in parts]
    if len(parts) == 1 and number == word and shares[0] <= 1:
        return f"{word}(AK) gives AK that weight"
    fits = shares == sorted(shares) and shares[-1] <= 100
    return "-".join(f"{part}%" for part in parts) if fits else None

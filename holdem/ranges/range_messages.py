"""Messages about range strings: errors that underline the offending part, and dialect warnings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from holdem.advice import advise, plain_text
from holdem.cards import RANKS
from holdem.errors import RangeError, one_line, quoted
from holdem.ranges.hand_tokens import BLANKS, Hand
from holdem.ranges.names import MAX_LINE, NAME, list_ranges
from holdem.ranges.weights import decimal_text, shifted

if TYPE_CHECKING:
    from fractions import Fraction

#: Suit signs that cards may have, and the variation selectors that may follow them.
SUIT_SIGNS = "♣♦♥♠♧♢♡♤\ufe0e\ufe0f"

_BEFORE, _WITHIN, _AFTER = 30, 40, 20  # characters shown around and within the offending part
_MAX_WORD = 40  # characters of a word from which a correction is derived
_DELIMITERS = BLANKS + ",;()[]!&:=@#"
# Two cards, one of which may have no suit.
_TWO_CARDS = re.compile(r"(10|[0-9A-Za-z])([cdhs])(10|[0-9A-Za-z])([cdhs]?)", re.IGNORECASE)
_NAME_BEGINNING = re.compile("@[A-Za-z0-9_/-]*")
_NUMBER = re.compile(r"[0-9]*\.?[0-9]*%?")
_SHARE = re.compile(r"(?:0*[1-9][0-9]?|0*100)(?:\.[0-9]*)?(%?)|0*\.[0-9]*[1-9][0-9]*(%?)")
# The hand before a weight, if it is one word after a comma or a bracket.
_HAND_BEFORE = re.compile(r"(?:\A|[,;(])[ \t\r\n]*([^ \t\r\n,;()\[\]!&:=@#]+)[:=][ \t\r\n]*\Z")


class Bracket(NamedTuple):
    """An open bracket of a range string."""

    start: int
    """The index of the bracket."""

    closing: str
    """The text that closes it: ``)`` or, for example, ``[/50]``."""


class Item(NamedTuple):
    """An item of a range string."""

    text: str

    is_weighted: bool
    """Whether it has a weight, so that no other can follow."""


# --- the form of a message ------------------------------------------------------------------


def error_at(
    start: int, end: int, problem: str, expected: str | None = None, hint: str | None = None
) -> RangeError:
    """Create an error about ``text[start:end]``; the function `located` later adds the text."""
    return RangeError(problem, position=start, length=end - start, expected=expected, hint=hint)


def located(error: RangeError, text: str, start: int, end: int) -> RangeError:
    """Copy a `RangeError`, adding the text with ``text[start:end]`` underlined to its message.

    Its `expected` and `hint` become further lines. `end` is `start` if something is missing there.
    """
    lines = [f"{error} (position {start + 1})", *underlined(text, start, end)]
    if error.expected:
        lines.append(f"expected {one_line(error.expected, MAX_LINE)}")
    if error.hint and len(error.hint) <= MAX_LINE:  # a truncated hint would not help
        lines.append(f"hint: {error.hint}")
    return RangeError(
        "\n".join(lines),
        text=text,
        position=start,
        length=end - start,
        expected=error.expected,
        hint=error.hint,
    )


def underlined(text: str, start: int, end: int) -> tuple[str, str]:
    """Format an excerpt of `text` around ``text[start:end]``, and a line of carets below it.

    Control characters are escaped, and the carets are aligned with the escaped text.
    """
    first, last = max(0, start - _BEFORE), min(len(text), max(end, start + 1) + _AFTER)
    stop = min(end, start + _WITHIN)
    if end > stop:
        last = stop
    before = ("…" if first else "") + _printable(text[first:start])
    part = _printable(text[start:stop])
    after = _printable(text[stop:last]) + ("…" if last < len(text) else "")
    carets = "^" * max(1, _width(part))
    return f"  {before}{part}{after}", f"  {' ' * _width(before)}{carets}"


def _printable(text: str) -> str:
    """Escape control characters and combining marks."""
    return "".join(
        char
        if char.isprintable() and not _is_mark(char)
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def _is_mark(char: str) -> bool:
    """Test whether `char` is a combining mark; variation selectors of suit signs do not count."""
    return char not in SUIT_SIGNS and unicodedata.category(char).startswith("M")


def _width(text: str) -> int:
    """Count the terminal columns that `text` occupies."""
    return sum(
        0 if char in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


# --- slips ----------------------------------------------------------------------------------


def syntax_error(
    text: str, at: int, opened: list[Bracket], expected: str, problem: str = "is not valid here"
) -> RangeError:
    """Create the error for an unexpected sign, word or end of the string at index `at`.

    `opened` are the open brackets, outermost first. `expected` says what would be valid at this
    index, and `problem` what is wrong with a word.
    """
    if at == len(text):
        return error_at(at, at, "the range ends too early", expected)
    start, end = _word_at(text, at)
    if foreign := _foreign_character_error(text, start, end):
        return foreign
    sign = text[at]
    if sign not in _DELIMITERS:
        return error_at(at, end, f"{quoted(text[at:end])} {problem}", expected)
    if opened and sign in ")[" and opened[-1].closing[0] != sign:
        problem, expected = "does not close the bracket before it", f"'{opened[-1].closing}'"
        return error_at(at, at + 1, f"{sign!r} {problem}", expected)
    return error_at(at, at + 1, f"{sign!r} is not valid here", expected)


def operand_error(
    text: str, at: int, opened: list[Bracket], before: str, item: Item | None = None
) -> RangeError:
    """Create the error for index `at`, where a hand, percentage or group is missing.

    `opened` are the open brackets, outermost first; `before` is the sign before: after ``-``, only
    a hand is valid; after ``!`` and ``&``, a weight or a tag is not. `item` is None if more than
    blanks and tags are between it and `at`.
    """
    sign = text[at : at + 1]
    if sign == "#" and before not in ("!", "&"):
        return error_at(at, len(text), "a # tag has no end", "another #")
    if sign in (",", ";") and (first := text[:at].rstrip(BLANKS)[-1:]) in (",", ";"):
        problem = f"two separators in a row, {first!r} and {sign!r}"
        return error_at(at, at + 1, problem, "a hand between them")
    if sign == "@":
        return _name_error(text, at)
    if not sign or sign in _DELIMITERS:
        return syntax_error(text, at, opened, "a hand, as in AKs, QQ+ or AhKd")
    start, end = _word_at(text, at)
    word = text[start:end]
    if before in ("!", "&") and _NUMBER.fullmatch(word):
        expected = "a hand or a bracket; a weight goes inside the bracket"
        return error_at(start, end, f"{quoted(word)} cannot follow ! or &", expected)
    is_percent = _NUMBER.fullmatch(word) and word.endswith("%")
    if before == "-" and (is_percent or (start == at and word[-1] in "+-")):
        expected = "a hand, or a comma after the dash"
        hand = text[slice(*_word_at(text, len(text[:start].rstrip(BLANKS)) - 1))]
        hint = percent_readings(Item(hand, is_weighted=False), word[:-1]) if is_percent else None
        return error_at(start, end, f"{quoted(word)} cannot follow a dash", expected, hint)
    return _foreign_character_error(text, start, end) or _word_error(
        word, start, end, _number_hint(text, word, end, item)
    )


def _number_hint(text: str, word: str, end: int, item: Item | None) -> str | None:
    """Suggest how to write a number that is alone or beside a hand: ``AKs 50`` and ``50 AKs``."""
    if not _SHARE.fullmatch(word) or len(word) == 1 or word.endswith("%"):
        return None
    if text.strip(BLANKS + "()%") == word:
        return f"{word}%"
    start = len(text) - len(text[end:].lstrip(BLANKS + "%"))
    following = text[slice(*_word_at(text, start))] if end < start < len(text) else ""
    beside = item or Item(following, is_weighted=False)
    if not beside.text:
        return None
    if float(word) < 1:
        return None if beside.is_weighted else f"{beside.text}:{word}"
    return percent_readings(beside, word, after=item is not None)


def percent_readings(item: Item, number: str, *, after: bool = True) -> str | None:
    """Write what a percentage beside a hand may be: the weight of the hand, or hands of its own.

    `after` is whether the percentage comes after the hand.
    """
    if not 0 < float(number) <= 100:
        return None
    hand = " ".join(item.text.split())
    weight = f"@{number}%" if float(number) >= 1 else f":{decimal_text(shifted(number, -2))}"
    union = f"{hand}, {number}%" if after else f"{number}%, {hand}"
    return union if item.is_weighted else f"{hand}{weight} or {union}"


def _name_error(text: str, at: int) -> RangeError:
    """Create the error for an item's initial ``@`` that is not followed by a valid name."""
    name = _NAME_BEGINNING.match(text, at)
    assert name
    end, expected = name.end(), "letters, digits, - and _, with / between, as in @utg-open"
    if len(name[0]) == 1:
        return error_at(at, end, "no name of a range follows the '@'", expected)
    if end == len(text) or text[end] in _DELIMITERS:
        return error_at(at, end, f"{quoted(name[0])} is not the name of a range", expected)
    problem = f"{quoted(text[end])} cannot follow the name of a range"
    return error_at(end, end + 1, problem, expected)


def sign_error(text: str, at: int, opened: list[Bracket], expected: str) -> RangeError:
    """Create the error for text that cannot follow an item, or for a bracket that is not closed.

    The item ends at index `at`; blanks may follow. `opened` are the open brackets, outermost first.
    """
    at = len(text) - len(text[at:].lstrip(BLANKS))
    if opened and at == len(text):
        start, closing = opened[-1]
        problem = f"the bracket opened at position {start + 1} is not closed"
        return error_at(at, at, problem, f"'{closing}' at the end", closing)
    if not opened and text[at] in ")]":
        return error_at(at, at + 1, f"{text[at]!r} closes no bracket", "a comma")
    return syntax_error(text, at, opened, expected)


def percent_weight_error(text: str, start: int, end: int) -> RangeError:
    """Create the error for a weight written as ``AK:50%``; ``text[start:end]`` is the ``50``."""
    number = text[start:end]
    percent = float(number)
    hint = None
    if 0 < percent <= 100:
        hand = hand_before(text, start)
        weight = decimal_text(shifted(number, -2))
        hint = f"{hand}:{weight}" + (f" or {hand}@{number}%" if percent >= 1 else "")
    expected = "a weight above 0 and at most 1, without a percent sign"
    return error_at(start, end + 1, f"{quoted(f'{number}%')} is not a weight", expected, hint)


def hand_before(text: str, weight: int) -> str:
    """Return the hand that the weight at index `weight` belongs to; "" if it is not one word."""
    before = _HAND_BEFORE.search(text, max(0, weight - _MAX_WORD), weight)
    return before[1] if before else ""


def _word_at(text: str, at: int) -> tuple[int, int]:
    """Find the start and end of the word around an index."""
    start = end = at
    while start > 0 and text[start - 1] not in _DELIMITERS:
        start -= 1
    while end < len(text) and text[end] not in _DELIMITERS:
        end += 1
    return start, end


def _foreign_character_error(text: str, start: int, end: int) -> RangeError | None:
    """Create the error for the first invalid character in ``text[start:end]``, or return None."""
    for at in range(start, end):
        char = text[at]
        if not (char.isascii() and char.isprintable()) and char not in BLANKS + SUIT_SIGNS:
            break
    else:
        return None
    if unicodedata.category(char) == "Cc":
        return error_at(at, at + 1, f"{quoted(char)} is a control character")
    name = unicodedata.name(char, "")
    shown = _printable(char) if char.isprintable() else quoted(char)[1:-1]
    described = f"'{shown}' (U+{ord(char):04X}{' ' + name if name else ''})"
    like, word = plain_text(char), plain_text(text[start : min(end, start + _MAX_WORD)])
    if like.isascii() and like.isprintable() and like.strip():
        hint = word if word.isascii() and word.isprintable() else None
        return error_at(at, at + 1, f"{described} only looks like {like!r}", hint=hint)
    return error_at(at, at + 1, f"{described} is not used in ranges")


def _word_error(word: str, start: int, end: int, hint: str | None) -> RangeError:
    """Create the error for a word that is not a hand, where a hand is expected.

    `hint` is a better one than those for a word alone, if any.
    """
    better = hint
    plain, suit = word.upper().replace("10", "T"), word[-1:].lower()
    ranks = set(RANKS)
    hint = None
    if len(plain) == 2 and plain[0] in ranks and suit in "cdhs♣♦♥♠":
        problem = "is one card; a hand has two"
        hint = f"{plain[0]}{suit}X is any hand that holds it"
    elif len(plain) == 1 and plain in ranks:
        problem = "is one rank; a hand has two"
        hint = f"{plain}X is any hand with that rank and another rank"
    elif len(plain) > 2 and set(plain) <= ranks:
        problem = f"has {len(plain)} ranks; a hand has two"
    elif len(ends := plain.split("-")) > 2:
        problem = "has more than one dash; a run has two ends, as in AA-QQ"
        hint = word[:-1] if len(ends) == 3 and not ends[2] else None
    elif faults := _card_faults(word):
        problem = f"is not a hand: {faults}"
    else:
        problem = "is not a hand"
        if word.endswith("%") or not _NUMBER.fullmatch(word):  # a number may be a weight
            hint = _correction(word) or advise(word)
    if hint is None and NAME.fullmatch(word) and any(own.name == word for own in list_ranges()):
        hint = f"@{word} is the named range"
    expected = "two ranks or two cards, as in AKs or AhKd"
    return error_at(start, end, f"{quoted(word)} {problem}", expected, better or hint)


def _card_faults(word: str) -> str:
    """Say what is wrong with a word that looks like two cards, such as ``1s2s``; "" if nothing."""
    if not (match := _TWO_CARDS.fullmatch(word)):
        return ""
    cards = ((match[1], match[2]), (match[3], match[4]))
    unknown = (f"'{rank}' is not a rank" for rank, _ in cards if rank.upper() not in (*RANKS, "10"))
    bare = (f"'{rank}' has no suit" for rank, suit in cards if not suit)
    return next(unknown, "") or next(bare, "")


def _correction(word: str) -> str | None:
    """Suggest a likely correction of a word that is not a hand; None if there is no suggestion."""
    if "+-" in word:
        return word.replace("+-", "-")
    if word.endswith("-") and len(word) > 1:
        return f"{word}, with a comma after it or at the end"
    number = word.lower().removeprefix("top").rstrip("%")
    parts = [part.rstrip("%") for part in number.split("-")]
    if len(parts) > 2 or not all(d.isascii() and d.replace(".", "", 1).isdigit() for d in parts):
        return "top 15%" if word.lower() == "top" else None
    shares = [float(part) for part in parts]
    fits = shares == sorted(shares) and shares[-1] <= 100
    return "-".join(f"{part}%" for part in parts) if fits else None


# --- tokens that other tools read differently -----------------------------------------------


class Ambiguity(NamedTuple):
    """A token of a range string that other tools read differently."""

    token: str
    kind: str
    """``"connector"`` for ``T9s+``, ``"apart"`` for ``Ax Kx``, ``"wildcard"`` for ``KX``,
    ``"number"`` for the 25 of ``AKs 25``, ``"gap"`` for the second span of ``15%, 16%-50%``."""

    other: str
    """An unambiguous range string with the meaning that `token` has in other tools."""

    warning: str
    """A sentence with both meanings, and how to write each."""


def connector_ambiguity(hand: Hand) -> Ambiguity | None:
    """Describe the ambiguity of a connector with a ``+``, such as ``T9s+``.

    ``T9s+`` is only ``T9s`` here, and all of ``AKs-T9s`` in other tools. Return None if the hand
    is not such a connector.
    """
    high, low = hand.ranks
    if high is None or low is None or high - low != 1 or RANKS[high] == "A":
        return None
    top = f"A{hand.text[1]}K{hand.text[3]}" if len(hand.text) == 4 else f"AK{hand.text[2:]}"
    token, other = f"{hand.text}+", f"{top}-{hand.text}"
    warning = (
        f"{token} is {hand.text} alone here, as in eval7, PokerKit and OMPEval; PioSOLVER and"
        f" rs-poker read it as {other}: write {hand.text} or {other}"
    )
    return Ambiguity(token, "connector", other, warning)


def spaced_ambiguity(token: str) -> Ambiguity | None:
    """Describe the ambiguity of ``Ax Kx``.

    Here it is one hand with suit variables, like ``AKs``; other tools may read two hands, ``AX,
    KX``. Return None for a token that is not ambiguous in this way.
    """
    words = token.split()
    if len(words) == 2 and all(word[-1] in "xX" for word in words):
        classes = ", ".join(f"{word[:-1].upper()}X" for word in words)
        warning = (
            f"{' '.join(words)!r} is one hand with suit variables here; as two hands it would be"
            f" {classes}: write {''.join(words)} or {classes}"
        )
        return Ambiguity(" ".join(words), "apart", classes, warning)
    return None


def wildcard_ambiguity(hand: Hand) -> Ambiguity | None:
    """Describe the ambiguity of ``KX``: with or without AK; None if the hand is no such class."""
    high = hand.ranks[0]
    if not hand.is_class or hand.wild != "X" or high is None or not 0 < high < len(RANKS) - 1:
        return None
    rank, suits = hand.text[0], hand.text[2:]
    other = f"{rank}{RANKS[high - 1]}{suits}-"
    same = f"{rank}*{suits}" if suits else f"{rank}*!{rank}{rank}"
    problem = f"{hand.text} includes A{rank}{suits} here; other tools read it as {other}"
    return Ambiguity(hand.text, "wildcard", other, f"{problem}: write {same} or {other}")


def number_ambiguity(item: str, number: str) -> Ambiguity:
    """Describe the ambiguity of a hand of two digits after blanks, such as the 25 of ``AKs 25``."""
    hand = f"{max(number)}{min(number)}"
    item = item if len(item) <= _MAX_WORD else ""
    other = f"{item}@{number}%"
    problem = f"{number!r} is {hand}s and {hand}o here; as a weight it would be {other}"
    return Ambiguity(number, "number", other, f"{problem}: write {item}, {number} or {other}")


def gap_ambiguity(token: str, least: Fraction | int, most: Fraction) -> Ambiguity:
    """Describe the ambiguity of the second span of ``15%, 16%-50%``, from `least` to `most` %."""
    before = f"{float(least - 1):g}%"
    other = f"{before}-{float(most):g}%"
    problem = f"{token} leaves out the hands from {before} to {float(least):g}% here"
    meant = f"ProPokerTools, which counts from 1%, leaves no gap: for that, write {other}"
    return Ambiguity(token, "gap", other, f"{problem}; {meant}")


def left_out_note(count: int) -> str:
    """Say how many combos have a weight of 0."""
    have, are = ("combos have", "are") if count > 1 else ("combo has", "is")
    return f"{count:,} {have} a weight of 0 and {are} left out"


def dialect_warnings(ambiguities: Iterable[Ambiguity]) -> tuple[str, ...]:
    """Format one warning for each kind of ambiguity."""
    texts = []
    by_kind: dict[str, list[Ambiguity]] = {}
    for ambiguity in ambiguities:
        by_kind.setdefault(ambiguity.kind, []).append(ambiguity)
    for first, *others in by_kind.values():
        text = first.warning
        if others:
            more = ", ".join(f"{one.token} ({one.other})" for one in others[:3])
            text += f"; likewise {more}" + (", …" if len(others) > 3 else "")
        texts.append(text)
    return tuple(texts)

"""What is wrong with a text: the offending part underlined, what was expected, a hint."""

from __future__ import annotations

from holdem.cards import RANKS
from holdem.errors import RangeError, one_line, visible

_BLANKS = " \t\r\n"
_SUIT_SIGNS = "♣♦♥♠♧♢♡♤\ufe0e\ufe0f"
_BEFORE, _WITHIN, _AFTER = 30, 40, 20  # how much of a long text is shown around a fault
_LONGEST = 120  # of what is said besides

# Letters and signs that look like ours. Those that Unicode itself maps to ASCII (full-width
# letters, superscript digits) need no line here.
_LOOK_ALIKES = str.maketrans(
    "АВЕКМНОРСТХЈԚаекорсухѕјһԁԛΑΚΤΧκοχ–—−‐‑‒·“”，；（）！：",
    'ABEKMHOPCTXJQaekopcyxsjhdqAKTXkox------*"",;()!:',
)


class Fault(Exception):  # noqa: N818 - never reaches a user: it becomes a RangeError
    """What is wrong with a part of a text, raised where its place is not known.

    Attributes:
        problem: what is wrong, naming the part.
        hint: what was probably meant, or None.
        expected: what could have stood there, or None.
    """

    def __init__(
        self, problem: str, *, hint: str | None = None, expected: str | None = None
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint
        self.expected = expected

    def at(self, text: str, start: int, end: int) -> RangeError:
        """Return the error to raise for ``text[start:end]``."""
        lines = [f"{self.problem} (position {start + 1})", *underlined(text, start, end)]
        if self.expected:
            lines.append(f"expected {one_line(self.expected, _LONGEST)}")
        if self.hint and len(self.hint) <= _LONGEST:  # a part of it would not help
            lines.append(f"hint: {self.hint}")
        return RangeError(
            "\n".join(lines),
            text=text,
            position=start,
            length=end - start,
            expected=self.expected,
            hint=self.hint,
        )


def underlined(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the part of `text` around ``text[start:end]``, and carets under that.

    Control characters are shown escaped and take the width of what is shown.
    """
    first, last = max(0, start - _BEFORE), min(len(text), max(end, start + 1) + _AFTER)
    stop = min(end, start + _WITHIN)
    if end > stop:
        last = stop
    before = ("…" if first else "") + _shown(text[first:start])
    part = _shown(text[start:stop])
    after = _shown(text[stop:last]) + ("…" if last < len(text) else "")
    carets = "^" * max(1, _width(part))
    return f"  {before}{part}{after}", f"  {' ' * _width(before)}{carets}"


def _shown(text: str) -> str:
    return "".join(
        char if char.isprintable() and not _is_mark(char) else _escaped(char) for char in text
    )


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _is_mark(char: str) -> bool:
    """Tell whether `char` is drawn onto the one before it, and so would hide."""
    if char.isascii() or char in _SUIT_SIGNS:
        return False
    import unicodedata

    return unicodedata.category(char).startswith("M")


def _width(text: str) -> int:
    """Return how many columns of a terminal `text` takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if char in "\ufe0e\ufe0f" else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


# --- words that are no hands --------------------------------------------------------------


def foreign_place(text: str, start: int, end: int) -> int | None:
    """Return the place of the first character in ``text[start:end]`` that no range has."""
    for place in range(start, end):
        char = text[place]
        if not (char.isascii() and char.isprintable()) and char not in _BLANKS + _SUIT_SIGNS:
            return place
    return None


def foreign_fault(text: str, place: int, start: int, end: int) -> Fault:
    """Return what to say of the character at `place`, in the word ``text[start:end]``."""
    import unicodedata

    char = text[place]
    if unicodedata.category(char) == "Cc":
        return Fault(f"{visible(char)} is a control character")
    name = unicodedata.name(char, "")
    word = text[start : min(end, start + _WITHIN)]
    plain = unicodedata.normalize("NFKC", word.translate(_LOOK_ALIKES)).translate(_LOOK_ALIKES)
    like = unicodedata.normalize("NFKC", char.translate(_LOOK_ALIKES))
    shown = _shown(char) if char.isprintable() else visible(char)[1:-1]
    told = f"'{shown}' (U+{ord(char):04X}{' ' + name if name else ''})"
    if like.isascii() and like.isprintable() and like.strip():
        problem = f"{told} only looks like {like!r}"
        return Fault(problem, hint=plain if plain.isascii() and plain.isprintable() else None)
    return Fault(f"{told} stands in no range")


def word_fault(word: str) -> Fault:
    """Return what to say of a word that stands where a hand should and is none."""
    expected = "two ranks or two cards, as in AKs or AhKd"
    plain = word.upper().replace("10", "T")
    ranks = set(RANKS)
    suit = word[-1:].lower()
    if len(plain) == 2 and plain[0] in ranks and suit in "cdhs♣♦♥♠":
        return Fault(
            f"{visible(word)} is one card; a hand has two",
            hint=f"{plain[0]}{suit}X is any hand that holds it",
            expected=expected,
        )
    if len(plain) == 1 and plain in ranks:
        return Fault(
            f"{visible(word)} is one rank; a hand has two",
            hint=f"{plain}X is any hand that is no pair and holds that rank",
            expected=expected,
        )
    if len(plain) > 2 and set(plain) <= ranks:
        return Fault(f"{visible(word)} has {len(plain)} ranks; a hand has two", expected=expected)
    return Fault(f"{visible(word)} is not a hand", hint=_hint(word), expected=expected)


def _hint(word: str) -> str | None:
    """Return what `word` almost is."""
    if "+-" in word:
        return word.replace("+-", "-")
    if word.endswith("-") and len(word) > 1:
        return f"{word}, with a comma or the end behind it"
    number = word.lower().removeprefix("top").rstrip("%")
    parts = [part.rstrip("%") for part in number.split("-")]
    if len(parts) > 2 or not all(d.isascii() and d.replace(".", "", 1).isdigit() for d in parts):
        return "top 15%" if not number else None
    shares = [float(part) for part in parts]
    if len(parts) == 1 and number == word and shares[0] <= 1:
        return f"{word}(AK) gives AK that weight"
    fits = shares == sorted(shares) and shares[-1] <= 100
    return "-".join(f"{part}%" for part in parts) if fits else None

"""Which format a log has, by its lines, and where in it each hand begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from holdem.errors import HistoryError

_MOST_OF_HAND = 1 << 18  # bytes; the longest hands of real logs have some ten thousand

_BOM = b"\xef\xbb\xbf"
_CONTENT = re.compile(rb"\s*[^\s#*]")
_SECTION = re.compile(rb"\[[^\[\]]+\]\s*(?:#.*)?$")
_PHH = re.compile(
    rb"^\s*(?:variant|antes|blinds_or_straddles|starting_stacks|actions|min_bet|small_bet|big_bet"
    rb"|ante_trimming_status|bring_in|author|event|players|hand|venue|winnings|finishing_stacks)"
    rb"\s*=|^\s*\[[^\[\]\n]+\]\s*(?:#.*)?$",
    re.MULTILINE,
)

# How the first line of a hand begins: the format, or the name of a site that is not read.
_STARTS = {
    "pokerstars": rb"PokerStars [\w ]*(?:Hand|Game) #\d+[:, ]",
    "ggpoker": rb"Poker Hand #[A-Z]*\d+:",
    "bovada": rb"(?:Ignition|Bovada|Bodog)[^\n#]* Hand #\d+",
}
_OTHER_SITES = {
    "PokerStars, the summary of a tournament": rb"PokerStars Tournament #\d+, ",
    "PokerStars in a language other than English": rb"(?:\w+ )?PokerStars[^\n]* #\d+",
    "Full Tilt Poker": rb"Full ?Tilt ?Poker ",
    "PartyPoker": rb"\*{5} Hand History for Game [^#]|Game #\d+ starts",
    "Betfair": rb"\*{5} Betfair Poker Hand History",
    "888poker": rb"#Game No : |\*{5} [\w.]+ Hand History for",
    "BetOnline": rb"BetOnline Poker Game #",
    "Unibet": rb"Game #\d+: Table",
    "Winamax": rb"Winamax Poker",
    "iPoker": rb"<game gamecode=",
    "Merge": rb"<game id=",
    "BossMedia": rb"<HISTORY ID=",
    "Microgaming": rb"<Game hhversion",
    "Absolute Poker": rb"Stage #",
    "Ongame": rb"\*{5} History for hand",
    "Winning Poker Network": rb"Game started at: |Hand #\d+ - \w+ ?\(",
    "Cake Poker": rb"Hand#\w+",
    "PKR": rb"Table #\d+",
    "Seals with Clubs": rb"Hand #\d+-\d+ - ",
    "Everleaf": rb"Everleaf Gaming Game #",
    "Entraction": rb"Game # \d+ - ",
    "PokerTracker, the summary of a tournament": rb"PokerTracker \d* ?Tournament",
}
_START = re.compile(
    rb"\s*(?:"
    + b"|".join(
        rb"(?P<s%d>%b)" % (number, start)
        for number, start in enumerate((*_STARTS.values(), *_OTHER_SITES.values()))
    )
    + rb")",
    re.IGNORECASE,
)
_NAMES = (*_STARTS, *_OTHER_SITES)
# What a line begins with that may be the first one of a hand: tried before the pattern, as it is
# five times as fast.
_FIRST = {
    *(b"poker", b"full ", b"fullt", b"*****", b"game ", b"#game", b"winam", b"ignit", b"bovad"),
    *(b"bodog", b"<game", b"<hist", b"stage", b"hand ", b"hand#", b"table", b"everl", b"beton"),
    *(b"main ", b"mano ", b"m\xc3\xa3o "),
}

_BLANKS = (b" ", b"\t", b"\f")

#: What is read, for messages.
READ = "PHH, PHHS, PokerStars, GGPoker, Ignition and Bovada"


def find_start(line: bytes) -> str | None:
    """Find the format, or the site that is not read, of a hand that begins at a line."""
    if line[:5].lower() not in _FIRST and line[:1] not in _BLANKS:
        return None
    found = _START.match(line)
    if found is None or found.lastgroup is None:
        return None
    return _NAMES[int(found.lastgroup[1:])]


def find_format(start: bytes) -> str:
    """Determine the format of a file from its first lines: ``"phh"``, or ``"sites"`` for text."""
    if not start.strip():
        raise HistoryError("the file is empty", kind="empty")
    if b"\0" in start:
        raise HistoryError("a binary file, not text", kind="not a hand history")
    lines = start.splitlines()
    if any(find_start(line.removeprefix(_BOM)) for line in lines):
        return "sites"
    if _PHH.search(start.removeprefix(_BOM)):
        return "phh"
    if all(line.lstrip().startswith(b"#") for line in lines[:-1]) and lines[0].lstrip()[:1] == b"#":
        return "phh"  # comments only, so far
    raise HistoryError(
        f"not a hand history that can be read; {READ} can", kind="not a hand history"
    )


def find_hands(
    lines: Iterable[bytes], log_format: str
) -> Iterator[tuple[int, str, str | HistoryError]]:
    """Join the lines of a file into hands: the number of the first line, the format, the text.

    A `HistoryError` stands in place of a text of more than 256 KiB. Of a file of ``"sites"``, the
    text before the first hand is left out. A PHH file with a single hand has no line that marks its
    start, so that text before the first one is also a hand, unless it is blank or a comment. The
    format of a hand of a site that is not read is the name of the site.
    """
    is_phh = log_format == "phh"
    first, size, chunk = 1, 0, list[bytes]()
    found: str | None = "phh" if is_phh else None
    for number, line in enumerate(chain(lines, [None]), 1):
        if line is None:
            start: str | None = "phh"
        else:
            if line[:1] == _BOM[:1]:
                line = line.removeprefix(_BOM)
            start = ("phh" if _SECTION.match(line) else None) if is_phh else find_start(line)
        if start is not None:
            if found is None:
                pass
            elif size > _MOST_OF_HAND and found in ("phh", *_STARTS):
                message = f"{size:,} bytes without a new hand"
                yield first, found, HistoryError(message, kind="too large")
            elif found in _OTHER_SITES or any(map(_CONTENT.match, chunk)):
                yield first, found, _decode(b"".join(chunk))
            first, size, chunk, found = number, 0, [], start
        if line is not None and found is not None:
            size += len(line)
            if size <= _MOST_OF_HAND:
                chunk.append(line)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")  # of old logs

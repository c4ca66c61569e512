"""Which format a log has, by its first lines, and where in it each hand begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from holdem.errors import HistoryError

_MOST_OF_HAND = 1 << 18  # bytes; the longest hands of real logs have some ten thousand

_POKERSTARS = re.compile(rb"(?:\xef\xbb\xbf)?\s*PokerStars [^\n]*#[0-9]+[:, ]")
_PHH = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[[^\]\n]+\]|[A-Za-z_]+)\s*(?:=|$|#)", re.MULTILINE)
_CONTENT = re.compile(rb"(?:\xef\xbb\xbf)?\s*[^\s#*]")
_SECTION = re.compile(rb"\[[^\[\]]+\]\s*(?:#.*)?$")
_OTHER_SITES = {
    "Full Tilt Poker": rb"Full ?Tilt ?Poker ",
    "PartyPoker": rb"\*{5} Hand History for Game",
    "888poker": rb"#Game No : |\*{5} 888poker",
    "Winamax": rb"Winamax Poker",
    "GGPoker": rb"Poker Hand #",
    "Ignition or Bovada": rb"(?:Ignition|Bovada|Bodog)[^\n]* Hand #",
    "iPoker": rb"<session|<\?xml",
    "Absolute Poker": rb"Stage #",
    "Ongame": rb"\*{5} History for hand",
}
_OTHER_SITE = {
    name: re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:" + start + rb")")
    for name, start in _OTHER_SITES.items()
}

#: What is read, for messages.
READ = "PHH, PHHS, and PokerStars cash games"


def find_format(start: bytes) -> str:
    """Determine the format of a file from its first lines: ``"phh"`` or ``"pokerstars"``."""
    if not start.strip():
        raise HistoryError("the file is empty", kind="empty")
    if b"\0" in start:
        raise HistoryError("a binary file, not text", kind="not a hand history")
    for line in start.splitlines():
        if not line.strip() or (line.lstrip().startswith(b"#") and not line.startswith(b"#Game")):
            continue
        if _POKERSTARS.match(line):
            return "pokerstars"
        for name, pattern in _OTHER_SITE.items():
            if pattern.match(line):
                raise HistoryError(
                    f"a log of {name}, which cannot be read; {READ} can", kind="other site"
                )
        if _PHH.match(line):
            return "phh"
    if all(line.lstrip().startswith(b"#") for line in start.split(b"\n")[:-1]):
        return "phh"  # comments only, so far
    raise HistoryError(
        f"not a hand history that can be read; {READ} can", kind="not a hand history"
    )


_STARTS: dict[str, Callable[[bytes], Any]] = {
    "phh": _SECTION.match,
    "pokerstars": _POKERSTARS.match,
}


def find_hands(lines: Iterable[bytes], log_format: str) -> Iterator[tuple[int, str | HistoryError]]:
    """Join the lines of a ``"phh"`` or ``"pokerstars"`` file into hands.

    Each comes with the number of its first line, from 1; a `HistoryError` stands in place of a text
    of more than 256 KiB. A hand begins at a line that marks its start. Since a PHH file with a
    single hand has no such line, text before the first one is also a hand, unless all of it is
    blank or a comment.
    """
    is_start = _STARTS[log_format]
    first, size, chunk = 1, 0, list[bytes]()
    for number, line in enumerate(chain(lines, [None]), 1):
        if line is None or is_start(line):
            if size > _MOST_OF_HAND:
                message = f"{size:,} bytes without a new hand"
                yield first, HistoryError(message, kind="too large")
            elif any(map(_CONTENT.match, chunk)):
                yield first, _decode(b"".join(chunk))
            first, size, chunk = number, 0, []
        if line is not None:
            size += len(line)
            if size <= _MOST_OF_HAND:
                chunk.append(line)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")  # of old logs

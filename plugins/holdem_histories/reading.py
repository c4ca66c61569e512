"""`read_hands`, which reads the hands of logs one at a time, and records why it skipped some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Literal, TypeAlias

import attrs

from holdem.arguments import require_text
from holdem.betting.played_hand import PlayedHand
from holdem.errors import HistoryError, HoldemValueError, counted, quoted
from holdem_histories.bovada import read_bovada
from holdem_histories.ggpoker import read_ggpoker
from holdem_histories.log_formats import READ, find_format, find_hands
from holdem_histories.phh import read_phh
from holdem_histories.pokerstars import read_pokerstars
from holdem_histories.sources import LogFile, Source, list_files

_SNIFFED = 1 << 12  # bytes
_MOST_LISTED = 10_000


@attrs.frozen
class SkippedHand:
    """A hand, or a whole file, that was not read."""

    file: str | None
    """The file; None for text."""
    line: int | None
    """The line, from 1, on which the hand begins; None if the whole file was skipped."""
    kind: str
    """The reason in one or a few words, such as ``"tournament"``."""
    reason: str

    def __str__(self) -> str:
        places = [self.file or "", f"line {self.line:,}" if self.line else ""]
        place = ", ".join(filter(None, places))
        return f"{place}: {self.reason}" if place else self.reason


class HandReader(Iterator[PlayedHand]):
    """An iterator that reads the hands of logs one at a time; made by `read_hands`.

    Attributes:
        hands: the number of hands read so far.
        copies: the number of hands that were left out so far, as they had been read before.
        skipped: the first 10,000 hands and files that were skipped so far, as `SkippedHand`.
        kinds: the number of hands and files that were skipped so far, by `SkippedHand.kind`.
    """

    def __init__(
        self,
        files: Iterator[LogFile | HistoryError],
        log_format: str,
        raises: bool,
        keeps_copies: bool = False,
    ) -> None:
        self.hands = 0
        self.copies = 0
        self.skipped: list[SkippedHand] = []
        self.kinds: Counter[str] = Counter()
        self._raises = raises
        self._keeps_copies = keeps_copies
        self._seen: set[int] = set()
        self._iterator = self._read(_find_all(files, log_format))

    def __next__(self) -> PlayedHand:
        hand = next(self._iterator)
        self.hands += 1
        return hand

    def __repr__(self) -> str:
        return f"<HandReader: {self.summary()}>"

    def summary(self) -> str:
        """Format the counts so far: ``"9,988 hands, 12 skipped: 8 tournament, 4 broken"``."""
        text = counted(self.hands, "hand")
        if self.copies:
            text += f", {self.copies:,} {'copy' if self.copies == 1 else 'copies'} skipped"
        if self.kinds:
            found = ", ".join(f"{count:,} {kind}" for kind, count in self.kinds.most_common())
            text += f", {self.kinds.total():,} skipped: {found}"
        return text

    def _read(self, found: Iterator[_Found]) -> Iterator[PlayedHand]:
        for file, line, log_format, text in found:
            hand = _read_one(file, line, log_format, text)
            if isinstance(hand, HistoryError):
                self._skip(hand, file, line)
            elif self._keeps_copies or not self._is_copy(hand, log_format):
                yield hand

    def _is_copy(self, hand: PlayedHand, log_format: str) -> bool:
        """Tell whether a hand was read before; a hash of each is kept."""
        if not hand.number and hand.time is None:  # two hands may look alike
            return False
        if log_format != "phh":
            key = hash((hand.site, hand.number))
        else:  # numbers of PHH repeat
            said = (hand.names, hand.holes, hand.board, hand.stacks, hand.actions, hand.net)
            key = hash((said, hand.number, hand.table, hand.time))
        if key in self._seen:
            self.copies += 1
            return True
        self._seen.add(key)
        return False

    def _skip(self, error: HistoryError, file: str | None, line: int | None) -> None:
        """Record, or raise, why hands or, if `line` is None, a whole file are skipped."""
        skipped = SkippedHand(file, line, error.kind, str(error))
        if self._raises:
            raise HistoryError(str(skipped), kind=error.kind, file=file, line=line or 1) from None
        self.kinds[error.kind] += getattr(error, "hands", 1)
        if len(self.skipped) < _MOST_LISTED:
            self.skipped.append(skipped)


#: A file, the line on which a hand begins or None, the format, and the text of the hand or why it
#: is skipped.
_Found: TypeAlias = tuple[str | None, int | None, str, str | HistoryError]


def _find_all(files: Iterator[LogFile | HistoryError], log_format: str) -> Iterator[_Found]:
    for file in files:
        if isinstance(file, HistoryError):
            yield file.file, None, log_format, file
            continue
        try:
            yield from _find_in_file(file, log_format)
        except HistoryError as error:
            yield file.name, None, log_format, error


def _find_in_file(file: LogFile, log_format: str) -> Iterator[_Found]:
    lines = file.lines()
    start, size = list[bytes](), 0
    while size < _SNIFFED and (line := next(lines, b"")):
        start.append(line)
        size += len(line)
    if log_format == "auto":
        log_format = find_format(b"".join(start))
    passed: dict[str, tuple[int, int]] = {}  # of sites that are not read: the first line, the hands
    number = 0
    for number, found, text in find_hands(chain(start, lines), log_format):
        if found in _READERS:
            yield file.name, number, found, text
        else:
            first, hands = passed.get(found, (number, 0))
            passed[found] = first, hands + 1
    if not number:
        raise HistoryError(
            "no hand of PokerStars, GGPoker, Ignition or Bovada begins in it",
            kind="not a hand history",
        )
    for site, (first, hands) in passed.items():
        yield file.name, first, site, OtherSiteError(site, hands)


class OtherSiteError(HistoryError):
    """Hands of one site in one file that are not read."""

    def __init__(self, site: str, hands: int) -> None:
        super().__init__(
            f"{counted(hands, 'hand')} of {site}, which cannot be read; {READ} can",
            kind="other site",
        )
        self.hands = hands


def _read_one(
    file: str | None, line: int | None, log_format: str, text: str | HistoryError
) -> PlayedHand | HistoryError:
    """Parse the text of a hand; return it, or why it is skipped."""
    if isinstance(text, HistoryError):
        return text
    try:
        return _READERS[log_format](text, file, line or 1)
    except HistoryError as error:
        return error


_READERS: dict[str, Callable[[str, str | None, int], PlayedHand]] = {
    "phh": read_phh,
    "pokerstars": read_pokerstars,
    "ggpoker": read_ggpoker,
    "bovada": read_bovada,
}


def read_hands(
    source: Source,
    format: Literal["auto", "phh", "pokerstars", "ggpoker", "bovada"] = "auto",  # noqa: A002
    errors: Literal["skip", "raise"] = "skip",
    copies: Literal["skip", "keep"] = "skip",
) -> HandReader:
    """Read hand histories: PHH, PHHS, and those of PokerStars, GGPoker, Ignition and Bovada.

    Hands are read one at a time, so that logs may be larger than memory: to find copies, some
    hundred bytes of each hand are kept. Hands and files that can't be read are skipped, and listed
    with the reasons in the attribute ``skipped`` of the reader.

    Args:
        source: a file, a folder with all files below it, an archive ``.zip`` or ``.gz``, a sequence
            of such paths, or the text of a log. The files of a folder are read in the order of
            their names.
        format: ``"phh"`` for PHH, ``"pokerstars"``, ``"ggpoker"`` or ``"bovada"`` for the text of
            sites, or ``"auto"`` to find the format of each file from its first lines.
        errors: ``"skip"``, or ``"raise"`` to stop at the first hand or file that can't be read.
        copies: ``"skip"`` to count a hand once that is found again, in a copy of a log or in an
            archive, or ``"keep"``. Hands of a site are the same if their numbers are; hands in PHH
            if all that they say is the same, cards and actions included.

    Returns:
        An iterator of `PlayedHand`.

    Raises:
        HistoryError: a hand can't be read, with ``errors="raise"``. It is raised by the iterator.
        HoldemValueError: no such file, format or way to treat errors.
        HoldemTypeError: an argument has an unsupported type.
    """
    require_text(format, "format")
    require_text(errors, "errors")
    require_text(copies, "copies")
    if format not in ("auto", *_READERS):
        names = ", ".join(("auto", *_READERS))
        raise HoldemValueError(f"no format {quoted(format)}; there are: {names}")
    if errors not in ("skip", "raise"):
        raise HoldemValueError(f'errors must be "skip" or "raise", not {quoted(errors)}')
    if copies not in ("skip", "keep"):
        raise HoldemValueError(f'copies must be "skip" or "keep", not {quoted(copies)}')
    log_format = format if format in ("auto", "phh") else "sites"
    return HandReader(list_files(source), log_format, errors == "raise", copies == "keep")

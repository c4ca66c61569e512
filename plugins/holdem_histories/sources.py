"""Hand histories in files, folders, archives and text: list the files, and divide them into hands.

Archives are not unpacked to disk, and no file is loaded into memory as a whole.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

import attrs

from holdem.arguments import is_iterable
from holdem.errors import HistoryError, HoldemTypeError, HoldemValueError, quoted

_MOST_UNPACKED = 1 << 32  # bytes of a file in an archive: four gigabytes
_MOST_OF_HAND = 1 << 18  # bytes; the longest hands of real logs have some ten thousand
_LONGEST_LINE = 1 << 16

_DIGITS = re.compile(r"([0-9]{1,18})")

#: What is given to `read_hands`.
Source: TypeAlias = "str | os.PathLike[str] | Iterable[str | os.PathLike[str]]"


@attrs.frozen
class LogFile:
    """A file on disk or in an archive, or text, in which hands are looked for."""

    name: str | None
    """The name for messages; None for text."""
    open: Callable[[], Any]
    """Opens the file, and returns a binary stream."""
    most: int | None = None
    """The number of bytes after which reading stops; None without a limit."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file; a line of more than 64 KiB comes in several pieces.

        Raises:
            HistoryError: the file cannot be read, or is too large when unpacked.
        """
        size = 0
        try:
            with self.open() as stream:
                while line := stream.readline(_LONGEST_LINE):
                    yield line
                    size += len(line)
                    if self.most is not None and size > self.most:
                        message = f"unpacked, it has more than {self.most:,} bytes"
                        raise HistoryError(message, kind="too large")
        except (zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError) as error:
            raise HistoryError(f"it is damaged: {error}", kind="damaged archive") from None
        except (RuntimeError, NotImplementedError) as error:  # a password, or a method
            raise HistoryError(f"it cannot be unpacked: {error}", kind="damaged archive") from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise HistoryError(f"it cannot be read: {reason}", kind="unreadable") from None


def list_files(source: Source) -> Iterator[LogFile | HistoryError]:
    """Iterate over the files of a source; those of a folder come in the order of their names.

    `source` is that of `read_hands`. A file that cannot be read is replaced by a `HistoryError`
    that says why.

    Raises:
        HoldemTypeError: `source` is neither text nor a path, nor a sequence of texts and paths.
        HoldemValueError: there is no such file.
    """
    if isinstance(source, str) and "\n" in source:
        text = source.encode(errors="replace")
        return iter([LogFile(None, lambda: io.BytesIO(text))])
    if isinstance(source, str | os.PathLike):
        return _walk(_existing_path(source))
    if not is_iterable(source) or isinstance(source, bytes) or hasattr(source, "read"):
        raise HoldemTypeError(f"source: expected text or a path, not {quoted(source)}")
    return chain.from_iterable([list_files(one) for one in source])


def _existing_path(source: str | os.PathLike[str]) -> Path:
    path = Path(source)
    try:
        exists = path.exists() and str(source) != ""
    except (OSError, ValueError):  # a name too long, or with a null character
        exists = False
    if not exists:
        raise HoldemValueError(f"source: {quoted(str(source))}: no such file, and not a log itself")
    return path


def _walk(path: Path) -> Iterator[LogFile | HistoryError]:
    for each in sorted(path.rglob("*"), key=_by_number) if path.is_dir() else [path]:
        if each.is_file() or each == path:
            yield from _open_file(each)
        elif not each.is_dir():
            yield HistoryError("not a file with content", kind="unreadable", file=str(each))


def _by_number(path: Path) -> list[tuple[int, str]]:
    """Make a sort key that compares numbers in names as numbers, so that file 10 follows file 9."""
    return [(int(part) if part.isdecimal() else 0, part) for part in _DIGITS.split(str(path))]


def _open_file(path: Path) -> Iterator[LogFile | HistoryError]:
    name = str(path)
    if path.suffix.lower() == ".zip":
        yield from _list_archive(path)
    elif path.suffix.lower() == ".gz":
        yield LogFile(name, lambda: gzip.GzipFile(path), _MOST_UNPACKED)
    else:
        yield LogFile(name, lambda: path.open("rb"))


def _list_archive(path: Path) -> Iterator[LogFile | HistoryError]:
    """Yield the files of a zip archive, or a `HistoryError` in place of a file that is refused."""
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        yield HistoryError(f"it is damaged: {error}", kind="damaged archive", file=str(path))
        return
    with archive:
        for member in archive.infolist():
            name = f"{path}/{member.filename}"
            inside = PurePosixPath(member.filename.replace("\\", "/"))
            if member.is_dir():
                continue
            if inside.is_absolute() or ".." in inside.parts or ":" in inside.parts[0]:
                yield HistoryError("its path leads out of the archive", kind="bad path", file=name)
            elif inside.suffix.lower() in (".zip", ".gz"):
                yield HistoryError("an archive inside an archive", kind="nested archive", file=name)
            else:
                yield LogFile(name, partial(archive.open, member), _MOST_UNPACKED)


# --- formats ------------------------------------------------------------------------------------

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
    """Determine the format of a file from its first lines: ``"phh"`` or ``"pokerstars"``.

    Raises:
        HistoryError: the file is empty, or has another format.
    """
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
    """Join the lines of a file into hands.

    A hand begins at a line that marks its start. Since a PHH file with a single hand has no such
    line, text before the first one is also a hand, unless all of it is blank or a comment.

    Args:
        lines: the lines of the file.
        log_format: ``"phh"`` or ``"pokerstars"``.

    Yields:
        For each hand, the number of its first line, from 1, and its text; a `HistoryError` in place
        of a text of more than 256 KiB.
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

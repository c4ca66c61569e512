"""Files with hand histories: on disk, in folders and archives, and given as text.

Archives are not unpacked to disk, and no file is loaded into memory as a whole.
"""

from __future__ import annotations

import codecs
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

        Text in UTF-16 becomes UTF-8, and a carriage return alone ends a line, too.
        """
        size, rest = 0, b""
        try:
            with self.open() as opened:
                stream = _in_utf8(opened)
                while line := stream.readline(_LONGEST_LINE):
                    size += len(line)
                    if rest or (b"\r" in line and b"\r" in line[:-2]):
                        line = (rest + line).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
                        *parts, rest = line.splitlines(keepends=True)
                        yield from parts
                        if rest[-1:] == b"\n" or len(rest) > _LONGEST_LINE:
                            yield rest
                            rest = b""
                    else:
                        yield line
                    if self.most is not None and size > self.most:
                        message = f"unpacked, it has more than {self.most:,} bytes"
                        raise HistoryError(message, kind="too large")
                if rest:
                    yield rest
        except (zipfile.BadZipFile, zlib.error, gzip.BadGzipFile, EOFError) as error:
            raise HistoryError(f"it is damaged: {error}", kind="damaged archive") from None
        except (RuntimeError, NotImplementedError) as error:  # a password, or a method
            raise HistoryError(f"it cannot be unpacked: {error}", kind="damaged archive") from None
        except OSError as error:
            reason = error.strerror or str(error)
            raise HistoryError(f"it cannot be read: {reason}", kind="unreadable") from None


def _in_utf8(stream: Any) -> Any:
    """Wrap a stream of UTF-16, which its first two bytes tell, so that it is one of UTF-8."""
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(stream)
    if stream.peek(2)[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return stream
    return codecs.EncodedFile(stream, "utf-8", "utf-16", errors="replace")


def list_files(source: Source) -> Iterator[LogFile | HistoryError]:
    """Iterate over the files of a source; those of a folder come in the order of their names.

    `source` is that of `read_hands`. A file that cannot be read is replaced by a `HistoryError`
    that says why.
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

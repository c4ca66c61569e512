"""Atomic file writes: a file is replaced completely or left untouched."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_DAY = 24 * 60 * 60  # seconds


@contextmanager
def atomic_file(
    path: str | os.PathLike[str],
    *,
    kept_after: tuple[type[BaseException], ...] = (),
    replaces: bool = True,
) -> Iterator[Path]:
    """Context manager that yields a path for a new file, and moves the file to `path` at the end.

    After an exception, for example on a full disk or after Ctrl-C, the new file is removed, and an
    existing file at `path` is unchanged. After one of `kept_after`, the new file is moved all the
    same, and the exception is raised again. If `path` is a link, its target is replaced; if it is a
    device or a pipe, its own path is yielded instead of a new one. With ``replaces=False``, a file
    that appears at `path` meanwhile stays, and an error names the new one, which lies beside it.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            yield target
        else:
            with _replacing(target, kept_after, replaces) as new:
                yield new
    except OSError as error:
        if error.errno is None:  # not of the system
            raise
        is_own = isinstance(error, FileExistsError)
        text = error.strerror if is_own else os.strerror(error.errno)
        raise OSError(error.errno, text, os.fspath(path)) from error


@contextmanager
def _replacing(
    target: Path, kept_after: tuple[type[BaseException], ...], replaces: bool
) -> Iterator[Path]:
    if target.exists():
        with target.open("ab"):  # raises if the user may not write to it
            pass
    new = target.parent / f".holdem-{secrets.token_hex(8)}.part"
    kept: BaseException | None = None
    try:
        try:
            yield new
        except kept_after as error:
            kept = error
        if target.exists():
            if not replaces:
                beside = target.with_stem(f"{target.stem}-{secrets.token_hex(2)}")
                new.replace(beside)
                raise FileExistsError(errno.EEXIST, f"it appeared meanwhile; see {beside.name}")
            shutil.copymode(target, new)
        _remove_abandoned(new)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
    if kept is not None:
        raise kept


def _remove_abandoned(new: Path) -> None:
    """Remove files of killed processes: those beside `new` that are a day older than it."""
    for part in new.parent.glob(".holdem-*.part"):
        with suppress(OSError):
            if part.stat().st_mtime < new.stat().st_mtime - _DAY:
                part.unlink()

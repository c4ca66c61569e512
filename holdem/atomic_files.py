"""Atomic file writes: a file is replaced completely or left untouched."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl


@contextmanager
def atomic_file(
    path: str | os.PathLike[str], *, kept_after: tuple[type[BaseException], ...] = ()
) -> Iterator[Path]:
    """Context manager that yields a path for a new file, and moves the file to `path` at the end.

    After an exception, for example on a full disk or after Ctrl-C, the new file is removed, and
    an existing file at `path` is unchanged. If `path` is a device or a pipe, its own path is
    yielded instead of a new one.

    Args:
        path: the file to create or replace, or a link to it.
        kept_after: types of exceptions after which the new file is moved to `path` all the same.
            The exception is then raised again.

    Raises:
        OSError: the file cannot be written; the error has `path` as its file name.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            yield target
        else:
            with _replacing(target, kept_after) as new:
                yield new
    except OSError as error:
        if error.errno is None:  # not of the system
            raise
        raise OSError(error.errno, os.strerror(error.errno), os.fspath(path)) from error


@contextmanager
def _replacing(target: Path, kept_after: tuple[type[BaseException], ...]) -> Iterator[Path]:
    if target.exists():
        with target.open("ab"):  # raises if the user may not write to it
            pass
    _remove_abandoned(target.parent)
    new, lock = _create(target.parent)
    kept: BaseException | None = None
    try:
        try:
            yield new
        except kept_after as error:
            kept = error
        if target.exists():
            shutil.copymode(target, new)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
        if lock is not None:
            os.close(lock)
    if kept is not None:
        raise kept


def _create(folder: Path) -> tuple[Path, int | None]:
    """Name a new file; on POSIX, create and lock it until the descriptor with it is closed."""
    while True:
        new = folder / f".holdem-{secrets.token_hex(8)}.part"
        if sys.platform == "win32":  # where an open file cannot be moved
            return new, None
        lock = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(lock, fcntl.LOCK_EX)
        if new.exists():  # another process may have removed it before it was locked
            return new, lock
        os.close(lock)


def _remove_abandoned(folder: Path) -> None:
    """Remove the new files of processes that were killed: those that nobody has locked."""
    if sys.platform == "win32":
        return
    for part in folder.glob(".holdem-*.part"):
        with suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()

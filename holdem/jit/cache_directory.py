"""The directory in which numba caches the machine code of a package.

Its name contains a digest of all code and tables that can influence the machine code, so that
stale code is never used; comments and docstrings change nothing. numba's cache files are pickles:
whoever can write them can run code in this process. The directory is therefore used only if no
other user can write to it.
Without such a directory kernels are compiled in each process, and one warning says so.

Machine code with a flipped bit crashes the process or gives wrong results, and numba notices only
damage that breaks a pickle, with an error in each process until the file is removed. So each file
ends in a digest of the bytes before it, which is checked before anything is read from the file;
numba itself ignores bytes after a pickle. A damaged file is replaced.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shutil
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from holdem.errors import HoldemWarning
from holdem.jobs.stopwatch import preparing

CACHE_VARIABLE = "HOLDEM_CACHE_DIR"
_DIRECTORIES_KEPT = 4  # per package, for users who switch between versions
_NOT_SOURCES = {".css", ".html", ".js", ".md", ".pyi", ".svg"}
_ENGINE = Path(__file__).parents[1]

_warned = False


def cache_root() -> Path:
    """Find the directory for the caches of all packages.

    The environment variable ``HOLDEM_CACHE_DIR`` names it. By default, it is in the user's cache
    directory, such as ``~/.cache/holdem``.
    """
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_dir

    try:
        return Path(user_cache_dir("holdem", appauthor=False, opinion=False))
    except RuntimeError as error:
        raise OSError(str(error)) from error


def cache_directory(function: Callable[..., Any]) -> Path | None:
    """Find or create the private directory for a function's machine code.

    None if the function does not belong to a package with source files or, with a warning, if no
    private directory can be created.
    """
    package = sys.modules.get((function.__module__ or "").partition(".")[0])
    file = Path(getattr(package, "__file__", None) or "")
    sources = (file, Path(function.__code__.co_filename))
    if file.name != "__init__.py" or not all(source.is_file() for source in sources):
        return None  # a script, a notebook or an archive: no package files to digest
    return _package_directory(file.parent)


def warn_not_cached(reason: str) -> None:
    """Warn, once per process, that machine code is not cached; `reason` is part of the message."""
    global _warned
    if _warned:
        return
    _warned = True
    warnings.warn(
        f"compiled code is not kept between runs: {reason};"
        f" set {CACHE_VARIABLE} to a directory that only you can write",
        HoldemWarning,
        stacklevel=2,
    )


@cache
def _package_directory(package: Path) -> Path | None:
    prefix = f"kernels-{package.name}"
    try:
        files = dict(source_files({_ENGINE, package}))
        memo = cache_root() / f"{prefix}.digest"
        whole = _versioned_digest(files)
        known = _known_digest(memo, whole)
        digest = known or digest_of(files.items())
        directory = cache_root() / f"{prefix}-{digest}"
        fault = make_private(directory)
        if not fault and not known:
            from holdem.atomic_files import atomic_file

            with suppress(OSError), atomic_file(memo) as new:
                new.write_text(f"{whole} {digest}")
    except OSError as error:
        fault = str(error)
    if fault:
        warn_not_cached(fault)
        return None
    _remove_older(directory, prefix)
    return directory


def digest_of(files: Iterable[tuple[str, bytes]]) -> str:
    """Compute a digest of everything that affects machine code, as 24 hexadecimal digits.

    It covers the versions of numba, numpy and Python, and `files`: code without its comments and
    docstrings, and all else as it is, since tables can have any format.
    """
    return _versioned_digest({name: _code(name, content) for name, content in files})


def source_files(packages: set[Path]) -> Iterator[tuple[str, bytes]]:
    """Read the files of packages, but none that is hidden, bytecode, a stub, or for people."""
    for package in sorted(packages):
        for path in sorted(package.rglob("*")):
            inside = path.relative_to(package.parent)
            if any(part.startswith((".", "__pycache__")) for part in inside.parts[1:]):
                continue
            if path.is_file() and path.suffix not in _NOT_SOURCES:
                yield inside.as_posix(), path.read_bytes()


def _code(name: str, content: bytes) -> bytes:
    """Return what Python compiles of a file: no comments, docstrings or places of lines."""
    if not name.endswith(".py"):
        return content
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(content)
            for node in ast.walk(tree):
                for part in vars(node).values():
                    if isinstance(part, list):
                        part[:] = [each for each in part if not _is_docstring(each)]
            return ast.dump(tree).encode()
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return content  # for another Python, or too deep


def _is_docstring(node: Any) -> bool:  # of a module, class, function or attribute
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def _versioned_digest(files: Mapping[str, bytes]) -> str:
    import hashlib  # takes 2 ms, which answers without kernels do not need to spend

    import numba
    import numpy as np

    versions = f"{numba.__version__} {np.__version__} {sys.version}"
    digest = hashlib.sha256(versions.encode())
    for name, content in files.items():
        digest.update(f"{name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:24]


def _known_digest(memo: Path, whole: str) -> str:
    """Return the digest of the code of the same files, which takes half a second to compute.

    `memo` holds the digest of whole files and that of their code, from the last process that
    computed them. Empty if the files were others.
    """
    with suppress(OSError, ValueError):
        before, digest = memo.read_text().split()
        if before == whole and re.fullmatch("[0-9a-f]{24}", digest):
            return digest
    return ""


def make_private(directory: Path) -> str:
    """Create a directory, unless it exists, that only the user can write to.

    Return the reason why it cannot be used; empty if it can.
    """
    if not directory.is_absolute():
        return f"the cache directory {directory} is not an absolute path"
    for place in (directory.parent, directory):
        if not place.exists():
            # An explicit mode: with umask 002, common on Linux, the group could write.
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return f"{place} is not a directory"
        if hasattr(os, "getuid"):
            if found.st_uid != os.getuid():
                return f"{place} belongs to another user"
            if found.st_mode & 0o022:
                return f"{place} can be written by others"
    if hasattr(os, "getuid") and directory.stat().st_mode & 0o077:
        directory.chmod(0o700)
    if not os.access(directory, os.W_OK | os.X_OK):
        return f"{directory} cannot be written"
    return ""


def _remove_older(current: Path, prefix: str) -> None:
    """Remove old cache directories of a package: all but the four that were used last.

    `current` is the one in use. The names of all of them begin with `prefix` and a hyphen.
    """
    with contextlib.suppress(OSError):
        os.utime(current)
        directories = list(current.parent.glob(f"{prefix}-*"))
        directories.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in directories[_DIRECTORIES_KEPT:]:
            shutil.rmtree(path, ignore_errors=True)


# --- digests of the files -------------------------------------------------------------------

_DIGEST_SIZE = 32


def is_whole(file: Path) -> bool:
    """Check whether a file exists and ends in the digest of the bytes before it."""
    try:
        content = memoryview(file.read_bytes())
    except OSError:
        return False
    return _digest(content[:-_DIGEST_SIZE]) == content[-_DIGEST_SIZE:]


def _digest(content: bytes | memoryview) -> bytes:
    import hashlib  # takes 2 ms, which answers without kernels do not need to spend

    return hashlib.sha256(content).digest()


def guard_cache(compiled: Any) -> None:
    """Make numba treat damaged cache files as missing, and ignore write errors.

    `compiled` is a function as compiled by numba with ``cache=True``.
    """
    cache: Any = compiled._cache
    files: Any = cache._cache_file
    load, save = cache.load_overload, cache.save_overload
    open_to_write, load_index, load_data = (
        files._open_for_write,
        files._load_index,
        files._load_data,
    )
    index, path_of = Path(files._index_path), files._data_path

    @contextmanager
    def open_with_digest(path: str) -> Iterator[BytesIO]:
        content = BytesIO()
        yield content
        with open_to_write(path) as file:
            file.write(content.getvalue())
            file.write(_digest(content.getvalue()))

    def load_overload(*arguments: Any) -> Any:
        try:
            with preparing():
                return load(*arguments)
        except Exception:  # unpickling what another version wrote raises errors of any type
            try:
                cache.flush()  # numba reads the index again before it saves
            except OSError:
                cache.disable()
            return None

    def save_overload(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.load_overload, cache.save_overload = load_overload, save_overload
    files._open_for_write = open_with_digest
    files._load_index = lambda: load_index() if is_whole(index) else {}
    files._load_data = lambda name: load_data(name) if is_whole(Path(path_of(name))) else None

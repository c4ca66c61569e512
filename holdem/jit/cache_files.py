"""Digests of numba's cache files, so that damaged machine code is compiled again and replaced.

Machine code with a flipped bit crashes the process or gives wrong results, and numba notices only
damage that breaks a pickle, with an error in each process until the file is removed. So each file
ends in a digest of what precedes it, which is checked before anything is read from the file; numba
itself ignores what follows a pickle.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from holdem.jobs import compile_time

_DIGEST_SIZE = 32


def is_whole(file: Path) -> bool:
    """Check whether a file exists and ends in the digest of what precedes it."""
    try:
        content = memoryview(file.read_bytes())
    except OSError:
        return False
    return _digest(content[:-_DIGEST_SIZE]) == content[-_DIGEST_SIZE:]


def _digest(content: bytes | memoryview) -> bytes:
    import hashlib  # takes 2 ms, which answers without kernels do not need to spend

    return hashlib.sha256(content).digest()


def guard_cache(compiled: Any) -> None:
    """Treat damaged cache files of a function as cache misses, and ignore errors in writing.

    Args:
        compiled: the dispatcher, which numba made with ``cache=True``.

    Raises:
        AttributeError: numba's cache has other methods than those that are replaced here.
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
            with compile_time.loading():
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

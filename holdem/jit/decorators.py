"""The one door to numba: how kernels are compiled, and where the machine code is kept.

numba's own cache looks only at the file a kernel stands in: a changed table or a changed
function in another file is not noticed, and the old numbers come back. Its files are also
pickles, so whoever can write them runs code in our process. Here the directory's name
holds a digest of all sources and tables that can reach the machine code, and it belongs to
the user alone; where no such directory can be had, kernels are compiled anew in each
process and one warning says so.

This module must stay cheap to import: numba is loaded when the first kernel is defined.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import sys
import threading
import time as clock
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from holdem.errors import ConfigurationError
from holdem.jobs.old_threads import apart

_Function = TypeVar("_Function", bound=Callable[..., Any])
_warned: list[str] = []

CACHE_VARIABLE = "HOLDEM_CACHE_DIR"
_KEPT_VERSIONS = 4  # of each package: a user may go back and forth between checkouts


def kernel(function: _Function) -> _Function:
    """Compile `function` with numba on its first call, without the GIL, and keep the code.

    Meant for the functions that Python calls. Kernels trust their arguments: ids 0..51,
    shapes and dtypes as their docstrings say. The code is kept between runs for modules of
    installed packages; the digest covers this package and the one the kernel stands in.

    Raises:
        ConfigurationError: numba is told to compile nothing. As Python a kernel would take a
            thousand times as long, and its sums would not wrap where compiled ones do.
    """
    from numba import config, njit

    if getattr(config, "DISABLE_JIT", False):
        raise ConfigurationError(
            "NUMBA_DISABLE_JIT switches off numba's compiler, without which kernels do not"
            " run: unset it"
        )
    compiled: Any = njit(nogil=True)(function)
    _compile_apart(compiled)
    directory = _cache_directory(_package_root(function))
    if directory is not None and hasattr(compiled, "_cache"):
        _keep_code(compiled, directory)
    return compiled  # type: ignore[no-any-return]


def inlined(function: _Function) -> _Function:
    """Compile `function` for use inside kernels only; it is kept with each of them."""
    from numba import njit

    compiled: Any = njit(nogil=True, forceinline=True)(function)
    return compiled  # type: ignore[no-any-return]


def reordered(function: _Function) -> _Function:
    """Compile a helper whose sums may be taken in any order: in vectors, some times as fast.

    For sums of whole numbers below 2^53, and those whose terms are near enough in size for the
    last digits not to matter: processors with vectors of another length may round otherwise.
    """
    from numba import njit

    compiled: Any = njit(nogil=True, fastmath={"reassoc", "contract", "nsz"})(function)
    return compiled  # type: ignore[no-any-return]


def seconds_compiling() -> float:
    """Return how long kernels were compiled, or loaded, in this process until now."""
    with _compiling.lock:
        return _compiling.seconds + (
            clock.monotonic() - _compiling.since if _compiling.now else 0.0
        )


class _Compiling:
    """How long some thread compiled; threads that do so together count once."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now = 0
        """How many threads compile at this moment, ..."""
        self.since = 0.0
        """... from when on, by the monotonic clock, ..."""
        self.seconds = 0.0
        """... and how long some did before."""

    def __enter__(self) -> None:
        with self.lock:
            if not self.now:
                self.since = clock.monotonic()
            self.now += 1

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.now -= 1
            if not self.now:
                self.seconds += clock.monotonic() - self.since


_compiling = _Compiling()


def _compile_apart(compiled: Any) -> None:
    """Have a dispatcher compile in another thread than the main one: Ctrl-C is lost in LLVM."""
    compile_here = compiled.compile

    def timed(signature: Any) -> Any:
        with _compiling:
            return compile_here(signature)

    def compile_there(signature: Any) -> Any:
        # Another thread would wait for what this one holds, and this one for it.
        return timed(signature) if _holds_a_lock() else apart(lambda: timed(signature))

    compiled.compile = compile_there


def _holds_a_lock() -> bool:
    """Whether this thread may hold what compiling needs: numba's lock, or that of an import."""
    from numba.core.compiler_lock import global_compiler_lock

    lock: Any = global_compiler_lock
    if lock.is_locked():  # by this thread: a compiled function calls the kernel
        return True
    # A module that calls its kernel while it is imported. Any import counts, of any thread.
    loaded = list(sys.modules.values())
    specs = (getattr(module, "__spec__", None) for module in loaded)
    return any(getattr(spec, "_initializing", False) for spec in specs)


def _keep_code(compiled: Any, directory: Path) -> None:
    """Give a numba dispatcher a disk cache in `directory`."""
    try:
        from holdem.jit.compiled_code_cache import make_store

        compiled._cache = make_store(compiled.py_func, directory)
    except Exception as error:  # another numba than those we know: slower, not broken
        _warn_once(f"this numba keeps its cache in a way we do not know ({error!r})")


def _package_root(function: Callable[..., Any]) -> Path | None:
    """Return the directory of the top-level package that `function` stands in."""
    package = sys.modules.get((function.__module__ or "").partition(".")[0])
    file = getattr(package, "__file__", None)
    if not file or Path(file).name != "__init__.py" or not Path(file).is_file():
        return None  # a script, a notebook, an archive: no sources to hold the code against
    return Path(file).parent


@cache
def _cache_directory(package: Path | None) -> Path | None:
    if package is None:
        return None
    kind = f"kernels-{package.name}"
    try:
        digest = _digest(tuple(sorted({Path(__file__).parents[1], package})))
        directory = cache_root() / f"{kind}-{digest}"
        trouble = _make_private(directory)
    except OSError as error:
        trouble = str(error)
    if trouble:
        _warn_once(trouble)
        return None
    _remove_older(directory, kind)
    return directory


def cache_root() -> Path:
    """Return where compiled kernels are kept: ``HOLDEM_CACHE_DIR`` or the user's cache."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "holdem"


@cache
def _digest(roots: tuple[Path, ...]) -> str:
    """Digest the files under `roots`, and the versions that shape the code.

    All files count, whatever their names: a table can be of any format.
    """
    import numba
    import numpy as np

    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for root in roots:
        for path in sorted(root.rglob("*")):
            inside = path.relative_to(root)
            if any(part.startswith((".", "__pycache__")) for part in inside.parts):
                continue  # what editors, tools and Python itself leave
            if path.is_file():
                content = path.read_bytes()
                digest.update(f"{inside.as_posix()} {len(content)}\n".encode())
                digest.update(content)
    return digest.hexdigest()[:24]


def _make_private(directory: Path) -> str:
    """Make `directory` so that only the user can write there; return what prevents it."""
    if not directory.is_absolute():
        return f"the cache directory {directory} is not an absolute path"
    for place in (directory.parent, directory):
        if not place.exists():
            # Private whatever the umask: one of 002, which many systems have, lets groups in.
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.lstat()
        if not stat.S_ISDIR(found.st_mode):
            return f"{place} is not a directory"
        if hasattr(os, "getuid"):
            if found.st_uid != os.getuid():
                return f"{place} belongs to another user"
            if found.st_mode & 0o022:
                return f"{place} can be written by others"
    if trouble := _open_above(directory.parent):
        return trouble
    if hasattr(os, "getuid") and directory.stat().st_mode & 0o077:
        directory.chmod(0o700)
    if not os.access(directory, os.W_OK | os.X_OK):
        return f"{directory} cannot be written"
    return ""


def _open_above(directory: Path) -> str:
    """Say which directory above lets others put another one in the place of `directory`.

    Who can write to a directory can rename what is in it, unless it is sticky, as ``/tmp``:
    there each entry belongs to its owner. Links are looked at, and so is where they lead.
    """
    if not hasattr(os, "getuid"):
        return ""
    for path in (directory, directory.resolve()):
        for place, above in zip((path, *path.parents), path.parents, strict=False):
            mode = above.stat().st_mode
            if not mode & 0o002:
                continue
            if not mode & stat.S_ISVTX:
                return f"{above} can be written by others"
            if place.lstat().st_uid not in (0, os.getuid()):
                return f"{place} belongs to another user"
    return ""


def _remove_older(current: Path, kind: str) -> None:
    """Keep the newest few directories of one package, so that the cache does not grow."""
    with contextlib.suppress(OSError):
        os.utime(current)
        ours = list(current.parent.glob(f"{kind}-*"))
        ours.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for path in ours[_KEPT_VERSIONS:]:
            shutil.rmtree(path, ignore_errors=True)


def _warn_once(trouble: str) -> None:
    if _warned:
        return
    _warned.append(trouble)
    warnings.warn(
        f"compiled code is not kept between runs: {trouble};"
        f" set {CACHE_VARIABLE} to a directory that only you can write",
        RuntimeWarning,
        stacklevel=2,
    )

"""Decorators that compile functions with numba.

numba's disk cache notices changes only in the file that a kernel is defined in. A changed table
or helper in another file would go unnoticed, so `kernel` places the cache in a directory whose
name is a digest of all sources; see `holdem.jit.cache_directory`.

Importing this module does not import numba. The first decorated function does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from holdem.errors import ConfigurationError
from holdem.jit.cache_directory import cache_directory, warn_not_cached
from holdem.jit.compile_time import announce_compilation, observe_compilation
from holdem.jit.numba_versions import is_tested

_Function = TypeVar("_Function", bound=Callable[..., Any])

_setting = threading.Lock()


def kernel(function: _Function) -> _Function:
    """Compile a function to run without the GIL, and cache its machine code.

    Use it for functions called from Python; they are compiled on their first call. Kernels do not
    validate their arguments: card ids must be 0..51, and shapes and dtypes must be those that the
    docstring states.

    The machine code is cached on disk for functions of packages. A function of a script, a
    notebook or a module outside a package is compiled in each process.

    Numba compiles in the calling thread, where Ctrl-C may be lost. Call a kernel for the first
    time in a worker thread if the main thread must stay interruptible.

    Raises:
        ConfigurationError: ``NUMBA_DISABLE_JIT`` is set. Kernels rely on wrapping integer
            arithmetic and would be a thousand times slower as Python code.
    """
    from numba import config, njit

    if getattr(config, "DISABLE_JIT", False):
        raise ConfigurationError(
            "NUMBA_DISABLE_JIT switches off numba's compiler, without which kernels do not"
            " run: unset it"
        )
    observe_compilation()
    directory = cache_directory(function)
    compiled: Any = None
    if directory is not None:
        compiled = _compiled_with_cache(function, directory)
    if compiled is None:
        compiled = njit(nogil=True)(function)
    return compiled  # type: ignore[no-any-return]


def inlined(function: _Function) -> _Function:
    """Compile a helper function that is inlined into every kernel that calls it.

    Called from Python, it runs as Python: integers do not wrap around.
    """
    from holdem.jit.numba_extensions import HelperFunction

    return HelperFunction(function, forceinline=True)  # type: ignore[return-value]


def reordered(function: _Function) -> _Function:
    """Compile a helper function for kernels, and allow its floating-point sums to be reassociated.

    Reassociated sums are vectorized, which makes them several times as fast. Use it for sums of
    integers below 2^53, or where the last digits do not matter: the rounding depends on the
    vector length of the processor. Called from Python, it runs as Python.
    """
    from holdem.jit.numba_extensions import HelperFunction

    fastmath = {"reassoc", "contract", "nsz"}
    return HelperFunction(function, fastmath=fastmath)  # type: ignore[return-value]


def _compiled_with_cache(function: Callable[..., Any], directory: Path) -> Any:
    """Compile a function, cached in `directory`; return None if numba would not cache there."""
    from numba import njit

    with _numba_cache_in(directory):
        compiled: Any = njit(nogil=True, cache=True)(function)
        place = Path(compiled.stats.cache_path)
        if directory not in place.parents:  # e.g. NUMBA_CACHE_LOCATOR_CLASSES is set
            warn_not_cached(f"numba places it in {place}, not in {directory}")
            return None
        if is_tested():
            from holdem.jit.compiled_code_cache import CompiledCodeCache

            compiled._cache = CompiledCodeCache(function)
        else:
            _ignore_write_errors(compiled)
    announce_compilation(compiled)
    return compiled


def _ignore_write_errors(compiled: Any) -> None:
    """Let numba's own cache ignore a full disk, which it would report to the kernel's caller."""
    cache: Any = getattr(compiled, "_cache", None)
    save = getattr(cache, "save_overload", None)
    if save is None:  # another version of numba
        return

    def save_overload(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    cache.save_overload = save_overload


@contextmanager
def _numba_cache_in(directory: Path) -> Iterator[None]:
    """Set numba's cache directory for the functions decorated in this context.

    numba reads ``config.CACHE_DIR`` while it decorates a function, not later. The caches of
    other packages stay where they are.
    """
    import numba

    config: Any = numba.config  # its attributes are set at run time
    with _setting:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(directory)
        try:
            yield
        finally:
            config.CACHE_DIR = before

"""Machine code as numba keeps it, found again without what only compiling needs.

numba makes all ready to compile before it looks for kept code: it imports the rules for every
function that it can compile, a seventh of a second that a command waits. What is found on disk
needs none of them. It needs the addresses of the functions of C that it calls; their names are
kept beside it, and where one is not at hand numba's whole preparation follows after all. What
is compiled later, by anyone, brings that preparation about itself.

numba lets the cache of a function be of any class, but offers no public way to choose its
place for one package only: ``NUMBA_CACHE_DIR`` would move that of every other package.
"""

from __future__ import annotations

import contextlib
from itertools import chain
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import caching as numba_caching
from numba.core import runtime as numba_runtime

from holdem.messages import notify_once

#: Said before the first kernel that is not kept yet is compiled.
COMPILING = "compiling for this machine: some seconds, the first time only"

_caching: Any = numba_caching  # its classes are not typed
_runtime: Any = numba_runtime


def make_store(function: Any, directory: Path) -> Any:
    """Return a disk cache for a function's machine code.

    Args:
        function: the Python function.
        directory: where its files are kept; the digest in its name stands for the sources.
    """

    class Locator(_caching._CacheLocator):  # type: ignore[misc]
        """Answers with `directory`."""

        def __init__(self, function: Any) -> None:
            self._py_file = function.__code__.co_filename
            self._lineno = function.__code__.co_firstlineno
            self._module = function.__module__

        def get_cache_path(self) -> str:
            return str(directory)

        def get_source_stamp(self) -> str:
            return directory.name

        def ensure_cache_path(self) -> None:
            directory.mkdir(mode=0o700, exist_ok=True)  # another process may have removed it

        def get_disambiguator(self) -> str:
            return f"{self._module}-{self._lineno}"

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:  # noqa: ARG003
            return cls(py_func)

    class Implementation(_Implementation):
        _locator_classes = (Locator,)

    class Store(_Store):
        _impl_class = Implementation

    return Store(function)


class _Implementation(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """What stands in a file: numba's record of the code, and the names that it asks for."""

    def reduce(self, result: Any) -> tuple[list[str] | None, Any]:
        record = super().reduce(result)
        try:
            module = result.library._final_module
            return _wanted(module), _without_idle_environments(record, module)
        except Exception:  # another numba than those we know: prepared as it always was
            return None, record

    def rebuild(self, target_context: Any, kept: tuple[list[str] | None, Any]) -> Any:
        wanted, record = kept
        if wanted is None or not _is_at_hand(wanted):
            target_context.refresh()
        return super().rebuild(target_context, record)


class _Store(_caching.FunctionCache):  # type: ignore[misc]
    """A cache whose damaged or vanished files are a miss, never an error."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = None
        try:
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)  # not refreshed: see `rebuild`
        except Exception:
            with contextlib.suppress(Exception):
                self.flush()  # a damaged index would be in the way of saving, too
        if found is None:
            notify_once(COMPILING)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(Exception):
            super().save_overload(sig, data)


def _wanted(module: Any) -> list[str]:
    """Return the names that a module of LLVM uses and does not define."""
    values = chain(module.functions, module.global_variables)
    names = (value.name for value in values if value.is_declaration)
    return [name for name in names if not name.startswith("llvm.")]


def _is_at_hand(wanted: list[str]) -> bool:
    """Whether code that asks for these names can be linked."""
    if all(map(binding.address_of_symbol, wanted)):
        return True
    # numba's functions for memory, whose addresses it tells LLVM when it first compiles.
    with contextlib.suppress(Exception):  # another numba than those we know
        for name, address in _runtime._nrt_python.c_helpers.items():
            binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
    return all(map(binding.address_of_symbol, wanted))


def _without_idle_environments(record: tuple[Any, ...], module: Any) -> tuple[Any, ...]:
    """Leave out what was there for functions that became part of others.

    Each would bring back the module that its function stands in; that of `numpy.zeros` alone
    takes 40 ms to import. One that is used stands in the module once more than where it is
    declared.
    """
    text = str(module)
    *others, environments = record
    used = tuple(each for each in environments if text.count(each.env_name) != 1)
    return (*others, used)

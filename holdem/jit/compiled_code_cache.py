"""A disk cache whose entries load without setting up numba's compiler.

Before numba looks into its cache, it imports the typing and lowering rules of every supported
function, which takes about 0.25 s. Cached machine code needs only the addresses of the C functions
it calls. This cache stores their names beside the code and runs numba's set-up only if a name
cannot be resolved. Numba runs the set-up itself when something is compiled later.

This relies on internals of numba and is used only with `TESTED_NUMBA_VERSIONS`.
"""

from __future__ import annotations

import contextlib
from itertools import chain
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import caching as _untyped_caching
from numba.core import runtime as _untyped_runtime

_caching: Any = _untyped_caching
_runtime: Any = _untyped_runtime


class _Entry(_caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Conversion between compile results and cache entries, which list the symbols they need."""

    def reduce(self, result: Any) -> tuple[list[str], Any]:
        """Convert a compile result to a cache entry."""
        module = result.library._final_module
        record = super().reduce(result)
        return _undefined_names(module), _without_unused_environments(record, module)

    def rebuild(self, target_context: Any, stored: tuple[list[str], Any]) -> Any:
        """Restore a compile result from a cache entry."""
        names, record = stored
        if not _resolve(names):
            target_context.refresh()
        return super().rebuild(target_context, record)


class CompiledCodeCache(_caching.FunctionCache):  # type: ignore[misc]
    """A disk cache for one function's machine code, in the location that numba chooses.

    A damaged or missing file is a cache miss, never an error.
    """

    _impl_class = _Entry

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load the compile result for a signature; None if it is not in the cache."""
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)  # without `refresh`, unlike numba
        except Exception:
            with contextlib.suppress(Exception):
                self.flush()  # numba reads the index again before it saves
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compile result for a signature, ignoring any error."""
        with contextlib.suppress(Exception):
            # Another process may have removed the directory. Numba would not make it private again.
            Path(self.cache_path).parent.mkdir(mode=0o700, exist_ok=True)
            super().save_overload(sig, data)


def _undefined_names(module: Any) -> list[str]:
    """List the names of the symbols that an LLVM module declares but does not define."""
    values = chain(module.functions, module.global_variables)
    names = (value.name for value in values if value.is_declaration)
    return [name for name in names if not name.startswith("llvm.")]


def _resolve(names: list[str]) -> bool:
    """Tell whether LLVM can resolve the symbols, adding those of numba's runtime if needed."""
    if all(map(binding.address_of_symbol, names)):
        return True
    # The functions of numba's memory management, which its set-up registers under these names.
    for name, address in _runtime._nrt_python.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
    return all(map(binding.address_of_symbol, names))


def _without_unused_environments(record: tuple[Any, ...], module: Any) -> tuple[Any, ...]:
    """Remove the environments of inlined functions from numba's record of a compiled function.

    Loading an environment imports the module of its function, which takes 40 ms for
    `numpy.zeros`. The name of an environment in use occurs in the module outside its declaration.
    """
    text = str(module)
    *others, environments = record
    used = tuple(each for each in environments if text.count(each.env_name) != 1)
    return (*others, used)

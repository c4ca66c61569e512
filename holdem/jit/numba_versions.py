"""The numba releases with which this package's use of numba's internals has been tested."""

from __future__ import annotations

#: Releases for which `holdem.jit.compiled_code_cache` replaces numba's own cache class. With
#: any other release numba's documented interface is used: it starts slower, with the same results.
#: Add a release once ``pytest tests/jit`` passes with it.
TESTED_NUMBA_VERSIONS = ("0.61", "0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")


def is_tested() -> bool:
    """Tell whether the installed numba is one of `TESTED_NUMBA_VERSIONS`."""
    import numba

    release = ".".join(numba.__version__.split(".")[:2])
    return release in TESTED_NUMBA_VERSIONS

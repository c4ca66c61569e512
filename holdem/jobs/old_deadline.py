"""A time that work has; what kernels take to compile does not count."""

from __future__ import annotations

import sys
import time as clock


class Deadline:
    """So many seconds from now on."""

    def __init__(self, seconds: float) -> None:
        """Begin."""
        self._seconds = seconds
        self._begun = clock.monotonic()
        self._compiled = _compiled()

    def left(self) -> float:
        """Return how many seconds are left; negative where they are over."""
        gone = clock.monotonic() - self._begun - (_compiled() - self._compiled)
        return self._seconds - gone


def _compiled() -> float:
    # Not imported for this alone, which would take 5 ms: where it is missing nothing is compiled.
    compilation = sys.modules.get("holdem.jit.compile_time")
    return 0.0 if compilation is None else float(compilation.seconds_compiling())

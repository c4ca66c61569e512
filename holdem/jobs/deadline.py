"""A deadline that excludes compilation time."""

from __future__ import annotations

import time as clock

from holdem.jit.compile_time import seconds_compiling


class Deadline:
    """A deadline in a given number of seconds, extended by the time spent compiling kernels."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._started = clock.monotonic()
        self._compiled = seconds_compiling()

    def seconds_left(self) -> float:
        """Return the seconds left; negative once the deadline has passed."""
        elapsed = clock.monotonic() - self._started
        return self._seconds - elapsed + (seconds_compiling() - self._compiled)

"""A stopwatch and a deadline that exclude compilation time."""

from __future__ import annotations

import time as clock

from holdem.jit.compile_time import seconds_compiling


class Stopwatch:
    """A stopwatch that starts when it is created and stands still while kernels are compiled."""

    def __init__(self) -> None:
        self._started = clock.perf_counter()
        self._compiled = seconds_compiling()

    @property
    def elapsed(self) -> float:
        """The number of seconds since the start, without the time spent compiling kernels."""
        compiling = seconds_compiling() - self._compiled
        return max(0.0, clock.perf_counter() - self._started - compiling)


class Deadline:
    """A deadline in a given number of seconds, extended by the time spent compiling kernels."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._stopwatch = Stopwatch()

    def seconds_left(self) -> float:
        """Return the seconds left; negative once the deadline has passed."""
        return self._seconds - self._stopwatch.elapsed

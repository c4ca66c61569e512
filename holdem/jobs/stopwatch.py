"""Stopwatches and deadlines that do not count the time to compile and load kernels."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_running = 0  # compilations and loads under way, nested ones included
_since = 0.0  # start of the first of them, by the monotonic clock
_seconds = 0.0  # total of earlier periods in which any was under way


def seconds_preparing() -> float:
    """Compute how many seconds this process has spent compiling and loading kernels.

    The import of numba counts. Time during which several threads compile counts once. Nothing is
    measured before the first call of a kernel.
    """
    with _lock:
        return _seconds + (time.monotonic() - _since if _running else 0.0)


def is_preparing() -> bool:
    """Test whether any thread is compiling or loading a kernel."""
    return _running > 0


def start_preparing() -> None:
    """Record that a thread has started to compile or load a kernel."""
    global _running, _since
    with _lock:
        if not _running:
            _since = time.monotonic()
        _running += 1


def stop_preparing() -> None:
    """Record that a thread has finished compiling or loading a kernel."""
    global _running, _seconds
    with _lock:
        if not _running:
            return  # started before numba was observed
        _running -= 1
        if not _running:
            _seconds += time.monotonic() - _since


@contextmanager
def preparing() -> Iterator[None]:
    """Context manager whose duration counts as time to compile and load kernels."""
    start_preparing()
    try:
        yield
    finally:
        stop_preparing()


class Stopwatch:
    """A stopwatch that starts at its creation and pauses while kernels are compiled or loaded."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._compiled = seconds_preparing()

    @property
    def elapsed(self) -> float:
        """The elapsed time in seconds, excluding the compiling and loading of kernels."""
        compiling = seconds_preparing() - self._compiled
        return max(0.0, time.perf_counter() - self._started - compiling)


class Deadline:
    """A deadline, which is postponed by the time that compiling and loading kernels takes."""

    def __init__(self, seconds: float, stopwatch: Stopwatch | None = None) -> None:
        """Set the deadline `seconds` from now by a stopwatch; None starts a new one."""
        self._stopwatch = stopwatch or Stopwatch()
        self._end = self._stopwatch.elapsed + seconds

    def seconds_left(self) -> float:
        """Compute the number of seconds left, which is negative once the deadline has passed."""
        return self._end - self._stopwatch.elapsed

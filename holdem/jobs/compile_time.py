"""The time that this process has spent compiling and loading kernels.

It counts neither toward deadlines nor as the time of a computation.
"""

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

    The import of numba counts, and time during which several threads compile counts once.
    Measurement starts when the first kernel is called.
    """
    with _lock:
        return _seconds + (time.monotonic() - _since if _running else 0.0)


def is_preparing() -> bool:
    """Test whether any thread is compiling or loading a kernel."""
    return _running > 0


def start() -> None:
    """Record that a compilation or a load has started."""
    global _running, _since
    with _lock:
        if not _running:
            _since = time.monotonic()
        _running += 1


def stop() -> None:
    """Record that a compilation or a load has ended."""
    global _running, _seconds
    with _lock:
        if not _running:
            return  # started before numba was observed
        _running -= 1
        if not _running:
            _seconds += time.monotonic() - _since


@contextmanager
def loading() -> Iterator[None]:
    """Context manager that counts its time as spent loading kernels."""
    start()
    try:
        yield
    finally:
        stop()

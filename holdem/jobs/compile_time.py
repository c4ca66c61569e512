"""The time that this process has spent compiling, which does not count toward deadlines."""

from __future__ import annotations

import threading
import time

_lock = threading.Lock()
_running = 0  # compilations under way, nested ones included
_since = 0.0  # start of the first of them, by the monotonic clock
_seconds = 0.0  # total of earlier periods in which any compilation was under way


def seconds_compiling() -> float:
    """Compute how many seconds this process has spent compiling with numba.

    Time during which several threads compile counts once. Loading cached machine code does not
    count. Measurement starts when the first kernel is called.
    """
    with _lock:
        return _seconds + (time.monotonic() - _since if _running else 0.0)


def is_compiling() -> bool:
    """Test whether any thread is compiling."""
    return _running > 0


def start() -> None:
    """Record that a compilation has started."""
    global _running, _since
    with _lock:
        if not _running:
            _since = time.monotonic()
        _running += 1


def stop() -> None:
    """Record that a compilation has ended."""
    global _running, _seconds
    with _lock:
        if not _running:
            return  # started before numba was observed
        _running -= 1
        if not _running:
            _seconds += time.monotonic() - _since

"""The time spent compiling, and the message that announces it.

Both rely on numba's event API. If a numba release lacks it, the reported time is zero and no
message appears.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from typing import Any
from weakref import WeakSet

from holdem.messages import notify_once

#: The message shown before the first kernel missing from the cache is compiled.
COMPILING = "compiling for this machine; only the first run takes these seconds"

_lock = threading.Lock()
_announced: WeakSet[Any] = WeakSet()
_running = 0  # compilations under way, nested ones included
_since = 0.0  # start of the first of them, by the monotonic clock
_seconds = 0.0  # total of earlier periods in which any compilation was under way


def seconds_compiling() -> float:
    """Measure how many seconds this process has spent compiling with numba.

    Time during which several threads compile counts once. Loading cached machine code does not
    count. Measurement starts when the first kernel is defined.
    """
    with _lock:
        return _seconds + (time.monotonic() - _since if _running else 0.0)


def announce_compilation(dispatcher: Any) -> None:
    """Arrange for the message `COMPILING` to be shown before numba compiles the given function."""
    _announced.add(dispatcher)


@cache
def observe_compilation() -> None:
    """Start measuring compilation time; later calls have no effect."""
    try:
        from numba.core import event

        class Listener(event.Listener):
            """Listener that passes the start and end of each compilation to callbacks."""

            def on_start(self, event: Any) -> None:
                _start(event.data["dispatcher"])

            def on_end(self, event: Any) -> None:  # noqa: ARG002
                _stop()

        register: Any = event.register  # untyped
        register("numba:compile", Listener())
    except (ImportError, AttributeError, ValueError):
        pass  # a numba release without these events


def _start(dispatcher: Any) -> None:
    global _running, _since
    if dispatcher in _announced:
        notify_once(COMPILING)
    with _lock:
        if not _running:
            _since = time.monotonic()
        _running += 1


def _stop() -> None:
    global _running, _seconds
    with _lock:
        if not _running:
            return  # started before numba was observed
        _running -= 1
        if not _running:
            _seconds += time.monotonic() - _since

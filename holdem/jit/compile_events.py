"""Actions taken when numba compiles: measure the time, and announce it with a message.

Both rely on numba's event API. If a numba release lacks it, the measured time is zero and no
message appears.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from weakref import WeakSet

from holdem.jobs import compile_time
from holdem.messages import notify_once

#: The message shown before the first kernel missing from the cache is compiled.
COMPILING = "compiling for this machine; only the first run takes these seconds"

_announced: WeakSet[Any] = WeakSet()


def announce_compilation(dispatcher: Any) -> None:
    """Arrange for the message `COMPILING` to be shown before numba compiles the given function."""
    _announced.add(dispatcher)


@cache
def observe_compilation() -> None:
    """Start observing numba's compilations; later calls have no effect."""
    try:
        from numba.core import event

        class Listener(event.Listener):
            """Listener that records the start and end of each compilation."""

            def on_start(self, event: Any) -> None:
                if event.data["dispatcher"] in _announced:
                    notify_once(COMPILING)
                compile_time.start()

            def on_end(self, event: Any) -> None:  # noqa: ARG002
                compile_time.stop()

        register: Any = event.register  # untyped
        register("numba:compile", Listener())
    except (ImportError, AttributeError, ValueError):
        pass  # a numba release without these events

"""`Watcher`, which ends work on requests that take too long or whose clients have disconnected."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from holdem.jobs.workers import THREAD_NAME, Workers

_POLL_SECONDS = 0.02
# Takes no descriptor of its own, and any number of them.
_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)


class Watched:
    """A request that is being answered by `workers`, until the time `until`."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self.workers = Workers(1)
        self.has_gone = False  # the client has closed the connection
        self._connection = connection
        self._until = until

    def check(self) -> None:
        self.has_gone = _has_gone(self._connection)
        if self.has_gone or time.monotonic() > self._until:
            self.workers.close()


def _has_gone(connection: socket.socket) -> bool:
    """Test whether a client that has sent its complete request has closed the connection."""
    try:
        with _Selector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            return bool(selector.select(0)) and not connection.recv(1, socket.MSG_PEEK)
    except Exception:  # reset by the client or closed here; the others are still watched
        return True


class Watcher:
    """A thread that ends the work on requests that take too long or whose clients have gone."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds  # the time limit of each request
        self._watched: set[Watched] = set()
        self._has_some = threading.Event()
        threading.Thread(target=self._run, name=f"{THREAD_NAME} watcher", daemon=True).start()

    @contextmanager
    def watch(self, connection: socket.socket) -> Iterator[Watched]:
        watched = Watched(connection, time.monotonic() + self.seconds)
        self._watched.add(watched)
        self._has_some.set()
        try:
            yield watched
        finally:
            self._watched.discard(watched)

    def _run(self) -> None:
        while self._has_some.wait():
            self._has_some.clear()
            while watched := self._watched.copy():
                for each in watched:
                    each.check()
                time.sleep(_POLL_SECONDS)

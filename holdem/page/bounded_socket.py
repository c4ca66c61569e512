"""Reading from a socket within limits on the time and size of a request."""

from __future__ import annotations

import io
import socket
import time
from typing import Any


class TooLargeError(Exception):
    """Raised when a request is larger than its limit."""


class BoundedSocket(io.RawIOBase):
    """A stream that reads requests from a socket, each within a limit on time and size.

    A timeout of the socket alone would not end a client that sends a byte now and then.
    """

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        """Create the stream.

        Args:
            connection: the socket.
            seconds: the time for a request, from the end of the one before; also the time for
                sending a response.
        """
        self._socket = connection
        self._seconds = seconds
        self._deadline = 0.0
        self._bytes_left = 0

    def begin(self, limit: int) -> None:
        """Begin a request of at most `limit` bytes, rounded up to the size of a buffer."""
        self._deadline = time.monotonic() + self._seconds
        self._bytes_left = limit

    def extend(self, limit: int) -> None:
        """Allow `limit` bytes more for the body of the request."""
        self._bytes_left += limit

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes.

        Raises:
            TooLargeError: the request is too large.
            TimeoutError: its time is over.
        """
        if self._bytes_left <= 0:
            raise TooLargeError
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
        count = self._socket.recv_into(buffer)
        self._bytes_left -= count
        self._socket.settimeout(self._seconds)
        return count

"""`PageServer`, which serves the page and answers the page's queries."""

from __future__ import annotations

import errno
import ipaddress
import os
import re
import secrets
import socket
import socketserver
import stat
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from holdem.errors import HoldemRuntimeError, quoted
from holdem.jit.cache_directory import cache_root, make_private
from holdem.jobs.workers import THREAD_NAME
from holdem_page import DEFAULT_PORT
from holdem_page.handler import PageHandler, static_files
from holdem_page.watcher import Watcher

if TYPE_CHECKING:
    from holdem.evaluation.evaluator import Evaluator

#: The longest time of a question, in seconds: a minute of sampling, and reports on it.
QUESTION_SECONDS = 150.0

# Loading the engine would delay the files of a page that is opened at once. The first question
# loads it, too.
_PREPARE_SECONDS = 1.0
# A name or an address, and perhaps a port: `urlsplit` also takes localhost/evil.example.
_HOST = re.compile(r"([^][:/?#@\s]+|\[[^][/?#@\s]+\])(?::[0-9]*)?")


class PageServer(ThreadingHTTPServer):
    """The server of the page, which uses a thread for each connection."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    allow_reuse_address = os.name == "posix"  # on Windows, it would share the port
    allow_reuse_port = False  # some versions set it: two servers would share the port

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int | None = 0,
        evaluator: Evaluator | None = None,
    ) -> None:
        """Listen on an address or host name.

        Port 0 is any free port, and None is `DEFAULT_PORT` or, if that is in use, any free port.
        """
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.host, self._falls_back = host, port is None
        self.evaluator = evaluator
        self.files = static_files()  # by URL path
        try:
            super().__init__((host, DEFAULT_PORT if port is None else port), PageHandler)
        except (OSError, TypeError, UnicodeError) as error:  # the last two: not a valid host name
            reason = getattr(error, "strerror", None) or error
            raise HoldemRuntimeError(
                f"cannot listen on {quoted(host)}, port {self.server_address[1]}: {reason}"
            ) from None
        # The secret in the page's address, without which no query is answered.
        self.token = (_kept_token() if self.is_local else _new_token()).encode()
        self.watcher = Watcher(QUESTION_SECONDS)

    def start(self, *, opens_browser: bool) -> None:
        """Load the engine in a thread and, if `opens_browser`, open the page in the browser."""
        if opens_browser:
            _start(0.0, partial(webbrowser.open, self.url))
        _start(_PREPARE_SECONDS, partial(_prepare, self.evaluator))

    def server_bind(self) -> None:
        """Bind the socket to the port, or to a free one if the default port is in use.

        Unlike the base class, it does not look up the full name of the host, which can be slow.
        """
        try:
            socketserver.TCPServer.server_bind(self)
        except OSError as error:
            if not self._falls_back or error.errno != errno.EADDRINUSE:
                raise
            self.server_address = (self.host, 0)
            socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.host, self.server_address[1]

    @property
    def url(self) -> str:
        loopback = "127.0.0.1" if self._ip.version == 4 else "::1"
        host = loopback if self._ip.is_unspecified else self.host
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.server_port}/?token={self.token.decode()}"

    @property
    def is_local(self) -> bool:
        return self._ip.is_loopback

    @property
    def _ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
        return ipaddress.ip_address(str(self.server_address[0]))

    def is_own_host(self, host: str) -> bool:
        """Test whether a request's ``Host`` header names this server.

        The port may differ, as with port forwarding. A server that listens on all addresses accepts
        any numeric address, but no names other than its own and ``localhost``: another site may
        have bound its name to the address of this machine.
        """
        match = _HOST.fullmatch(host)
        name = match[1].strip("[]").lower() if match else ""
        if name in {"localhost", "127.0.0.1", "::1", self.host.lower()}:
            return True
        with suppress(ValueError):
            return self._ip.is_unspecified and bool(ipaddress.ip_address(name))
        return False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, unless it is an `OSError`, as when the client closes the connection."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _start(seconds: float, task: Callable[[], object]) -> None:
    timer = threading.Timer(seconds, task)
    timer.name, timer.daemon = f"{THREAD_NAME} start", True
    timer.start()


def _prepare(evaluator: Evaluator | None) -> None:
    """Load the engine, and load or compile the kernels for common queries.

    Small queries do not wait for this; numpy answers them until the kernels are loaded.
    """
    from holdem.jit.kernels import loading_for_others
    from holdem_page.answers import answer

    ask = partial(answer, evaluator=evaluator)
    holes, players, board = ["AsKs", "QdQh"], ["QQ+,AKs", "random"], "KdJdTc"  # of any deck
    with loading_for_others():
        ask("equity", {"players": players, "board": board, "by": ["class", "combo"]})
        ask("equity", {"players": players, "dead": "Th", "deals": 1000})
        ask("equity", {"players": holes, "board": board})
        ask("hits", {"range": players[1], "board": board})
        ask("range", {"text": players[1], "board": board})


def _new_token() -> str:
    return secrets.token_urlsafe(16)


def _kept_token() -> str:
    """Read or create the user's token for servers that only this machine can reach.

    The token is kept in a file that nobody else can read, so that bookmarks remain valid when the
    server is started again. If there can be no such file, return a new token.
    """
    new = _new_token()
    with suppress(OSError):
        directory = cache_root() / "page"
        if make_private(directory):
            return new
        path = directory / "token"
        with suppress(FileExistsError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
                file.write(new)
        status = path.lstat()
        is_private = stat.S_ISREG(status.st_mode) and (
            os.name != "posix" or not status.st_mode & 0o077
        )
        kept = path.read_text("ascii", "replace")
        if is_private and re.fullmatch(r"[\w-]{22}", kept):
            return kept
    return new

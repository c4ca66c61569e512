"""`PageHandler`, which answers requests with files of the page or with results, or refuses them."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import threading
import traceback
from collections.abc import Iterable
from http import HTTPStatus
from http.client import HTTPMessage
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from holdem.errors import HoldemError
from holdem.jobs.workers import THREAD_NAME, WorkersClosedError
from holdem.plugins.guard import TRACEBACK_VARIABLE
from holdem_page.refusals import RefusedError, error_body, error_json

if TYPE_CHECKING:
    from holdem.rules import RuleSet
    from holdem_page.watcher import Watched

#: The largest body of a request: ten ranges as lists of all combos with weights take 150 kB.
MAX_BODY = 256 * 1024
# A body of at most this size is read before it is refused, so that the client gets the response.
_MAX_UNREAD = 8 * MAX_BODY

_TOKEN_HEADER = "X-Holdem-Token"  # noqa: S105 - a name
_SECURITY = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_DIRECTORY = Path(__file__).parent / "static"

#: Types of content by extension. The registry of the system is not used: it may be wrong.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


class _Headers(HTTPMessage):
    """Headers of a request; what follows the last of them is text, whatever their Content-Type."""

    def get_content_type(self) -> str:
        return "text/plain"  # the parser, which is one for mail, looks for no parts of a message


class PageHandler(BaseHTTPRequestHandler):
    """Handler of the requests on one connection to a `holdem_page.server.PageServer`."""

    MessageClass = _Headers
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60.0  # seconds to wait for a part of a request, or for a response to be received
    wbufsize = 1 << 16  # a response is written at once
    server: Any

    def setup(self) -> None:
        threading.current_thread().name = f"{THREAD_NAME} connection"
        super().setup()

    def parse_request(self) -> bool:
        """Parse a request; refuse one with a line among its headers that is none.

        Python reads no header after such a line, not even the length of the body, which would then
        be taken for the next request.
        """
        if not super().parse_request():
            return False
        if self.headers.defects or self.headers.get_payload():
            self.send_error(HTTPStatus.BAD_REQUEST, "a line of the request is not a valid header")
            return False
        return True

    def handle_expect_100(self) -> bool:
        """Send ``100 Continue`` at once: the client waits for it before it sends the body."""
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def _serve(self) -> None:
        try:
            body = self._read_body()
            self._check_source()
            self._route(body)
        except RefusedError as refusal:
            content = error_body(refusal.message, field=refusal.field)
            self._send(refusal.status, content, headers=refusal.headers)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _serve  # noqa: N815

    def _read_body(self) -> bytes:
        """Read the body of a request.

        It is read even if the request will be refused, because the next request on the connection
        follows it.
        """
        lengths = self.headers.get_all("Content-Length", [])
        if "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "a request needs a Content-Length")
        if not lengths:
            return b""
        if len(lengths) > 1 or not (lengths[0].isascii() and lengths[0].isdigit()):
            self.close_connection = True
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the Content-Length is not a number")
        length = int(lengths[0].lstrip("0")[:12] or 0)  # of longer numbers, enough to refuse them
        if length > MAX_BODY:
            self.close_connection = True
            self.rfile.read(min(length, _MAX_UNREAD))
            message = f"a request must have at most {MAX_BODY:,} bytes"
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        return self.rfile.read(length)

    def _check_source(self) -> None:
        """Refuse requests from pages of other web sites.

        The `Host` header is checked, too: a site may bind its name to the address of this machine,
        and then the header has the name of the site.
        """
        for name in ("Host", "Origin"):
            if len(self.headers.get_all(name, [])) > 1:
                raise RefusedError(HTTPStatus.BAD_REQUEST, f"a request has one {name}")
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if not self.server.is_own_host(host):
            raise RefusedError(HTTPStatus.MISDIRECTED_REQUEST, "the Host is not this server")
        if origin is not None and origin != f"http://{host}":
            raise RefusedError(HTTPStatus.FORBIDDEN, "requests from other sites are refused")

    def _route(self, body: bytes) -> None:
        try:
            address = urlsplit(self.path)
        except ValueError:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "the address is not a valid URL") from None
        token = parse_qs(address.query).get("token", [self.headers.get(_TOKEN_HEADER, "")])[0]
        has_token = secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token)
        prefix, _, name = address.path.rpartition("/")
        is_question = prefix == "/api" and _is_question(name)
        if not is_question and address.path not in self.server.files:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is nothing at this address")
        methods = ("POST",) if is_question else ("GET", "HEAD")
        if self.command not in methods:
            message = f"use {' or '.join(methods)}"
            raise RefusedError(
                HTTPStatus.METHOD_NOT_ALLOWED, message, {"Allow": ", ".join(methods)}
            )
        # Style sheets and modules are the same for everyone, and have no token in their URLs.
        if not has_token and (is_question or address.path == "/"):
            if is_question or "text/html" not in self.headers.get("Accept", ""):
                message = (
                    "the token is missing or wrong: open the address that holdem serve printed"
                )
                raise RefusedError(HTTPStatus.FORBIDDEN, message, field="token")
            self._send_file("/", HTTPStatus.FORBIDDEN)  # the page asks for the token
        elif is_question:
            self._answer(name, self._parse(body))
        else:
            self._send_file(address.path)

    def _parse(self, body: bytes) -> Any:
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            message = "the Content-Type of a question must be application/json"
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, message)
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:  # also of text that is not UTF-8
            raise RefusedError(
                HTTPStatus.BAD_REQUEST, f"the question is not JSON: {error}"
            ) from None

    def _send_file(self, path: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        file = self.server.files[path]
        content = file.read_bytes()
        if path == "/" and self.server.evaluator is not None:
            content = _adapt_page(content, self.server.evaluator.rules)
        tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        # Browsers ask for the icon at each change of the address.
        caching = "max-age=3600" if path.endswith(".svg") else "no-cache"
        headers = {"ETag": tag, "Cache-Control": caching}
        if path == "/":
            headers["Link"] = ", ".join(_links(self.server.files))
        if status == HTTPStatus.OK and self.headers.get("If-None-Match") == tag:
            self._send(HTTPStatus.NOT_MODIFIED, b"", headers=headers)
        else:
            self._send(status, content, TYPES[file.suffix], headers)

    def _answer(self, name: str, question: Any) -> None:
        with self.server.watcher.watch(self.connection) as watched:
            stream = _EventStream(self) if self._wants_events() else None
            status, content_type, content = self._compute(name, question, watched, stream)
        if watched.has_gone:
            self.close_connection = True
        elif stream is None or not (stream.has_begun or status == HTTPStatus.OK):
            self._send(status, content, content_type)
        else:
            stream.send("answer" if status == HTTPStatus.OK else "error", content)
            stream.end()

    def _compute(
        self, name: str, question: Any, watched: Watched, stream: _EventStream | None
    ) -> tuple[HTTPStatus, str, bytes]:
        """Compute status, content type and content of the response to a query.

        What is known before the answer is sent to `stream`, if there is one.
        """
        from holdem_page.answers import answer

        send = None if stream is None else stream.send
        try:
            return HTTPStatus.OK, *answer(
                name, question, watched.workers, send, self.server.evaluator
            )
        except HoldemError as error:
            status, content = HTTPStatus.BAD_REQUEST, error_json(error)
        except WorkersClosedError:
            status = HTTPStatus.BAD_REQUEST
            content = error_body(
                f"the answer takes longer than {self.server.watcher.seconds:g} seconds: narrow the"
                " ranges, or use the command line"
            )
        except (ConnectionError, TimeoutError):  # of the stream
            raise
        except Exception as error:
            if os.environ.get(TRACEBACK_VARIABLE):
                traceback.print_exc()
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            content = error_body(f"unexpected error ({type(error).__name__}: {error})")
        return status, "application/json", content

    def _wants_events(self) -> bool:
        wanted = self.headers.get("Accept", "").lower()
        return "text/event-stream" in wanted and self.request_version != "HTTP/1.0"

    def _send(
        self,
        status: HTTPStatus,
        content: bytes,
        content_type: str = "application/json",
        headers: Any = None,
    ) -> None:
        cache = {"Cache-Control": "no-store", "Content-Length": str(len(content))}
        self.send_head(status, {"Content-Type": content_type, **cache, **(headers or {})})
        if self.command != "HEAD" and status != HTTPStatus.NOT_MODIFIED:
            self.wfile.write(content)

    def send_head(self, status: HTTPStatus, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (_SECURITY | headers).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Refuse a request that is not valid HTTP or too large, and close the connection after it.

        The base class calls this method; `explain` is ignored.
        """
        self.close_connection, self.request_version = True, self.protocol_version
        status = HTTPStatus(code)
        if status == HTTPStatus.NOT_IMPLEMENTED:
            status = HTTPStatus.METHOD_NOT_ALLOWED
        self._send(status, error_body(message or status.phrase))

    def version_string(self) -> str:
        return "holdem"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing."""


def _is_question(name: str) -> bool:
    from holdem_page.answers import ENDPOINTS  # loads NumPy, after the page is served

    return name in ENDPOINTS


def _adapt_page(content: bytes, rules: RuleSet) -> bytes:
    text = content.decode().replace("AKQJT98765432", rules.ranks[::-1])
    text = text.replace('name="rules" content="standard"', f'name="rules" content="{rules.name}"')
    return text.replace(">holdem</h1>", f">holdem · {rules.name}</h1>").encode()


def _links(paths: Iterable[str]) -> list[str]:
    """Build the links of a ``Link`` header, by which browsers load style sheets and modules early.

    Without them, the browser would find the modules only by their imports, which takes a round trip
    for each level of imports. `paths` are the URL paths of the page's files.
    """
    styles = [f"<{path}>; rel=preload; as=style" for path in paths if path.endswith(".css")]
    modules = [f"<{path}>; rel=modulepreload" for path in paths if path.endswith(".js")]
    return styles + modules


class _EventStream:
    """A response of server-sent events, which begins when the first event is sent."""

    def __init__(self, handler: PageHandler) -> None:
        self._handler = handler
        self.has_begun = False

    def send(self, event: str, content: bytes) -> None:
        """Send an event of the given type, whose content is JSON on a single line."""
        if not self.has_begun:
            headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
            self._handler.send_head(HTTPStatus.OK, headers | {"Transfer-Encoding": "chunked"})
            self.has_begun = True
        self._write(b"event: %s\ndata: %s\n\n" % (event.encode(), content))

    def end(self) -> None:
        self._write(b"")

    def _write(self, chunk: bytes) -> None:
        self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        self._handler.wfile.flush()


def static_files() -> dict[str, Path]:
    """Map URL paths, such as ``/js/main.js``, to the page's files; ``/`` is the page itself."""
    files = {
        f"/{path.relative_to(_DIRECTORY).as_posix()}": path
        for path in sorted(_DIRECTORY.rglob("*"))
        if path.suffix in TYPES and path.stem != "widget"  # of notebooks
    }
    return files | {"/": _DIRECTORY / "index.html"}

"""Requests that are not the page's are refused, each with its status and nothing else."""

import socket
import stat

import pytest

from holdem_page.handler import MAX_BODY, PageHandler
from holdem_page.server import PageServer
from page_client import Client

QUESTION = {"players": ["AsKs", "QQ"]}


def _refused(response, status, **place):
    assert status == response.status
    assert set(response.json) == {"error"}
    assert response.error == {"message": response.error["message"], **place}
    assert "Access-Control-Allow-Origin" not in response.headers
    return response


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "10.0.0.7", "[::", ""]
)
def test_host(client, host):
    """Other names of this address are refused: a site may have bound its name to it."""
    _refused(client.ask("equity", QUESTION, Host=host), 421)
    _refused(client.request("GET", "/", headers={"Host": host}), 421)


@pytest.mark.parametrize(
    "host",
    [
        "localhost/evil.example",
        "localhost?evil.example",
        "localhost#evil.example",
        "evil.example@localhost",
        "localhost:80:evil.example",
        "[::1]evil.example",
        "evil.example[::1]",
        "local\thost",
    ],
)
def test_what_is_no_host(client, host):
    """A header is refused if only a part of it names this server."""
    _refused(client.ask("equity", QUESTION, Host=host), 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9999", "127.0.0.1:80", "[::1]:5"])
def test_own_host(client, host):
    """Names of loopback are accepted, with any port: it may be forwarded."""
    assert client.ask("equity", QUESTION, Host=host).status == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:{port}"]
)
def test_origin(client, origin):
    """Questions of other pages are refused, also of those on other ports."""
    _refused(client.ask("equity", QUESTION, Origin=origin.format(port=client.port)), 403)


def test_own_origin(client):
    """The page's own origin is accepted."""
    origin = f"http://127.0.0.1:{client.port}"
    assert client.ask("equity", QUESTION, Origin=origin).status == 200


@pytest.mark.parametrize("token", ["", "x", "é", "token"])
def test_token(client, token):
    """Without the token there are no answers and no page."""
    _refused(client.ask("equity", QUESTION, X_Holdem_Token=token.encode()), 403, field="token")
    _refused(client.request("GET", "/?token=x"), 403, field="token")
    _refused(client.request("GET", "/"), 403, field="token")


def test_a_browser_without_the_token(client):
    """A browser gets the page, which asks for the token; style sheets and modules are public."""
    for path in ("/", "/?token=x"):
        response = client.request("GET", path, headers={"Accept": "text/html,*/*"})
        assert response.status == 403
        assert response.type.startswith("text/html")
        assert client.token.encode() not in response.content
    _refused(client.request("GET", "/api/range", headers={"Accept": "text/html"}), 405)


def test_token_in_the_address(client):
    """The token may be in the address instead of the header."""
    response = client.request(
        "POST",
        f"/api/range?token={client.token}",
        b'{"text": "22"}',
        {"Content-Type": "application/json"},
    )
    assert response.json["count"] == 6


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_method_of_a_question(client, method):
    """Questions are asked by POST."""
    response = client.request(method, "/api/equity", headers={"X-Holdem-Token": client.token})
    assert response.status == 405
    assert response.headers["Allow"] == "POST"
    assert "Access-Control-Allow-Origin" not in response.headers


def test_method_of_a_file(client):
    """Files are read by GET and HEAD."""
    assert client.request("POST", "/css/page.css", b"").headers["Allow"] == "GET, HEAD"
    _refused(client.request("BREW", "/"), 405)


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "message/rfc822",
        "",
    ],
)
def test_content_type(client, kind):
    """A question is JSON by its type: forms of other sites cannot send it."""
    _refused(client.ask("equity", QUESTION, Content_Type=kind), 415)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 10_000, b'{"players": nonsense}']
)
def test_not_json(client, body):
    """A body that is not JSON is refused."""
    response = client.ask("equity", body)
    assert response.status == 400
    assert response.type == "application/json"


def test_size(client):
    """A larger body is refused, whether the client sends it or not."""
    _refused(client.ask("equity", b" " * (MAX_BODY + 1)), 413)
    text = ",".join(["AsKs:0.123"] * 6000)
    assert MAX_BODY / 4 < len(text) < MAX_BODY
    assert client.ask("range", {"text": text[:60_000]}).status in (200, 400)


def _exchange(server, request):
    """Send bytes, and return all bytes that come back before the server closes the connection."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as connection:
        connection.sendall(request)
        received = b""
        while part := connection.recv(65536):
            received += part
    return received


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"POST /api/equity HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /api/equity HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1_0\r\n\r\n", 400),
        (
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            400,
        ),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
        (
            b"GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            b"Origin: http://evil.example\r\nConnection: close\r\n\r\n",
            400,
        ),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"nonsense\r\n\r\n", 400),
        (b"GET http://[ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
        (b"GET / HTTP/7.0\r\n\r\n", 505),
        (b"GET /" + b"a" * 65_532, 414),
        (b"GET / HTTP/1.1\r\n" + b"X: 1\r\n" * 200 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 65_534, 431),
    ],
)
def test_not_http(server, request_bytes, status):
    """What is not a request is refused, and the connection closed."""
    received = _exchange(server, request_bytes)
    assert int(received.split(b" ")[1]) == status
    assert b'{"error": {"message": ' in received


@pytest.mark.parametrize("zeros", [0, 5, 12, 4000])
def test_zeros_before_a_length(server, zeros):
    """The body of a request is not read as another request, however its length is written.

    Of a length with twelve zeros only these were read.
    """
    own = b"GET /style.css HTTP/1.1\r\nHost: localhost\r\n"
    hidden = own + b"\r\n"
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %s%d\r\n\r\n"
    request = head % (b"0" * zeros, len(hidden)) + hidden + own + b"Connection: close\r\n\r\n"
    assert _exchange(server, request).count(b"HTTP/1.1 ") == 2


@pytest.mark.parametrize(
    "line",
    [
        b"Content-Length : %d",
        b"no colon\r\nContent-Length: %d",
        b"X: 1\r\n\x01\r\nContent-Length: %d",
        b"Content\x00-Length: %d",
        b"Content-Length\r: %d",
        b"X: 1\r\rContent-Length: %d",
        b"Content-Type: message/rfc822\r\rContent-Length: %d",
        b"Content-Type: multipart/mixed; boundary=x\r\r--x\r\rContent-Length: %d",
        b": 1\r\nContent-Length: %d",
    ],
)
@pytest.mark.parametrize("place", ["first", "last"])
def test_lines_that_are_no_headers(server, line, place):
    """A body whose length was not understood is not read as another request."""
    hidden = b"GET /style.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    lines = [b"Host: localhost", line % len(hidden)]
    head = b"POST / HTTP/1.1\r\n" + b"\r\n".join(lines[:: 1 if place == "last" else -1])
    received = _exchange(server, head + b"\r\n\r\n" + hidden)
    assert received.count(b"HTTP/1.1 ") == 1
    assert received.startswith(b"HTTP/1.1 400 ")
    assert b"not a valid header" in received


def test_a_folded_first_header(server):
    """A length on a line that continues none is refused, too."""
    request = b"POST / HTTP/1.1\r\n Content-Length: 5\r\nHost: localhost\r\n\r\nGET /"
    assert _exchange(server, request).startswith(b"HTTP/1.1 400 ")


def test_a_client_that_waits_to_send_its_body(server, client):
    """A client that sends ``Expect: 100-continue`` is told to go on before it sends the body."""
    body = b'{"text": "22"}'
    head = (
        "POST /api/range HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"X-Holdem-Token: {client.token}\r\nContent-Length: {len(body)}\r\n"
        "Expect: 100-continue\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as connection:
        connection.sendall(head.encode())
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_client_that_sends_nothing_more(server, monkeypatch):
    """A client that begins a request and does not end it is cut off."""
    monkeypatch.setattr(PageHandler, "timeout", 0.3)
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    for part in (b"", head[:9], head, head + b"{"):
        assert _exchange(server, part) == b""


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api",
        "/api/",
        "/api/equities",
        "/../server.py",
        "/js/../../server.py",
        "/js/..%2f..%2fserver.py",
        "/%2e%2e/server.py",
        "//etc/passwd",
        "/js/",
        "/js",
        "/.",
        "/server.py",
        "/static/index.html",
        "/js/main.js%00.css",
        "/js\\main.js",
    ],
)
def test_unknown_paths(client, path):
    """Only the files of the page have addresses."""
    _refused(client.request("GET", f"{path}?token={client.token}"), 404)


def test_addresses():
    """A server for other machines accepts their addresses, and no names."""
    with PageServer("0.0.0.0") as server:
        assert not server.is_local
        assert server.url.startswith("http://127.0.0.1:")
        assert server.is_own_host("192.168.1.5:8000")
        assert not server.is_own_host("evil.example:8000")
    with PageServer("localhost") as server:
        assert server.is_local
    if socket.has_dualstack_ipv6():
        with PageServer("::") as server:
            assert server.url.startswith("http://[::1]:")
            assert server.is_own_host("[2001:db8::1]:8000")
            assert not server.is_own_host("evil.example:8000")
    with PageServer("localhost") as server:
        assert Client(server).token not in server.url.partition("?")[0]


def test_the_token_is_kept_in_a_private_file_for_this_machine_alone(tmp_path, monkeypatch):
    """Bookmarks outlive a server on loopback; a server that others can reach has its own token."""
    monkeypatch.setenv("HOLDEM_CACHE_DIR", str(tmp_path / "cache"))
    with PageServer() as first, PageServer() as second, PageServer("0.0.0.0") as open_to_all:
        assert first.token == second.token
        assert open_to_all.token != first.token
    file = tmp_path / "cache" / "page" / "token"
    assert file.read_text().encode() == first.token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for fault in ("mode", "content"):
        file.chmod(0o644 if fault == "mode" else 0o600)
        if fault == "content":
            file.write_text("guess")
        with PageServer() as server:
            assert server.token not in (first.token, b"guess")

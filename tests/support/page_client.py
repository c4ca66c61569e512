"""A client of the page's server, and a server in this process."""

import http.client
import json
import threading
import time
from contextlib import contextmanager

from holdem_page.server import PageServer

IDLE_SECONDS = 30.0  # the server closes a connection after 60


class Response:
    """A response: its status, headers and content."""

    def __init__(self, response):
        self.status = response.status
        self.headers = dict(response.getheaders())
        self.content = response.read()

    @property
    def type(self):
        """The type of the content."""
        return self.headers["Content-Type"]

    @property
    def json(self):
        """The content as JSON."""
        return json.loads(self.content)

    @property
    def error(self):
        """The error in the content."""
        return self.json["error"]

    @property
    def events(self):
        """The server-sent events as pairs of a name and JSON."""
        found = []
        for event in self.content.decode().split("\n\n")[:-1]:
            name, data = event.split("\n")
            assert name.startswith("event: ")
            assert data.startswith("data: ")
            found.append((name[7:], json.loads(data[6:])))
        return found


class Client:
    """A connection to a server, which it opens again after the server has closed it."""

    def __init__(self, server):
        self.port = server.server_port
        self.token = server.token.decode()
        self.connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=300
        )  # kernels may be compiled
        self.used = time.monotonic()

    def request(self, method, path, content=None, headers=None):
        """Send a request as it is, without a token."""
        if time.monotonic() - self.used > IDLE_SECONDS:
            self.close()
        try:
            self.connection.request(method, path, content, headers or {})
            return Response(self.connection.getresponse())
        except BaseException:
            self.close()  # the next request does not depend on this one
            raise
        finally:
            self.used = time.monotonic()

    def ask(self, name, question, **headers):
        """Ask a question; `question` is JSON, or bytes that are sent as they are."""
        content = question if isinstance(question, bytes) else json.dumps(question).encode()
        given = {"Content-Type": "application/json", "X-Holdem-Token": self.token}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.request("POST", f"/api/{name}", content, given)

    def close(self):
        """Close the connection."""
        self.connection.close()


@contextmanager
def serving(evaluator=None):
    """Start a server on a free port, and stop it at the end."""
    with PageServer(evaluator=evaluator) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()

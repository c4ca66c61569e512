"""A server of the page in this process, and a client."""

import pytest

from page_client import Client, serving


@pytest.fixture(scope="session")
def server():
    """Return a server on a free port."""
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def client(server):
    """Return a client of the server."""
    client = Client(server)
    yield client
    client.close()

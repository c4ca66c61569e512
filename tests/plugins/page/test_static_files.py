"""The files of the page are served with their types, and with headers that keep others out."""

from pathlib import Path

import pytest

import holdem_page

STATIC = Path(holdem_page.__file__).parent / "static"
FILES = sorted(
    path for path in STATIC.rglob("*") if path.is_file() and path.stem != "widget"
)  # the widget is for notebooks
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files(client, file):
    """Every file of the page has an address and the right type."""
    response = client.request("GET", f"/{file.relative_to(STATIC)}")
    assert response.status == 200
    assert response.content == file.read_bytes()
    assert response.type.startswith(TYPES.get(file.suffix, "image/"))


def test_page(client):
    """The address with the token is the page."""
    response = client.request("GET", f"/?token={client.token}")
    assert response.content == (STATIC / "index.html").read_bytes()
    links = response.headers["Link"].split(", ")
    paths = [link.partition(">")[0].strip("</") for link in links]
    assert {STATIC / path for path in paths} <= set(FILES)
    assert 'rel="stylesheet" href="css/theme.css"' in response.content.decode()
    assert "</css/theme.css>; rel=preload; as=style" in links
    assert "</js/main.js>; rel=modulepreload" in links
    assert len(client.request("HEAD", f"/?token={client.token}").content) == 0


def test_security_headers(client):
    """Every response keeps other sites out, and stays out of caches and other sites' logs."""
    for response in (
        client.request("GET", f"/?token={client.token}"),
        client.ask("range", {"text": "22"}),
        client.request("GET", "/nothing"),
    ):
        assert response.headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert response.headers["Server"] == "holdem"
        assert response.headers["Cache-Control"] in ("no-store", "no-cache")


def test_entity_tags(client):
    """A file that has not changed is not sent again."""
    tag = client.request("GET", "/js/main.js").headers["ETag"]
    again = client.request("GET", "/js/main.js", headers={"If-None-Match": tag})
    assert again.status == 304
    assert not again.content
    assert client.request("GET", "/js/main.js", headers={"If-None-Match": '"x"'}).status == 200


def test_size():
    """The page is smaller than 300 kB."""
    assert sum(file.stat().st_size for file in FILES) < 300_000

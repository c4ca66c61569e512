"""The files of the page: a fixed table from paths in addresses to files of the package."""

from __future__ import annotations

from pathlib import Path

_DIRECTORY = Path(__file__).parent / "static"

#: Types of content by extension. The registry of the system is not used: it may be wrong.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


def static_files() -> dict[str, Path]:
    """Return the files of the page by path, such as ``/js/main.js``; ``/`` is the page itself."""
    files = {
        f"/{path.relative_to(_DIRECTORY).as_posix()}": path
        for path in sorted(_DIRECTORY.rglob("*"))
        if path.suffix in TYPES and path.stem != "widget"  # of notebooks
    }
    return files | {"/": _DIRECTORY / "index.html"}

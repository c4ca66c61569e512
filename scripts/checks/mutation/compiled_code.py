"""A plugin for pytest: kernels are compiled again only if a module that they use has changed.

The engine compiles all kernels again when any of its sources changes. That is safe, but takes
minutes for each mutant. Here the directory of a kernel's machine code depends on its module and on
all modules that this one imports at its top.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import holdem
from holdem.jit.cache_directory import cache_root

ROOT = Path(holdem.__file__).parents[1]


@cache
def imports(module: str) -> frozenset[str]:
    """Return the modules of the engine that a module imports at its top, by their names."""
    path = file_of(module)
    if path is None:
        return frozenset()
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("holdem."):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(name for name in found if file_of(name))


def file_of(module: str) -> Path | None:
    """Return the file of a module; None for packages and other names."""
    path = ROOT / (module.replace(".", "/") + ".py")
    return path if path.is_file() else None


@cache
def _digest(module: str) -> str:
    todo, seen = [module], {module}
    while todo:
        new = imports(todo.pop()) - seen
        seen |= new
        todo += new
    digest = hashlib.sha256()
    for name in sorted(seen):
        path = file_of(name)
        digest.update(name.encode() + (path.read_bytes() if path else b""))
    return digest.hexdigest()[:24]


def _directory(function: Callable[..., Any]) -> Path:
    directory = cache_root() / f"mutation-{_digest(function.__module__)}"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return directory


patch("holdem.jit.kernels.cache_directory", _directory).start()

"""`import_package`, which imports a package that may be missing, or unfit for the others."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from holdem.errors import HoldemRuntimeError, error_text


def import_package(
    module: str, needs: str, *, otherwise: str = "", error: type[HoldemRuntimeError] | None = None
) -> Any:
    """Import and return a module of a package; raise an error that says how to install it.

    The message begins with `needs`, such as ``"charts need matplotlib"``, and ends with
    `otherwise`, such as what works without the package. `error` is its class, None for
    `HoldemRuntimeError`.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except Exception as failure:  # any: one built for another numpy raises a ValueError
        way_out = f": pip install {package}"
        missing = failure.name or "" if isinstance(failure, ModuleNotFoundError) else ""
        if missing.partition(".")[0] != package:
            reason = error_text(failure)
            way_out = f", which cannot be imported ({reason}): pip install -U {package}"
        raise (error or HoldemRuntimeError)(needs + way_out + otherwise) from failure

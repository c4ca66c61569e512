"""`import_package`, which imports a package that may be missing, or unfit for the others."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from holdem.errors import HoldemRuntimeError, error_text


def import_package(
    module: str, needs: str, *, otherwise: str = "", error: type[HoldemRuntimeError] | None = None
) -> Any:
    """Import and return a module of a package; raise an error that says how to install it.

    Args:
        module: the module, such as ``"pyarrow.parquet"``.
        needs: the beginning of the message, such as ``"charts need matplotlib"``.
        otherwise: the end of the message, such as what works without the package.
        error: the class of the error; None for `HoldemRuntimeError`.
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

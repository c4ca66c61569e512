"""Texas Hold'em: deal hands, rank them and compute equity, with pluggable evaluators.

    import holdem

    holdem.evaluate("As Ks Qs Js Ts 2c 3d").name      # "Royal Flush"
    holdem.equity("AsKs", "QQ+", board="Td9d2c")      # exact, or sampled with its error
    holdem.head_to_head("AsKs", "QdQh", seed=7)       # who won, with what, against what
    for hand in holdem.simulate(players=6, hands=10): ...

Names are loaded on first use, so importing the package is cheap.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import Any


@cache
def _modules() -> dict[str, str]:
    """Map each public name to the module that defines it, as listed in ``__init__.pyi``."""
    # Not by pathlib, which takes 3 ms to import.
    with open(os.path.splitext(__file__)[0] + ".pyi", encoding="utf-8") as stub:
        imports = [line.split() for line in stub if line.startswith("from ")]
    return {name: module for _, module, _, name, *_ in imports}


def _advise_on(name: str) -> str:
    """Name what there is in place of a name that does not exist, for the end of a message."""
    if name.startswith("_"):  # asked for by inspect, doctest and the like
        return ""
    from holdem.advice import advise
    from holdem.errors import did_you_mean
    from holdem.plugins.bundled import NAMES

    if name in NAMES:
        return f": now from {NAMES[name]} import {name}"
    advice = advise(f"holdem.{name}")
    return f"; {advice}" if advice else did_you_mean(name, _modules())


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted([*_modules(), "__version__"])
    if name == "__version__":
        from holdem.version import VERSION

        return VERSION
    if name.startswith("__") or name not in _modules():
        raise AttributeError(f"module 'holdem' has no attribute {name!r}{_advise_on(name)}")
    module = _modules()[name]
    if name == "hookspecs":  # a module itself
        import_module(f"{module}.{name}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __getattr__("__all__")

"""Records of what an evaluator prints, and which random generators it uses, while it is checked."""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

_MAX_TEXT = 200  # characters of output that are kept


@attrs.define
class SideEffects:
    """The side effects that an evaluator had while it was checked."""

    output: str = ""
    """The beginning of what it wrote to standard output."""
    random_generator: str = ""
    """The name of the global random generator that it used; empty if none."""


@contextlib.contextmanager
def recorded(effects: SideEffects) -> Iterator[None]:
    """Context manager that adds to `effects` what is printed and which random generator is used."""
    before = _random_states()
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            yield
    finally:
        effects.output += printed.getvalue()[:_MAX_TEXT]
        after = _random_states()
        for name, state in before.items():
            if state != after[name]:
                effects.random_generator = name


@contextlib.contextmanager
def recorded_descriptor(effects: SideEffects) -> Iterator[None]:
    """Context manager that adds to `effects` what is written to file descriptor 1, as by C code."""
    try:
        sys.__stdout__ and sys.__stdout__.flush()  # type: ignore[func-returns-value]
        duplicate = os.dup(1)
    except (OSError, ValueError):  # closed
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(duplicate, 1)
            os.close(duplicate)
            file.seek(0)
            effects.output += file.read(_MAX_TEXT).decode(errors="backslashreplace")


def _random_states() -> dict[str, Any]:
    name, keys, *rest = np.random.get_state()  # noqa: NPY002 - to see whether it changes
    return {
        "Python's random": random.getstate(),
        "numpy.random": (name, np.asarray(keys).tobytes(), *rest),
    }

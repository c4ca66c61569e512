"""Checks for side effects of evaluators: output, and use of global random generators."""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, TextIO

import attrs
import numpy as np

from holdem.errors import one_line
from holdem.evaluation.conformance.findings import Failure
from holdem.evaluation.plugin_guard import in_guarded_call

_MAX_TEXT = 200  # characters of output that are kept


@attrs.define
class SideEffects:
    """The side effects that an evaluator had while it was checked."""

    output: str = ""
    """The beginning of its standard output."""
    random_generator: str = ""
    """The global random generator that it used."""

    def output_failure(self) -> Failure | None:
        """Return a failure if the evaluator wrote to standard output, else None."""
        if not self.output:
            return None
        answered = f"it wrote {one_line(self.output)!r} to standard output"
        return Failure((), answered, "nothing on standard output", 0)

    def random_failure(self) -> Failure | None:
        """Return a failure if the evaluator used a global random generator, else None."""
        if not self.random_generator:
            return None
        answered = f"the state of {self.random_generator} has changed"
        return Failure((), answered, "no use of global random generators", 0)


class _Sink(io.TextIOBase):
    """A stream that captures output from evaluators and passes on all other output."""

    def __init__(self, stream: TextIO) -> None:
        self.text = ""
        self.stream = stream

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not in_guarded_call():
            return self.stream.write(text)
        self.text += text[: max(0, _MAX_TEXT - len(self.text))]
        return len(text)


@contextlib.contextmanager
def recorded(effects: SideEffects) -> Iterator[None]:
    """Record evaluators' printed output and any change to a global random generator."""
    sink = _Sink(sys.stdout)
    before = _random_states()
    try:
        with contextlib.redirect_stdout(sink):
            yield
    finally:
        effects.output += sink.text
        after = _random_states()
        for name, state in before.items():
            if state != after[name]:
                effects.random_generator = name


@contextlib.contextmanager
def recorded_descriptor(effects: SideEffects) -> Iterator[None]:
    """Record output that is written directly to file descriptor 1, e.g. by C libraries."""
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

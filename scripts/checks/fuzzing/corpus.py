"""One input of a target: its limits, and the files of inputs that the tests replay."""

from __future__ import annotations

import ast
import resource
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import holdem
from fuzzing.targets import Target

SAVED = Path(__file__).parents[3] / "tests" / "data" / "fuzz"
MOST_SECONDS = 1.0
MOST_MEMORY = 200 * 2**20


def try_input(target: Target, data: bytes, directory: Path) -> None:
    """Call a target with an input.

    Raises:
        AssertionError: an answer is wrong, or the call takes more than a second of processor
            time, or raises the most memory of the process by more than 200 MB.
        Exception: any exception of the target that is not a `HoldemError`.
    """
    memory, begun = _most_memory(), time.process_time()
    with suppress(holdem.HoldemError):
        target.call(data, directory)
    seconds, more = time.process_time() - begun, _most_memory() - memory
    assert seconds < MOST_SECONDS, f"{seconds:.2f} s"
    assert more < MOST_MEMORY, f"{more / 2**20:.0f} MB"


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # kilobytes on Linux


def read_corpus(name: str) -> list[bytes]:
    """Return the saved inputs of a target. The file has a literal of Python's on each line."""
    path = SAVED / f"{name}.txt"
    lines = path.read_text(encoding="ascii").splitlines() if path.exists() else []
    return [ast.literal_eval(line) for line in lines]


def write_corpus(name: str, inputs: Iterable[bytes]) -> None:
    """Replace the saved inputs of a target."""
    SAVED.mkdir(exist_ok=True)
    lines = [f"{data!r}\n" for data in sorted(inputs, key=lambda data: (len(data), data))]
    (SAVED / f"{name}.txt").write_text("".join(lines), encoding="ascii")

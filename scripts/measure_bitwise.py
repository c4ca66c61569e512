"""Measure the kernels of the evaluator ``bitwise`` and write the tables of its README.

    python scripts/measure_bitwise.py    # on a processor with AVX-512; two minutes

A figure is the fastest of 60 calls with a million random hands on one core, after a call that
compiles. Each row runs in a new process with an empty cache of compiled code, because the choice of
instructions and the replaced functions are fixed when numba compiles a kernel.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.evaluation.best_five import best_of_five
from holdem.evaluation.conformance.hand_generation import random_hands
from holdem.report.tables import markdown_table
from holdem_bitwise import batch, kernel

PAGE = Path(kernel.__file__).parent / "README.md"
COUNT, CALLS = 1_000_000, 60

#: Rows of the table: a name, and the processor that LLVM compiles for, if not this one.
PROCESSORS: dict[str, dict[str, str]] = {
    "AVX-512": {},
    "AVX2 only": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2"},
    "SSE2 only": {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "+sse2"},
}


def _itself(v: int) -> int:
    return v


#: Other forms of the kernel of five cards: the name of a function of `batch`, and its replacement.
VARIANTS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "`s / (s & -s) == 31`, the division": ("in_a_row", kernel.is_straight),
    "`v % 15` of 60 bits": ("casting_out", _itself),
}


def _speed(rank: Callable[[NDArray[np.uint8]], Any], size: int, calls: int = CALLS) -> str:
    """Return millions of hands a second."""
    hands = random_hands(holdem.get_evaluator("lookup").rules, size, COUNT, seed=size)
    rank(hands)
    seconds = []
    for _ in range(calls):
        begun = time.perf_counter()
        rank(hands)
        seconds.append(time.perf_counter() - begun)
    speed = COUNT / min(seconds) / 1e6
    return f"{speed:.1f}" if speed < 10 else f"{speed:.0f}"


def _choices(hands: NDArray[np.uint8]) -> NDArray[Any]:
    return best_of_five(batch.rank_batch, hands)


def _measure(variant: str) -> None:
    """Print the figures of one row: of five, six and seven cards, or of a variant."""
    if variant == "choices":
        found = [_speed(_choices, size, 5) for size in (6, 7)]
    elif variant:
        name, function = VARIANTS[variant]
        setattr(batch, name, holdem.inlined(function))
        found = [_speed(batch.rank_batch, 5)]
    else:
        found = [_speed(batch.rank_batch, size) for size in (5, 6, 7)]
    print(*found)


def _row(variant: str, processor: str) -> list[str]:
    """Return the figures of one row, measured in a new process."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, **PROCESSORS[processor], "HOLDEM_CACHE_DIR": cache}
        command = [sys.executable, __file__, "row", variant]
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout.split()


def tables() -> str:
    """Return both tables as Markdown."""
    best = next(iter(PROCESSORS))
    rows = [[name, *_row("", name)] for name in PROCESSORS]
    rows.append([f"{best}, 6 or 21 choices of five", "", *_row("choices", best)])
    forms = [["as in the plugin", *(row[1] for row in rows[:-1])]]
    forms += [[name, *(_row(name, each)[0] for each in PROCESSORS)] for name in VARIANTS]
    head = ["million hands a second", "five", "six", "seven"]
    by_form = ["million hands of five a second", *PROCESSORS]
    return f"{markdown_table(head, rows)}\n\n{markdown_table(by_form, forms)}"


def main() -> None:
    """Replace the tables in the README, or print one row."""
    if sys.argv[1:2] == ["row"]:
        _measure(sys.argv[2])
        return
    begin, end = "<!-- python scripts/measure_bitwise.py -->\n", "<!-- end -->\n"
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(page), f"{PAGE} has no mark {begin}"
    found = f"{begin}\n{tables()}\n\n{end}"
    PAGE.write_text(pattern.sub(lambda _: found, page), encoding="utf-8")


if __name__ == "__main__":
    main()

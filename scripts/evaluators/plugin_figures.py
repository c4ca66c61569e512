"""Figures of plugins: measured in new processes, and written to a marked block of a page.

Shared by the scripts that measure plugins and by ``make_methods_page.py``. The pages of plugins
show percentages: hands a second come from the benchmark alone (``make_methods_page.py``).
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
from holdem.evaluation.conformance.hands import random_hands

COUNT, CALLS = 1_000_000, 60
END = "<!-- end -->\n"

#: Processors that LLVM compiles for, if not this one.
PROCESSORS: dict[str, dict[str, str]] = {
    "AVX-512": {},
    "AVX2 only": {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2"},
    "SSE2 only": {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "+sse2"},
}


def speed(
    rank: Callable[[NDArray[np.uint8]], Any],
    size: int,
    calls: int = CALLS,
    evaluator: str = "lookup",
) -> str:
    """Return the speed of a batch function: millions of hands a second in the fastest call.

    Time is that of the processor in the calling thread, so that other processes matter less.

    Args:
        rank: ranks ``uint8 (hand, size)``. The first call, which compiles, is not timed.
        size: the number of cards of a hand.
        calls: the number of timed calls, each with a million random hands.
        evaluator: gives the rules, and so the deck.
    """
    hands = random_hands(holdem.get_evaluator(evaluator).rules, size, COUNT, seed=size)
    rank(hands)
    seconds = []
    for _ in range(calls):
        begun = time.thread_time()
        rank(hands)
        seconds.append(time.thread_time() - begun)
    found = COUNT / min(seconds) / 1e6
    return f"{found:.1f}" if found < 10 else f"{found:.0f}"


def row(script: str, processor: str, *arguments: str) -> list[str]:
    """Return the figures that ``SCRIPT row ARGUMENTS`` prints in a new process.

    Its cache of compiled code is empty, because the choice of instructions and replaced functions
    are fixed when numba compiles a kernel.
    """
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, **PROCESSORS[processor], "HOLDEM_CACHE_DIR": cache}
        command = [sys.executable, script, "row", *arguments]
        return subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, text=True, check=True
        ).stdout.split()


def percentages(cells: list[str], base: str) -> list[str]:
    """Return speeds as rounded percentages of another one; empty cells stay empty."""
    return [cell and f"{100 * float(cell) / float(base):.0f}" for cell in cells]


def put_block(text: str, command: str, content: str) -> str:
    """Return a page with new content between the comment with a command and the end mark.

    Raises:
        ValueError: the page has no such comment.
    """
    begin = f"<!-- {command} -->\n"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"the page has no mark {begin.strip()!r} with {END.strip()!r} below it")
    return pattern.sub(lambda _: f"{begin}\n{content}\n\n{END}", text)


def write_block(page: Path, command: str, content: str) -> None:
    """Replace a block of a file, as `put_block` does."""
    page.write_text(put_block(page.read_text(encoding="utf-8"), command, content), encoding="utf-8")


def figure(page: Path, name: str, column: int) -> str:
    """Return a cell of the Markdown table row with a name; column 0 is the name.

    Raises:
        ValueError: the page does not have exactly one such row.
    """
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| {name} |")
    ]
    if len(rows) != 1:
        raise ValueError(f"{page} has {len(rows)} rows {name!r}, not one")
    return rows[0][column]

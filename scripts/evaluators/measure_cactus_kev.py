"""Measure the forms of the evaluator ``cactus-kev`` and write the table of its README.

    python scripts/evaluators/measure_cactus_kev.py    # half a minute

A figure is the fastest of 40 calls with a million random hands on one core, after a call that
compiles, in percent of the plugin; or the fastest of 5 imports of the tables, each in a new
process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.evaluation.conformance.hands import random_hands
from holdem.report.markup import markdown_table
from holdem_cactus_kev import kernel, tables
from holdem_cactus_kev.kernel import Field
from plugin_figures import COUNT, percentages, speed, write_block

PAGE = Path(kernel.__file__).parent / "README.md"
CALLS, IMPORTS = 40, 5
IMPORT = """
import time, holdem
holdem.Card  # loads numpy
begun = time.perf_counter()
import holdem_cactus_kev.tables
print(time.perf_counter() - begun)
"""

_CARDS, _FLUSHES, _UNIQUE5 = tables.CARDS, tables.FLUSHES, tables.UNIQUE5
_SLOT_VALUES = tables.SLOT_VALUES
_SUIT, _RANK_BIT_SHIFT = np.uint32(0xF000), np.uint32(16)


@holdem.inlined
def class_with_branch(a: Field, b: Field, c: Field, d: Field, e: Field) -> np.uint16:
    """Return the class of five cards by the perfect hash, with a branch on different ranks."""
    ranks = (a | b | c | d | e) >> _RANK_BIT_SHIFT
    if a & b & c & d & e & _SUIT:
        return np.uint16(_FLUSHES[ranks])
    if _UNIQUE5[ranks]:
        return np.uint16(_UNIQUE5[ranks])
    return np.uint16(_SLOT_VALUES[kernel.find_by_hash(kernel.prime_product(a, b, c, d, e))])


@holdem.kernel
def _rank_with_branch(hands: NDArray[np.uint8], strengths: NDArray[np.int16]) -> None:
    for i in range(np.uint64(len(hands))):
        a, b, c = _CARDS[hands[i, 0]], _CARDS[hands[i, 1]], _CARDS[hands[i, 2]]
        d, e = _CARDS[hands[i, 3]], _CARDS[hands[i, 4]]
        strengths[i] = 7463 - class_with_branch(a, b, c, d, e)


def rank_with_branch(hands: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Rank hands as `kernel.rank_batch` does, with `class_with_branch`."""
    strengths = np.empty(len(hands), dtype=np.int16)
    _rank_with_branch(hands, strengths)
    return strengths


def checked_speed(rank: Callable[[NDArray[np.uint8]], Any]) -> str:
    """Return millions of hands a second, after a check against `lookup`."""
    lookup = holdem.get_evaluator("lookup")
    hands = random_hands(lookup.rules, 5, COUNT, seed=5)
    assert (7463 - rank(hands) == lookup.scale.classes(lookup.strengths(hands))).all()
    return speed(rank, 5, CALLS)


def table() -> str:
    """Return the measured figures as Markdown."""
    forms: dict[str, Callable[[NDArray[np.uint8]], Any]] = {
        "perfect hash, no branch on step 3": kernel.rank_batch,
        "perfect hash, with the branch": rank_with_branch,
        "binary search": partial(kernel.rank_batch, search=True),
    }
    speeds = [checked_speed(form) for form in forms.values()]
    rows = list(zip(forms, percentages(speeds, speeds[0]), strict=True))
    imports = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True)
        for _ in range(IMPORTS)
    ]
    load = min(float(done.stdout) for done in imports)
    size = sum(array.nbytes for array in vars(tables).values() if isinstance(array, np.ndarray))
    return (
        f"{markdown_table(['', 'speed in percent'], rows)}\n\n"
        f"The tables take {size:,} bytes and are computed in {1000 * load:.0f} ms."
    )


def main() -> None:
    """Replace the table in the README."""
    write_block(PAGE, "python scripts/evaluators/measure_cactus_kev.py", table())


if __name__ == "__main__":
    main()

"""Measure the kernels of the evaluator ``bitwise`` and write the tables of its README.

    python scripts/evaluators/measure_bitwise.py    # on a processor with AVX-512; two minutes

A figure is the fastest of 60 calls with a million random hands on one core, after a call that
compiles. Each row runs in a new process with an empty cache of compiled code, because the choice of
instructions and the replaced functions are fixed when numba compiles a kernel.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.evaluation.best_five import best_of_five
from holdem.report.markup import markdown_table
from holdem_bitwise import batch, kernel
from plugin_figures import PROCESSORS, row, speed, write_block

PAGE = Path(kernel.__file__).parent / "README.md"


def _itself(v: int) -> int:
    return v


#: Other forms of the kernel of five cards: the name of a function of `batch`, and its replacement.
VARIANTS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "`s / (s & -s) == 31`, the division": ("in_a_row", kernel.is_straight),
    "`v % 15` of 60 bits": ("casting_out", _itself),
}


def _choices(hands: NDArray[np.uint8]) -> NDArray[Any]:
    return best_of_five(batch.rank_batch, hands)


def _measure(variant: str) -> None:
    """Print the figures of one row: of five, six and seven cards, or of a variant."""
    if variant == "choices":
        found = [speed(_choices, size, 5) for size in (6, 7)]
    elif variant:
        name, function = VARIANTS[variant]
        setattr(batch, name, holdem.inlined(function))
        found = [speed(batch.rank_batch, 5)]
    else:
        found = [speed(batch.rank_batch, size) for size in (5, 6, 7)]
    print(*found)


def tables() -> str:
    """Return both tables as Markdown."""
    best = next(iter(PROCESSORS))
    rows = [[name, *row(__file__, name, "")] for name in PROCESSORS]
    rows.append([f"{best}, 6 or 21 choices of five", "", *row(__file__, best, "choices")])
    forms = [["as in the plugin", *(cells[1] for cells in rows[:-1])]]
    forms += [[name, *(row(__file__, each, name)[0] for each in PROCESSORS)] for name in VARIANTS]
    head = ["million hands a second", "five", "six", "seven"]
    by_form = ["million hands of five a second", *PROCESSORS]
    return f"{markdown_table(head, rows)}\n\n{markdown_table(by_form, forms)}"


def main() -> None:
    """Replace the tables in the README, or print one row."""
    if sys.argv[1:2] == ["row"]:
        _measure(sys.argv[2])
        return
    write_block(PAGE, "python scripts/evaluators/measure_bitwise.py", tables())


if __name__ == "__main__":
    main()

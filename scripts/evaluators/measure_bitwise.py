"""Measure the kernels of the evaluator ``bitwise`` and write the table of its README.

    python scripts/evaluators/measure_bitwise.py    # on a processor with AVX-512; two minutes

A figure is the fastest of 60 calls with a million random hands on one core, after a call that
compiles. Each row runs in a new process with an empty cache of compiled code, because the choice of
instructions and the replaced functions are fixed when numba compiles a kernel. The table has them
in percent of five cards with AVX-512.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import holdem
from holdem.report.markup import markdown_table
from holdem_bitwise import batch, kernel
from plugin_figures import PROCESSORS, percentages, row, speed, write_block

PAGE = Path(kernel.__file__).parent / "README.md"


def _itself(v: int) -> int:
    return v


#: Other forms of the kernel of five cards: the name of a function of `batch`, and its replacement.
VARIANTS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "the division `s / (s & -s)`": ("in_a_row", kernel.is_straight),
    "`v % 15` of 60 bits": ("casting_out", _itself),
}


def _measure(variant: str) -> None:
    """Print the figures of one row: of five, six and seven cards, or of a variant."""
    if variant:
        name, function = VARIANTS[variant]
        setattr(batch, name, holdem.inlined(function))
        found = [speed(batch.rank_batch, 5)]
    else:
        found = [speed(batch.rank_batch, size) for size in (5, 6, 7)]
    print(*found)


def table() -> str:
    """Return the table as Markdown."""
    by_size = zip(*(row(__file__, each, "") for each in PROCESSORS), strict=True)
    rows = [[name, *cells] for name, cells in zip(("five", "six", "seven"), by_size, strict=True)]
    for name in VARIANTS:
        cells = [row(__file__, each, name)[0] for each in PROCESSORS]
        rows.append([f"five, with {name}", *cells])
    base = rows[0][1]
    head = ["speed in percent", *PROCESSORS]
    return markdown_table(head, [[name, *percentages(cells, base)] for name, *cells in rows])


def main() -> None:
    """Replace the table in the README, or print one row."""
    if sys.argv[1:2] == ["row"]:
        _measure(sys.argv[2])
        return
    write_block(PAGE, "python scripts/evaluators/measure_bitwise.py", table())


if __name__ == "__main__":
    main()

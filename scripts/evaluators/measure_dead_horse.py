"""Measure the forms of the evaluator ``dead-horse`` and write the table of its README.

    python scripts/evaluators/measure_dead_horse.py    # on a processor with AVX-512; two minutes

A figure is the fastest of 100 calls with a million random hands on one core, after a call that
compiles, in percent of the plugin with AVX-512. Each runs in a new process with an empty cache of
compiled code.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.report.markup import markdown_table
from holdem_dead_horse import kernel
from holdem_dead_horse.tables import CARDS
from plugin_figures import PROCESSORS, percentages, row, speed, write_block

PAGE = Path(kernel.__file__).parent / "README.md"
CALLS = 100


@holdem.inlined
def remainder_divides(divisor: int, number: int) -> bool:
    """Return whether a divisor divides a number, by the modulo of integers."""
    return number % divisor == 0


@holdem.inlined
def combine_with_branches(union: int, odd: int, total: int, straight: bool, flush: bool) -> int:
    """Return the strength as `kernel.combine` does, with branches by category."""
    repeated = total - union
    count = kernel.duplicates(union, odd)
    if straight and flush:
        category = 8
    elif flush:
        category = 5
    elif straight:
        category = 4
    elif count == 7:
        category = 1
    elif count == 4:
        category = 2
    elif count == 6:
        category = 3
    elif count == 3:
        if kernel.is_four_of_a_kind(union, odd, total):
            category = 7
        else:
            category = 6
            repeated = odd
    else:
        category = 0
    ranks = 15 if union == kernel.WHEEL else union
    return category << 27 | repeated << 13 | ranks


@holdem.kernel
def _rank_in_one_pass(hands: NDArray[np.uint8], strengths: NDArray[np.int32]) -> None:
    for i in range(np.uint64(len(hands))):
        union = odd = total = 0
        for j in range(np.uint64(5)):
            card = CARDS[hands[i, j]]
            union |= card
            odd ^= card & kernel.RANKS
            total += card & kernel.RANKS
        ranks, suits = union & kernel.RANKS, union & ~kernel.RANKS
        straight = kernel.divides(ranks, kernel.STRAIGHT_MULTIPLE)
        flush = kernel.divides(suits, kernel.FLUSH_MULTIPLE)
        strengths[i] = kernel.combine(ranks, odd, total, straight, flush)


#: Other forms of the kernel: the name of a function of `kernel`, and its replacement.
VARIANTS = {
    "integer modulo": ("divides", remainder_divides),
    "branches by category": ("combine", combine_with_branches),
    "one pass, without looking up the cards of a block first": ("_rank", _rank_in_one_pass),
}


def _measure(variant: str) -> None:
    """Print the figure of a variant or of the plugin, after a check."""
    if variant:
        name, function = VARIANTS[variant]
        setattr(kernel, name, function)
    lookup = holdem.get_evaluator("lookup")
    examples = np.ascontiguousarray(lookup.rules.examples)
    order = np.argsort(lookup.strengths(examples))
    assert (np.diff(kernel.rank_batch(examples)[order]) > 0).all(), variant
    print(speed(kernel.rank_batch, 5, CALLS))


def table() -> str:
    """Return the table as Markdown."""
    forms = {"as in the plugin": "", **{name: name for name in VARIANTS}}
    found = {
        name: [row(__file__, each, form)[0] for each in PROCESSORS] for name, form in forms.items()
    }
    base = found["as in the plugin"][0]
    rows = [[name, *percentages(cells, base)] for name, cells in found.items()]
    return markdown_table(["speed in percent", *PROCESSORS], rows)


def main() -> None:
    """Replace the table in the README, or print one figure."""
    if sys.argv[1:2] == ["row"]:
        _measure(sys.argv[2])
    else:
        write_block(PAGE, "python scripts/evaluators/measure_dead_horse.py", table())


if __name__ == "__main__":
    main()

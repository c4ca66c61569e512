"""Measure the plugin ``holdem_suit_mask`` and write the tables of its README.

    python scripts/evaluators/measure_suit_mask.py    # x86 with BMI2; two minutes

The first table compares the article's ways from masks to index sets. A figure is the fastest of
2,000 calls with 16,384 masks, which fit in the L2 cache, on one core, in nanoseconds for one mask.
Branches are measured with the suits in order, which a processor predicts, and at random. Results
are compared with `holdem_suit_mask.layout.to_index_set`.

The second table has speeds in percent of suit-mask with five cards and AVX-512: the fastest of 60
calls with a million random hands. Each row runs in a new process with an empty cache of compiled
code, because the instructions are chosen when numba compiles a kernel.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

import holdem
from holdem.evaluation.conformance.hands import random_hands
from holdem.report.markup import markdown_table
from holdem_suit_mask import deuces, kernel, layout
from holdem_suit_mask.conversions import branching, extracting, shifting
from holdem_suit_mask.tables import CARD_MASKS
from plugin_figures import PROCESSORS, percentages, row, speed, write_block

PAGE = Path(kernel.__file__).parent / "README.md"
MASKS, CALLS_OF_MASKS = 16_384, 2_000

EVALUATORS = {"suit-mask": kernel.rank_batch, "deuces-wild": deuces.rank_batch}

_Masks = NDArray[np.uint64]


# --- from masks to index sets --------------------------------------------------------------


def _define_no_vectorization(_context: Any) -> Any:
    """Define a function that keeps LLVM from vectorizing the enclosing loop."""

    def emit(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        # Empty inline assembly with side effects: LLVM does not vectorize a loop around it.
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], True)
        return context.get_dummy_value()

    return types.void(), emit


no_vectorization: Any = intrinsic(_define_no_vectorization)


def over_all(
    convert: Callable[[np.uint64], np.uint64], *, vectorized: bool
) -> Callable[[_Masks, _Masks], None]:
    """Return a compiled loop that converts each mask of an array."""

    def loop(masks: _Masks, indices: _Masks) -> None:
        for i in range(np.uint64(len(masks))):
            if not vectorized:
                no_vectorization()
            indices[i] = convert(masks[i])

    compiled: Callable[[_Masks, _Masks], None] = njit(nogil=True)(loop)
    return compiled


def _nanoseconds(loop: Callable[[_Masks, _Masks], None], masks: _Masks) -> str:
    indices = np.empty_like(masks)
    loop(masks, indices)
    for place in range(0, len(masks), 997):
        assert layout.to_index_set(int(masks[place])) == indices[place]
    seconds = []
    for _ in range(CALLS_OF_MASKS):
        begun = time.perf_counter()
        loop(masks, indices)
        seconds.append(time.perf_counter() - begun)
    return f"{1e9 * min(seconds) / len(masks):.2f}"


def conversions() -> str:
    """Return the table of the ways from masks to index sets."""
    random = np.random.default_rng(1)
    cards = random.integers(0, 52, MASKS)
    in_order = cards // 4 * 4 + np.sort(cards % 4)
    hands = random_hands(holdem.get_evaluator("lookup").rules, 7, MASKS, seed=7)
    sevens = np.bitwise_or.reduce(CARD_MASKS[hands], axis=1)
    inputs = [CARD_MASKS[in_order], CARD_MASKS[cards], sevens]
    ways = {
        "branching": over_all(branching, vectorized=False),
        "shifting": over_all(shifting, vectorized=False),
        "extracting (`pext`)": over_all(extracting, vectorized=False),
        "shifting, several masks in one vector": over_all(shifting, vectorized=True),
    }
    rows = []
    for name, loop in ways.items():
        masks = inputs if name != "branching" else inputs[:2]  # branches convert one card
        figures = [_nanoseconds(loop, given) for given in masks]
        rows.append([name, *figures, *["–"] * (len(inputs) - len(masks))])
    head = ["ns a mask", "one card, suits in order", "one card, at random", "seven cards"]
    return markdown_table(head, rows)


# --- hands ---------------------------------------------------------------------------------


def speeds() -> str:
    """Return the table of speeds in percent."""
    found = [
        (f"{name}, {processor}", row(__file__, processor, name))
        for name in EVALUATORS
        for processor in PROCESSORS
    ]
    base = found[0][1][0]
    rows = [[name, *percentages(cells, base)] for name, cells in found]
    return markdown_table(["speed in percent", "five", "six", "seven"], rows)


def main() -> None:
    """Replace the tables in the README, or print one row."""
    if sys.argv[1:2] == ["row"]:
        name = sys.argv[2]
        print(*(speed(EVALUATORS[name], size, evaluator=name) for size in (5, 6, 7)))
        return
    for part, table in (("conversions", conversions), ("hands", speeds)):
        write_block(PAGE, f"python scripts/evaluators/measure_suit_mask.py: {part}", table())


if __name__ == "__main__":
    main()

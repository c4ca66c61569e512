"""Measure an equity with evaluators of all kinds: README's eleven lines, plugins, the default.

    python scripts/benchmarks/measure_evaluators.py

Each row is a new process with compiled code in the cache. *first* is the first
``equity("AsKs", "QdQh")`` of the process, with loading and proving the evaluator, *later* the
median of 1,000 further ones, and *sampled* the deals of AsKs v random that one worker samples in a
second. All are seconds of processor time, so that other programs matter little.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import holdem
from holdem.report.markup import markdown_table

README = Path(__file__).parents[2] / "README.md"
EVALUATORS = ("lookup", "eleven-lines", "reference", "cactus-kev", "bitwise", "suit-mask")
DEALS = 20_000_000


def _seconds(call: Callable[[], object]) -> float:
    begun = time.process_time()
    call()
    return time.process_time() - begun


def _measure(name: str) -> list[str]:
    """Return the cells of an evaluator's row."""
    if name == "eleven-lines":
        blocks = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.M)
        (definition,) = (block for block in blocks if "eleven-lines" in block)
        exec(definition.partition("\nresult =")[0], {})

    def ask() -> object:
        return holdem.equity("AsKs", "QdQh", evaluator=name)

    def sample() -> object:
        return holdem.equity(
            "AsKs", "random", evaluator=name, method="monte-carlo", deals=DEALS, seed=1, workers=1
        )

    first = _seconds(ask)
    later = statistics.median(_seconds(ask) for _ in range(1000))
    _seconds(sample)  # loads the kernels
    return [
        name,
        f"{first:.2f} s",
        f"{1e3 * later:.3f} ms",
        f"{DEALS / _seconds(sample) / 1e6:.0f} M/s",
    ]


def main() -> None:
    """Print the table, or the cells of one evaluator."""
    if len(sys.argv) > 1:
        print(*_measure(sys.argv[1]), sep="\t")
        return
    rows = [
        subprocess.run(
            [sys.executable, __file__, name], capture_output=True, text=True, check=True
        ).stdout.split("\t")
        for name in EVALUATORS
    ]
    print(markdown_table(["evaluator", "first", "later", "sampled"], rows))


if __name__ == "__main__":
    main()

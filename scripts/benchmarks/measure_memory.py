"""Measure that memory does not grow with the number of deals or hands, and little with spots.

Each call is made with a small and a large number, always in a new process, whose peak resident
memory (`VmHWM`, interpreter and libraries included) is read at its end. The script fails if the
medians differ by more than 5 %; for the spots of a study, which are kept compressed, by more than
600 bytes each.

    python scripts/benchmarks/measure_memory.py [--repetitions 3] [--only TEXT]

Requires /proc. Reading 600 MB of hand histories takes five minutes, and half a gigabyte of disk.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOLERANCE = 0.05
HANDS = Path(__file__).parents[2] / "tests" / "data" / "histories" / "pluribus.phhs"


@dataclass(frozen=True)
class Work:
    """A call with a variable number of deals or hands."""

    title: str
    python: str
    """Python code, run in an empty directory; `n` is the number."""
    few: int
    many: int
    bytes_each: int = 0
    """How much memory each of `many` may take."""


# Turns of four ranks, so that no starting hand is blocked.
_RUN_STUDY = """
import contextlib, itertools, os
from holdem.cli import run
ranks = itertools.combinations("3456789TJQKA", 4)
turns = [a + x + b + "d" + c + "h" + d + "s" for a, b, c, d in ranks for x in "cs"]
grid = {"hero": "each class", "villain": "22", "board": turns[: n // 169]}
holdem.run_study({"seed": 1, "grid": [grid]}, "store")
with open(os.devnull, "w") as sink, contextlib.redirect_stdout(sink):
    for form in ("table", "json", "csv"):
        run(["results", "store", "-f", form])
"""

# `n` megabytes of PHHS.
_READ_HISTORIES = f"""
import contextlib, os
from holdem.cli import run
hands = pathlib.Path({str(HANDS)!r}).read_bytes()
with open("hands.phhs", "wb") as file:
    for _ in range(n * 10**6 // len(hands)):
        file.write(hands)
with open(os.devnull, "w") as sink, contextlib.redirect_stdout(sink):
    run(["history", "hands.phhs", "--copies", "keep"])
"""

WORKS = (
    Work(
        "deals of `equity`",
        "holdem.equity('AsKs', 'random', method='monte-carlo', deals=n, seed=1)",
        10**6,
        10**9,
    ),
    Work(
        "deals of a study",
        "holdem.run_study({'seed': 1, 'method': 'monte-carlo', 'spot':"
        " [{'players': ['AsKs', 'random', 'random'], 'deals': n}]}, 'store')",
        10**6,
        10**8,
    ),
    Work("spots of a study: run, table, JSON, CSV", _RUN_STUDY, 10**4, 10**5, bytes_each=600),
    Work(
        "deals of `equity`, evaluator bitwise",
        "holdem.equity('AsKs', 'QQ', method='monte-carlo', deals=n, seed=1, evaluator='bitwise')",
        10**6,
        10**7,
    ),
    Work("deals of `head_to_head`", "holdem.head_to_head('AsKs', 'QQ', deals=n)", 10**6, 10**7),
    Work("hands of `aggregate`", "holdem.aggregate(players=6, hands=n, seed=1)", 10**5, 10**7),
    Work(
        "hands of `simulate`",
        "for hand in holdem.simulate(players=6, hands=n, seed=1):\n    hand.winners",
        10**4,
        10**6,
    ),
    Work(
        "hands of `write_hands`",
        "holdem.write_hands('hands.csv', players=6, hands=n, seed=1)",
        10**5,  # 10^4 are three tables of 4,096, fewer than are computed at a time: 171 MB
        3 * 10**6,
    ),
    Work("megabytes of PHHS, `holdem history`", _READ_HISTORIES, 60, 600),
)


def peak(work: str, times: int) -> float:
    """Return the peak resident memory of a new process in MB.

    Args:
        work: Python code that uses `holdem` and `n`.
        times: the value of `n`.
    """
    script = f"""
import pathlib, holdem
n = {times}
{work}
lines = pathlib.Path("/proc/self/status").read_text().splitlines()
print(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024)
"""
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run(
            [sys.executable, "-c", script],
            check=True,
            capture_output=True,
            text=True,
            cwd=directory,
        )
    return int(done.stdout) / 1e6


def main() -> None:
    """Measure, and print a line for each call."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--only", default="", metavar="TEXT", help="only titles with this text")
    options = parser.parse_args()
    worst = 0.0
    print("| | few | MB | many | MB | growth |\n|---|---:|---:|---:|---:|---:|")
    for work in WORKS:
        if options.only not in work.title:
            continue
        peak(work.python, work.few)  # first, because compiling kernels takes memory
        few, many = (
            statistics.median(peak(work.python, times) for _ in range(options.repetitions))
            for times in (work.few, work.many)
        )
        growth = many / few - 1
        worst = max(worst, abs(growth) - work.bytes_each * work.many / 1e6 / few)
        print(
            f"| {work.title} | {work.few:,} | {few:.1f} | {work.many:,} | {many:.1f}"
            f" | {100 * growth:+.1f} % |",
            flush=True,
        )
    sys.exit(worst > TOLERANCE)


if __name__ == "__main__":
    main()

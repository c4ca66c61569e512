"""Time the reading of logs beside PokerKit's own reading, in turns, in one process.

    python scripts/benchmarks/measure_logs.py LOG.txt HANDS.phhs

Rates are hands per second of processor time, the best of three. PokerKit parses the first hands of
the text of PokerStars, or loads and replays those of the PHHS; it prints an error for each that it
can't read.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pokerkit

from holdem_histories import read_hands

_ROUNDS = 3
_OF_POKERKIT = 300  # hands, as it is slow


def time_of(call: Callable[[], int]) -> tuple[int, float]:
    """Count what a call returns, and its seconds of processor time."""
    start = time.process_time()
    count = call()
    return count, time.process_time() - start


def read_own(path: Path) -> int:
    """Read all hands of a file."""
    return sum(1 for _ in read_hands(path, copies="keep"))


def parse_stars(path: Path) -> int:
    """Parse the first hands with PokerKit."""
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    some = "PokerStars " + "PokerStars ".join(text.split("PokerStars ")[1 : _OF_POKERKIT + 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parser: Any = pokerkit.PokerStarsParser()
        return sum(1 for _ in parser(some))


def load_phh(path: Path) -> int:
    """Load and replay the first hands with PokerKit."""
    text = path.read_text(encoding="utf-8")
    some = "\n[".join(text.split("\n[")[:_OF_POKERKIT])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(pokerkit.HandHistory.loads_all(some))
        for hand in found:
            for _ in hand:
                pass
    return len(found)


def main() -> None:
    """Print the rates of both for each file."""
    log, phhs = map(Path, sys.argv[1:3])
    calls = [
        ("PokerStars text", 3_000, lambda: read_own(log), lambda: parse_stars(log)),
        ("PHHS", 8_000, lambda: read_own(phhs), lambda: load_phh(phhs)),
    ]
    for name, goal, own, other in calls:
        best = [0.0, 0.0]
        for _ in range(_ROUNDS):
            for place, call in enumerate((own, other)):
                count, seconds = time_of(call)
                best[place] = max(best[place], count / seconds)
        missed = f", goal {goal:,} missed" if best[0] < goal else ""
        print(f"{name}: {best[0]:,.0f} hands/s{missed}, PokerKit {best[1]:,.0f}")


if __name__ == "__main__":
    main()

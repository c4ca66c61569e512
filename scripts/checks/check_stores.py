"""Damage stores of a study in random places, and require that they read right or are refused.

A run of `STUDY` is stopped halfway. Copies of its store, and of the store of a finished run, are
damaged:

flipped    one bit is inverted.
zeros      a sector of 512 bytes is zeros.
truncated  the end is missing.
longer     random bytes follow.

For each copy `holdem.study_results` must return exactly what the undamaged store holds, or raise
`holdem.StoreError` with a message of one line that names the file. Then `holdem.run_study` must
either refuse the copy likewise, or end with the results of an unbroken run. Anything else, such as
another exception or another figure, ends the script with exit code 1.

    python scripts/checks/check_stores.py [--damages 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import holdem
from holdem.trials.studies.store import Store, StoredSpot

STUDY: dict[str, Any] = {
    "seed": 4,
    "spot": [
        {"players": ["AsKs", "random"], "method": "monte-carlo", "deals": 150_000},
        {"players": ["QQ+", "AK", "random"], "method": "monte-carlo", "deals": 50_000},
        {"players": ["AcAs", "KdKh"], "board": "Td9d2c", "name": "aces"},
    ],
    "grid": [{"hero": ["QQ+", "AK"], "villain": ["22+", "top 10%"], "board": ["Td9d2c", "Ks7d2c"]}],
}

Damage = Callable[[bytearray, random.Random], None]


def _flipped(content: bytearray, rng: random.Random) -> None:
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def _zeros(content: bytearray, rng: random.Random) -> None:
    start = 512 * rng.randrange(len(content) // 512)
    content[start : start + 512] = bytes(512)


def _truncated(content: bytearray, rng: random.Random) -> None:
    del content[rng.randrange(1, len(content)) :]


def _longer(content: bytearray, rng: random.Random) -> None:
    content += rng.randbytes(rng.randrange(1, 10_000))


DAMAGES: dict[str, Damage] = {
    "flipped": _flipped,
    "zeros": _zeros,
    "truncated": _truncated,
    "longer": _longer,
}


class _HalfwayError(Exception):
    """Ends a run halfway."""


def half_store(path: Path) -> None:
    """Run the study, with a commit for each result, and stop at the fourth."""
    count, put = 0, Store.put

    def put_few(store: Store, number: int, spot: StoredSpot) -> None:
        nonlocal count
        put(store, number, spot)
        store.flush()
        count += 1
        if count == 4:
            raise _HalfwayError

    with patch.object(Store, "put", put_few):
        try:
            holdem.run_study(STUDY, path, workers=1)
        except _HalfwayError:
            return
    raise AssertionError("the run ended")


def outcome(path: Path, before: Any, unbroken: Any) -> str:
    """Read and run a damaged store; return what happened, in capitals if it is a fault."""
    words = []
    for title, action, expected in (
        ("read", holdem.study_results, before),
        ("run", lambda place: holdem.run_study(STUDY, place, workers=1), unbroken),
    ):
        try:
            found = action(path)
        except holdem.StoreError as error:
            message = str(error)
            is_clear = str(path) in message and "\n" not in message and len(message) < 400
            words.append("refused" if is_clear else f"REFUSED WITH {message!r}")
        except Exception as error:
            words.append(f"{title.upper()} RAISED {error!r}")
        else:
            words.append("right" if found == expected else f"{title.upper()} WITH OTHER FIGURES")
    return ", ".join(words)


def main() -> None:
    """Damage copies of both stores, and print how often what happened."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--damages", type=int, default=1000, help="of each kind and store")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, begun, faults = random.Random(options.seed), time.monotonic(), 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        half, whole, damaged = (directory / name for name in ("half", "whole", "damaged"))
        unbroken = holdem.run_study(STUDY, whole, workers=1)
        half_store(half)
        for store in half, whole:
            content, before = store.read_bytes(), holdem.study_results(store)
            print(f"{store.name}: {before!r}, {len(content):,} bytes", flush=True)
            for kind, damage in DAMAGES.items():
                outcomes = Counter[str]()
                for _ in range(options.damages):
                    copy = bytearray(content)
                    damage(copy, rng)
                    damaged.write_bytes(copy)
                    outcomes[outcome(damaged, before, unbroken)] += 1
                    for left in directory.glob("damaged*"):
                        left.unlink()
                faults += sum(n for words, n in outcomes.items() if words.lower() != words)
                counts = "; ".join(f"{n} {words}" for words, n in outcomes.most_common())
                print(f"  {kind:9} read, run: {counts}", flush=True)
    print(f"{faults} faults; {time.monotonic() - begun:.0f} s in all")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()

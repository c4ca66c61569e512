"""Measure the strengths, indices and buckets of whole streets, in seconds of CPU time.

python scripts/benchmarks/measure_every_hand.py [preflop] [flop] [turn] [river]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import holdem
from holdem_abstraction import HandIndexer, card_abstraction, hand_strengths
from holdem_abstraction.streets import Street, board_cards

_HANDS = 1_000_000
_BUCKETS: dict[Street, int] = {"flop": 200, "turn": 256}


def measure(name: str, call: Callable[[], Any], repeats: int = 1) -> Any:
    """Print the median CPU time of some calls; return the last answer."""
    seconds = []
    for _ in range(repeats):
        started = time.process_time()
        answer = call()
        seconds.append(time.process_time() - started)
    found = median(seconds)
    rate = f", {_HANDS / found / 1e6:.1f} M/s" if repeats > 1 else ""
    print(f"{name}: {found:.3f} s{rate}")
    return answer


def main() -> None:
    """Measure the streets that are named, or all."""
    streets: tuple[Street, ...] = ("preflop", "flop", "turn", "river")
    holdem.warm_up()
    for street in streets:
        if sys.argv[1:] and street not in sys.argv[1:]:
            continue
        cards = board_cards(street)
        rng = np.random.default_rng(1)
        parts = [rng.random((10_000, 52)).argsort(axis=1) for _ in range(_HANDS // 10_000)]
        hands = np.concatenate([part[:, : 2 + cards].astype(np.uint8) for part in parts])
        holes, boards = hands[:, :2].copy(), hands[:, 2:].copy()
        indexer = HandIndexer(street)
        numbers = measure(f"{street}, index", lambda: indexer.index(holes, boards), 7)  # noqa: B023
        measure(f"{street}, hands", lambda: indexer.hands(numbers), 7)  # noqa: B023
        for bins in (None, 50) if street in _BUCKETS else (None,):
            table = measure(
                f"{street}, strengths" + f" with {bins} bins" * bool(bins),
                lambda: hand_strengths(street, bins=bins, workers=1),  # noqa: B023
            )
        measure(f"{street}, lookup", lambda: table.lookup(holes, boards), 7)  # noqa: B023
        if street in _BUCKETS:
            measure(
                f"{street}, {_BUCKETS[street]} buckets",
                lambda: card_abstraction(table, _BUCKETS[street], "histogram", 7, workers=1),  # noqa: B023
            )


if __name__ == "__main__":
    main()

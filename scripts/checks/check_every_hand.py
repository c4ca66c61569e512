"""Check the strengths of whole streets, and the buckets, against independent answers.

Points of random hands must be those of `holdem.equities`, and their mean over a street one half;
the slow tests compare those of every hand with the sums of what it can become. The clusters of a
sample must be no worse than those of scikit-learn's k-means from the same centres, which is
compared if it is installed.

    python scripts/checks/check_every_hand.py [HANDS] [STREET ...]
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
import holdem_abstraction
from holdem.dealing.seeds import fractions
from holdem_abstraction.clustering import _choose_centres, _Rounds
from holdem_abstraction.streets import board_cards


def deal(count: int, size: int) -> NDArray[np.uint8]:
    """Return random hands with different cards, ``uint8 (hand, card)``."""
    rng = np.random.default_rng(1)
    keys = [rng.random((min(1 << 14, count - at), 52)) for at in range(0, count, 1 << 14)]
    return np.concatenate([own.argsort(axis=1)[:, :size] for own in keys]).astype(np.uint8)


def check_strengths(table: holdem_abstraction.HandStrengths, hands: int) -> None:
    """Compare points with those of `equities`, and their mean with one half."""
    assert table.points is not None
    cards = deal(hands, 2 + table.boards.shape[1])
    holes, boards = cards[:, :2], cards[:, 2:]
    found = holdem.equities(holes, "random", board=boards if boards.size else None)
    expected = np.rint((2 * found.win[:, 0] + found.tie[:, 0]) * found.deals).astype(np.int64)
    points = np.rint(table.lookup(holes, boards if boards.size else None) * table.most)
    wrong = int((points != expected).sum())
    total = int(table.points.sum(axis=1, dtype=np.uint64) @ table.deals.astype(np.uint64))
    known = table.boards.shape[1]
    deals = comb(52, 2) * comb(50, known)
    is_half = 2 * total == table.most * deals
    print(
        f"{table.street}: {wrong} of {hands:,} hands differ from equities; mean is 1/2: {is_half}"
    )
    assert wrong == 0
    assert is_half


def check_clusters(table: holdem_abstraction.HandStrengths) -> None:
    """Compare the clusters of a sample with scikit-learn's from the same centres."""
    try:
        k_means: Any = import_module("sklearn.cluster").KMeans
    except ImportError:
        print("scikit-learn is not installed: clusters are not compared")
        return
    assert table.histogram is not None
    rng = np.random.default_rng(1)
    cells = rng.integers(len(table.boards) * 1326, size=60_000)
    sample = table.histogram.reshape(-1, table.histogram.shape[2])[cells].astype(np.uint16)
    sample = sample[sample.any(axis=1)]
    points = np.cumsum(sample, axis=1, dtype=np.uint16)
    centres = _choose_centres(points[:10_000], fractions(np.random.PCG64(1), 100))
    weights = np.ones((1, len(sample)), dtype=np.uint16)
    rounds = _Rounds(sample[None], weights, table.runouts, centres)
    rounds.repeat(300, 0.0, 1)
    theirs = k_means(100, init=centres, n_init=1, max_iter=300).fit(points.astype(np.float64))
    own, other = (
        sum(
            np.square(points[labels == label] - points[labels == label].mean(axis=0)).sum()
            for label in range(100)
        )
        for labels in (rounds.labels[0], theirs.labels_)
    )
    print(f"within clusters: {own:.6g}, scikit-learn {other:.6g}, ratio {own / other:.5f}")
    assert own <= other * 1.001


def main() -> None:
    """Check the streets that are named, or all."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    streets = sys.argv[2:] or ["preflop", "flop", "turn", "river"]
    tables = {}
    for name in streets:
        street = next(own for own in ("preflop", "flop", "turn", "river") if own == name)
        started = time.process_time()
        bins = 50 if board_cards(street) in (3, 4) else None
        tables[name] = holdem_abstraction.hand_strengths(street, bins=bins, workers=1)
        print(f"{name}: {time.process_time() - started:.2f} s")
        check_strengths(tables[name], hands)
    if "flop" in tables:
        check_clusters(tables["flop"])


if __name__ == "__main__":
    main()

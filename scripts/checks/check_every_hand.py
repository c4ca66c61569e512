"""Check the strengths of whole streets, and the buckets, against independent answers.

Points of random hands must be those of `holdem.equities`, their mean over a street one half, and
those of a hand the sums of what it can become. The clusters of a sample must be no worse than
those of scikit-learn's k-means from the same centres, which is compared if it is installed.

    python scripts/checks/check_every_hand.py [HANDS] [STREET ...]
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

import holdem
from holdem.abstraction.clustering import _choose_centres, _Rounds
from holdem.abstraction.streets import board_cards, street_boards
from holdem.dealing.seeds import fractions


def deal(count: int, size: int) -> NDArray[np.uint8]:
    """Return random hands with different cards, ``uint8 (hand, card)``."""
    rng = np.random.default_rng(1)
    keys = [rng.random((min(1 << 14, count - at), 52)) for at in range(0, count, 1 << 14)]
    return np.concatenate([own.argsort(axis=1)[:, :size] for own in keys]).astype(np.uint8)


def check_strengths(table: holdem.HandStrengths, hands: int) -> None:
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


def check_sums(table: holdem.HandStrengths, following: holdem.HandStrengths, boards: int) -> None:
    """Compare the points of hands on some boards with the sums of those that they can become."""
    assert table.points is not None
    assert following.points is not None
    new = following.boards.shape[1] - table.boards.shape[1]
    combos = np.array(list(combinations(range(52), 2)), dtype=np.uint8)
    numbers = combos.max(axis=1).astype(np.int64)
    numbers = numbers * (numbers - 1) // 2 + combos.min(axis=1)
    rest = street_boards(following.street)
    for row in np.linspace(0, len(table.boards) - 1, boards).astype(int).tolist():
        sums = np.zeros(1326, dtype=np.int64)
        for cards in combinations(range(52), new):
            board = np.append(table.boards[row], np.array(cards, dtype=np.uint8))
            free = ~np.isin(combos, board).any(axis=1)
            if len(set(board.tolist())) == len(board):
                cells = rest.locate(combos[free], np.tile(board, (int(free.sum()), 1)))
                sums[numbers[free]] += following.points.ravel().take(cells)
        factor = comb(5 - table.boards.shape[1], new)
        assert np.array_equal(sums, factor * table.points[row].astype(np.int64))
    print(
        f"{table.street}: the points on {boards} boards are sums of those of the {following.street}"
    )


def check_clusters(table: holdem.HandStrengths) -> None:
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
        tables[name] = holdem.hand_strengths(street, bins=bins, workers=1)
        print(f"{name}: {time.process_time() - started:.2f} s")
        check_strengths(tables[name], hands)
    for first, second in (("turn", "river"), ("flop", "turn")):
        if first in tables and second in tables:
            check_sums(tables[first], tables[second], 20)
    if "flop" in tables:
        check_clusters(tables["flop"])


if __name__ == "__main__":
    main()

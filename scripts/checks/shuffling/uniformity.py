"""Chi-square tests of deals: cards, hole cards, flops, boards, orders, and pairs of deals.

Deals of a uniform shuffle are independent, and every cell of a table is equally likely, so each
statistic has a chi-square distribution with one degree of freedom less than cells. Pairs of deals
do not overlap: each deal is in at most one of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from math import comb, factorial

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2, hypergeom

from holdem.cards import DECK_SIZE, CardArray
from holdem.jit.kernels import kernel, popcount
from holdem.odds.sampling.sampler import BLOCK
from shuffling.deals import Source

#: The probability that any of a source's tests fails if all deals are perfect.
LEVEL = 0.01
#: Distances, in deals, of the deals that are compared: neighbours, the next group in which the
#: sampler draws, and the same deal of the next block, which another worker may deal.
LAGS = {"next deal": 1, "next group": 512, "next block": BLOCK}
_ORDERED = 5  # cards whose order is counted
_FEWEST = 10  # the least expected count of a cell

Counts = NDArray[np.int64]


@attrs.frozen
class Finding:
    """The result of one test."""

    name: str
    """The kind of the test. Several positions of a deal are tested in the same way."""
    statistic: float
    degrees: int

    @property
    def p(self) -> float:
        """The probability of so large or so small a statistic, on either side."""
        sides = chi2.sf(self.statistic, self.degrees), chi2.cdf(self.statistic, self.degrees)
        return float(2 * min(sides))


@kernel
def _count_cards(deals: CardArray, columns: Counts, counts: Counts) -> None:
    for deal in range(len(deals)):
        for i in range(len(columns)):
            counts[i, deals[deal, columns[i]]] += 1


@kernel
def _count_sets(deals: CardArray, columns: Counts, binomials: Counts, counts: Counts) -> None:
    for deal in range(len(deals)):
        rank = 0
        for i in columns:
            place = 1
            for j in columns:
                place += deals[deal, j] < deals[deal, i]
            rank += binomials[deals[deal, i], place]
        counts[rank] += 1


@kernel
def _count_orders(deals: CardArray, columns: Counts, counts: Counts) -> None:
    for deal in range(len(deals)):
        rank = 0
        for i in range(len(columns)):
            below = 0
            for j in range(i + 1, len(columns)):
                below += deals[deal, columns[j]] < deals[deal, columns[i]]
            rank = rank * (len(columns) - i) + below
        counts[rank] += 1


@kernel
def _count_pairs(first: CardArray, second: CardArray, columns: Counts, counts: Counts) -> None:
    """Count the first card of each deal with every card of the other."""
    for deal in range(len(first)):
        for i in range(len(columns)):
            column = columns[i]
            counts[0, i, first[deal, columns[0]], second[deal, column]] += 1
            counts[1, i, first[deal, column], second[deal, columns[0]]] += 1


@kernel
def _count_shared(first: CardArray, second: CardArray, columns: Counts, counts: Counts) -> None:
    one = np.uint64(1)
    for deal in range(len(first)):
        a = b = np.uint64(0)
        for column in columns:
            a |= one << np.uint64(first[deal, column])
            b |= one << np.uint64(second[deal, column])
        counts[popcount(a & b)] += 1


@cache
def _binomials() -> Counts:
    return np.array([[comb(n, k) for k in range(_ORDERED + 1)] for n in range(DECK_SIZE)])


def _tally(source: Source, blocks: int, first: int) -> dict[str, Counts]:
    """Count the deals of consecutive blocks, two at a time."""
    unknown = np.isin(np.arange(DECK_SIZE), source.known, invert=True)
    number, size = (np.cumsum(unknown) - 1).astype(np.uint8), int(unknown.sum())
    columns, board = np.array(source.columns), np.array(source.board)
    sets = {f"hole cards {seat}": np.array(hole) for seat, hole in enumerate(source.holes)}
    sets |= {"flop": board[:3], "board": board}
    cards = len(columns)
    tables: dict[str, Counts] = {
        name: np.zeros(comb(size, len(own)), dtype=np.int64) for name, own in sets.items()
    }
    runs = [columns[i : i + _ORDERED] for i in range(0, cards - _ORDERED + 1, _ORDERED)]
    orders = {f"order of five {i}": own for i, own in enumerate([board, *runs])}
    tables["cards"] = np.zeros((cards, size), dtype=np.int64)
    for name in orders:
        tables[name] = np.zeros(factorial(_ORDERED), dtype=np.int64)
    for lag in LAGS:
        tables[f"cards shared, {lag}"] = np.zeros(cards + 1, dtype=np.int64)
        tables[f"pairs, {lag}"] = np.zeros((2, cards, size, size), dtype=np.int64)
    for block in range(first, first + blocks, 2):
        deals = number[np.concatenate([source.draw(block + i, BLOCK) for i in range(2)])]
        for name, own in sets.items():
            _count_sets(deals, own, _binomials(), tables[name])
        for name, own in orders.items():
            _count_orders(deals, own, tables[name])
        _count_cards(deals, columns, tables["cards"])
        for lag, distance in LAGS.items():
            both = deals.reshape(-1, 2, distance, deals.shape[1])
            a, b = (both[:, i].reshape(-1, deals.shape[1]) for i in range(2))
            _count_shared(a, b, columns, tables[f"cards shared, {lag}"])
            _count_pairs(a, b, columns, tables[f"pairs, {lag}"])
    return tables


def _findings(source: Source, tables: dict[str, Counts]) -> Iterator[Finding]:
    size, drawn = DECK_SIZE - len(source.known), len(source.columns)
    for name, counts in tables.items():
        if name.startswith("cards shared"):
            yield _shared(name, counts, hypergeom.pmf(np.arange(drawn + 1), size, drawn, drawn))
        elif name.startswith("pairs"):
            kind, halves = f"first card and each card, {name[7:]}", counts.reshape(2, drawn, -1)
            yield from (_uniform(kind, row) for row in (*halves[0], *halves[1][1:]))
        else:
            kind = name.rstrip("0123456789 ")
            yield from (_uniform(kind, row) for row in counts.reshape(-1, counts.shape[-1]))


def _uniform(name: str, counts: Counts) -> Finding:
    expected = counts.mean()
    return Finding(name, float(((counts - expected) ** 2 / expected).sum()), len(counts) - 1)


def _shared(name: str, counts: Counts, chances: NDArray[np.float64]) -> Finding:
    """Compare counts with the chances of the cells; cells of rare outcomes are merged."""
    expected = chances * counts.sum()
    rare = expected < _FEWEST
    expected = np.append(expected[~rare], expected[rare].sum())
    counts = np.append(counts[~rare], counts[rare].sum())
    kept = expected > 0
    statistic = float(((counts - expected)[kept] ** 2 / expected[kept]).sum())
    return Finding(name, statistic, int(kept.sum()) - 1)


def examine(source: Source, deals: int, workers: int = 1, chunk: int = 256) -> list[Finding]:
    """Test the first blocks of a source.

    Args:
        source: deals to examine.
        deals: how many, at least; chunks of blocks are dealt whole.
        workers: the number of threads.
        chunk: blocks that a thread counts at a time; an even number.
    """
    total: dict[str, Counts] = defaultdict(lambda: np.zeros(1, dtype=np.int64))
    starts = range(0, -(-deals // BLOCK), chunk)
    with ThreadPoolExecutor(workers) as threads:
        for tables in threads.map(partial(_tally, source, chunk), starts):
            for name, counts in tables.items():
                total[name] = total[name] + counts
    return list(_findings(source, total))

"""The number of hands of each class, counted from ranks and suits without ranking the hands.

A hand of five to seven cards is either a set of ranks in the suit of its flush, with other cards
around it, or a number of cards of each rank without a flush. Both are counted in closed form, and
only the 7,462 classes themselves are ranked, by the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.builtin.reference import classify
from holdem.rules import STANDARD


def class_counts(size: int) -> NDArray[np.int64]:
    """Return the number of hands of `size` cards, 5 to 7, of each class of the standard rules.

    The result is ``int64 (7463,)`` by class number, 1 the strongest; 0 is no class. With at most
    seven cards a hand with a flush has no full house and no four of a kind, so that its class is
    that of the flush.
    """
    counts = np.zeros(len(STANDARD.classes) + 1, dtype=np.int64)
    for cards in range(5, size + 1):
        for ranks in combinations(range(13), cards):
            best = min(_class_of(five, one_suit=True) for five in combinations(ranks, 5))
            counts[best] += 4 * comb(39, size - cards)
    for ranks in _rank_choices(size):
        ways = _ways_without_flush([ranks.count(rank) for rank in set(ranks)])
        if ways:
            fives = set(combinations(ranks, 5))
            counts[min(_class_of(five, one_suit=False) for five in fives)] += ways
    return counts


def _rank_choices(size: int) -> Iterator[tuple[int, ...]]:
    """Yield all ascending ranks of `size` cards, at most four cards of each rank."""
    for ranks in combinations_with_replacement(range(13), size):
        if all(ranks[place] != ranks[place + 4] for place in range(size - 4)):
            yield ranks


def _ways_without_flush(copies: list[int]) -> int:
    """Return in how many ways the cards of each rank have suits, no five of them the same.

    In the polynomial, the coefficient of x^n counts the ways with n cards of one given suit.
    """
    polynomial = np.ones(1, dtype=np.int64)
    for count in copies:
        polynomial = np.convolve(polynomial, [comb(3, count), comb(3, count - 1)])
    return prod(comb(4, count) for count in copies) - 4 * int(polynomial[5:].sum())


@cache
def _numbers() -> dict[tuple[str, tuple[int, ...]], int]:
    return {(c.category, c.ranks): number for number, c in enumerate(STANDARD.classes, start=1)}


@cache
def _class_of(ranks: tuple[int, ...], *, one_suit: bool) -> int:
    """Return the class of five ascending ranks, of one suit or of several."""
    cards = [4 * rank + (0 if one_suit else place % 4) for place, rank in enumerate(ranks)]
    return _numbers()[classify(cards)]

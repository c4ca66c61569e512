"""The hands that evaluators are checked on: all of a size in order, and some at random."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from holdem.cards import CardArray
from holdem.dealing.seeds import stream
from holdem.values import RuleSet

#: Hands a batch: 450 KB of seven cards.
BLOCK = 1 << 16


def count_hands(rules: RuleSet, size: int) -> int:
    """Return how many hands of `size` cards there are: 133,784,560 of seven."""
    return comb(len(rules.deck), size)


def hands_from(rules: RuleSet, size: int, first: int, count: int) -> CardArray:
    """Return consecutive hands of the order of all, ``uint8 (count, size)``.

    The order is that of the card sets as numbers; cards stand lowest id first.
    """
    from holdem.evaluation.conformance.kernels import write_hands_from

    hands = np.empty((count, size), dtype=np.uint8)
    if count:
        write_hands_from(np.uint64(first), np.uint8(rules.deck[0]), hands)
    return hands


def every_hand(rules: RuleSet, size: int) -> Iterator[CardArray]:
    """Yield all hands of a size in order, in blocks of `BLOCK`."""
    total = count_hands(rules, size)
    for first in range(0, total, BLOCK):
        yield hands_from(rules, size, first, min(BLOCK, total - first))


def some_hands(rules: RuleSet, size: int, count: int, seed: int) -> Iterator[CardArray]:
    """Yield hands drawn evenly from all of a size, in blocks of `BLOCK`; lowest id first."""
    from holdem.evaluation.conformance.kernels import write_hands_at

    generator = stream(seed, "random hands", size)
    for first in range(0, count, BLOCK):
        drawn = min(BLOCK, count - first)
        places = generator.integers(0, count_hands(rules, size), drawn, dtype=np.uint64)
        hands = np.empty((drawn, size), dtype=np.uint8)
        write_hands_at(places, np.uint8(rules.deck[0]), hands)
        yield hands


def random_hands(rules: RuleSet, size: int, count: int, seed: int) -> CardArray:
    """Return the hands of `some_hands` together, ``uint8 (count, size)``."""
    none = np.empty((0, size), dtype=np.uint8)
    return np.concatenate([none, *some_hands(rules, size, count, seed)])

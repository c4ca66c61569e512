"""Generation of hands for checking evaluators: all hands of a size, or random ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import Any

import numpy as np

from holdem.cards import CardArray
from holdem.dealing.seeds import stream
from holdem.jobs.workers import in_worker_thread
from holdem.rules import RuleSet

#: Hands per batch: 450 KB with seven cards.
BLOCK = 1 << 16


def count_hands(rules: RuleSet, size: int) -> int:
    """Return the number of different hands of `size` cards in a rule set's deck."""
    return comb(len(rules.deck), size)


def hands_from(rules: RuleSet, size: int, first: int, count: int) -> CardArray:
    """Return `count` hands of `size` cards, from position `first` in the order of all hands.

    Hands are ordered by their card sets as numbers, and the cards of a hand by id. The result is
    ``uint8 (count, size)``.
    """
    hands = np.empty((count, size), dtype=np.uint8)
    if count:
        _kernels().write_hands_from(np.uint64(first), np.uint8(rules.deck[0]), hands)
    return hands


def every_hand(rules: RuleSet, size: int) -> Iterator[CardArray]:
    """Yield all hands of `size` cards in order, in blocks of at most `BLOCK` hands."""
    total = count_hands(rules, size)
    for first in range(0, total, BLOCK):
        yield hands_from(rules, size, first, min(BLOCK, total - first))


def random_blocks(rules: RuleSet, size: int, count: int, seed: int) -> Iterator[CardArray]:
    """Yield uniformly random hands of `size` cards, in blocks of at most `BLOCK` hands.

    The cards of a hand are ordered by id.
    """
    generator = stream(seed, "random hands", size)
    for first in range(0, count, BLOCK):
        drawn = min(BLOCK, count - first)
        places = generator.integers(0, count_hands(rules, size), drawn, dtype=np.uint64)
        hands = np.empty((drawn, size), dtype=np.uint8)
        _kernels().write_hands_at(places, np.uint8(rules.deck[0]), hands)
        yield hands


def random_hands(rules: RuleSet, size: int, count: int, seed: int) -> CardArray:
    """Return uniformly random hands of `size` cards in one array, ``uint8 (count, size)``.

    They are the hands of `random_blocks`.
    """
    empty = np.empty((0, size), dtype=np.uint8)
    return np.concatenate([empty, *random_blocks(rules, size, count, seed)])


def typical_block(rules: RuleSet, size: int, seed: int | None) -> CardArray:
    """Return a block of hands for timing: random if a seed is given, else consecutive.

    Consecutive hands are from the middle of the order of all hands.
    """
    if seed is not None:
        return random_hands(rules, size, BLOCK, seed)
    return hands_from(rules, size, (count_hands(rules, size) - BLOCK) // 2, BLOCK)


@cache
def _kernels() -> Any:
    """Compile the kernels that generate hands, and return their module."""

    def compile_kernels() -> Any:
        from holdem.evaluation.conformance import kernels

        hands = np.empty((1, 5), dtype=np.uint8)
        kernels.write_hands_from(np.uint64(0), np.uint8(0), hands)
        kernels.write_hands_at(np.zeros(1, dtype=np.uint64), np.uint8(0), hands)
        return kernels

    return in_worker_thread(compile_kernels)

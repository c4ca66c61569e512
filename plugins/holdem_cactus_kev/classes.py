"""The 7,462 classes of five cards, numbered by the rules of the game.

Hands of equal strength are a class: 1 is the royal flush, 7462 is 7-5-4-3-2. Suits matter only for
flushes. A hand of five different ranks is identified by 13 rank bits, and any other hand by the
product of the primes of its cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from itertools import combinations
from math import prod
from typing import NamedTuple

from holdem_cactus_kev.cards import PRIMES

#: Largest rank bits, A-K-Q-J-T; tables by rank bits end there.
HIGHEST_RANK_BITS = 0b1111100000000

_RANKS_DOWN = range(12, -1, -1)
_WHEEL = 0b1000000001111
_STRAIGHTS = (*(0b11111 << lowest for lowest in range(8, -1, -1)), _WHEEL)


class Category(IntEnum):
    """The categories, strongest first, numbered from 0 as in the Factor code of Schaefer's article.

    The C code in it numbers them from 1.
    """

    STRAIGHT_FLUSH = 0
    FOUR_OF_A_KIND = 1
    FULL_HOUSE = 2
    FLUSH = 3
    STRAIGHT = 4
    THREE_OF_A_KIND = 5
    TWO_PAIR = 6
    ONE_PAIR = 7
    HIGH_CARD = 8

    @property
    def label(self) -> str:
        """The name of the category in Schaefer's article, e.g. ``"Three of a Kind"``."""
        return self.name.replace("_", " ").title().replace(" Of A ", " of a ")


class Classes(NamedTuple):
    """The class of each hand of five cards, in three tables."""

    flushes: dict[int, int]
    """The class of five cards of one suit, by their rank bits."""

    unique: dict[int, int]
    """The class of five different ranks that are not all of one suit, by their rank bits."""

    products: dict[int, int]
    """The class of any other hand, by the product of the primes of its cards."""

    last: tuple[int, ...]
    """Last (weakest) class of each `Category`, strongest category first."""


@cache
def number_classes() -> Classes:
    """Number the classes from 1 for the strongest, and return the class of each hand."""
    flushes: dict[int, int] = {}
    unique: dict[int, int] = {}
    products: dict[int, int] = {}
    # Each category, strongest first: the mapping of its classes, and its hands in order.
    categories = (
        (flushes, _STRAIGHTS),
        (products, _grouped(4, 1, 1)),
        (products, _grouped(3, 1, 2)),
        (flushes, _scattered()),
        (unique, _STRAIGHTS),
        (products, _grouped(3, 1, 1)),
        (products, _grouped(2, 2, 1)),
        (products, _grouped(2, 1, 1)),
        (unique, _scattered()),
    )
    last = [0]
    for numbers, hands in categories:
        numbered = {hand: place for place, hand in enumerate(hands, last[-1] + 1)}
        numbers.update(numbered)
        last.append(last[-1] + len(numbered))
    return Classes(flushes, unique, products, tuple(last[1:]))


def _scattered() -> Iterator[int]:
    """Yield all sets of five ranks that are not a straight, as rank bits, strongest first."""
    for ranks in combinations(_RANKS_DOWN, 5):
        bits = sum(1 << rank for rank in ranks)
        if bits not in _STRAIGHTS:
            yield bits


def _grouped(size: int, groups: int, kicker_size: int) -> Iterator[int]:
    """Yield the prime products of hands with `groups` groups of `size` cards of equal rank.

    The other cards are in groups of `kicker_size`: ``(3, 1, 2)`` is a full house, ``(2, 1, 1)`` a
    pair. The strongest hand comes first.
    """
    kickers = (5 - size * groups) // kicker_size
    for grouped in combinations(_RANKS_DOWN, groups):
        others = [rank for rank in _RANKS_DOWN if rank not in grouped]
        for rest in combinations(others, kickers):
            yield prod(PRIMES[rank] for rank in grouped * size + rest * kicker_size)

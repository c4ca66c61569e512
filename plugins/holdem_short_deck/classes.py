"""The strengths of five cards, 1..1404, numbered by the rules of the short deck.

Strength 1 is J-9-8-7-6, 1404 the royal flush. Suits matter only for flushes, so a strength is
given by ranks and by whether they are suited. Ranks are 0..8 for 6..A.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

#: Five to seven ranks, 0..8 for 6..A, lowest first, one for each card.
Ranks: TypeAlias = tuple[int, ...]

RANKS = range(9)
_WHEEL = (3, 2, 1, 0, 8)  # 9 8 7 6 A: the ace is below the six

#: Ranks of each straight from the top down, weakest straight first.
STRAIGHTS = (_WHEEL, *(tuple(range(top, top - 5, -1)) for top in range(4, 9)))


class Strengths(NamedTuple):
    """Strengths of all hands of five cards, by their ranks; bigger is stronger."""

    mixed: dict[Ranks, int]
    """The strength of five cards that are not all of one suit, by their ranks, lowest first."""

    suited: dict[Ranks, int]
    """The strength of five cards of one suit, by their ranks, lowest first."""


def number_classes() -> Strengths:
    """Number the classes from 1 for the weakest, and return the strengths of all hands."""
    mixed: dict[Ranks, int] = {}
    suited: dict[Ranks, int] = {}
    number = 0
    # Each category, weakest first: the mapping of its strengths, the deciding ranks of its
    # hands in order, and the number of cards of each rank.
    categories = (
        (mixed, _scattered(), (1, 1, 1, 1, 1)),  # high card
        (mixed, _grouped((2, 1, 1, 1)), (2, 1, 1, 1)),
        (mixed, _grouped((2, 2, 1)), (2, 2, 1)),
        (mixed, _grouped((3, 1, 1)), (3, 1, 1)),
        (mixed, STRAIGHTS, (1, 1, 1, 1, 1)),
        (mixed, _grouped((3, 2)), (3, 2)),
        (suited, _scattered(), (1, 1, 1, 1, 1)),  # flush
        (mixed, _grouped((4, 1)), (4, 1)),
        (suited, STRAIGHTS, (1, 1, 1, 1, 1)),
    )
    for strengths, hands, times in categories:
        for deciding in hands:
            number += 1
            held = (rank for rank, count in zip(deciding, times, strict=True) for _ in range(count))
            strengths[tuple(sorted(held))] = number
    return Strengths(mixed, suited)


def _grouped(times: tuple[int, ...]) -> list[Ranks]:
    """Return all hands that have ``times[i]`` cards of their i-th rank, weakest first.

    A hand is given by these ranks, each once. With ``(3, 2)``, the hands are full houses, given by
    the rank of the three and that of the pair. Ranks with equally many cards are ordered from the
    top down.
    """
    hands: list[Ranks] = [()]
    for place, count in enumerate(times):
        follows = place > 0 and times[place - 1] == count
        hands = [
            (*hand, rank)
            for hand in hands
            for rank in (range(hand[-1]) if follows else RANKS)
            if rank not in hand
        ]
    return sorted(hands)


def _scattered() -> Iterator[Ranks]:
    """Yield all sets of five ranks that are no straight, weakest first, each from the top down."""
    straights = [set(ranks) for ranks in STRAIGHTS]
    return (ranks for ranks in _grouped((1, 1, 1, 1, 1)) if set(ranks) not in straights)

"""The 1,404 strengths of five cards, counted out from the rules of short deck.

Strength 1 is J-9-8-7-6, 1404 the royal flush. Suits only matter where all five are one, so
a hand is known by its ranks, and by whether it is suited. Ranks are 0..8 for 6..A.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

#: Five to seven ranks, 0..8 for 6..A, lowest first; a rank as often as it is held.
Ranks: TypeAlias = tuple[int, ...]

RANKS = range(9)
_WHEEL = (3, 2, 1, 0, 8)  # 9 8 7 6 A: the ace plays below the six

#: The ranks of each straight from the top down, weakest first.
STRAIGHTS = (_WHEEL, *(tuple(range(top, top - 5, -1)) for top in range(4, 9)))


class Strengths(NamedTuple):
    """What hands of five are worth; bigger is stronger."""

    mixed: dict[Ranks, int]
    """Strength by ranks, where the cards are not of one suit."""

    suited: dict[Ranks, int]
    """Strength by ranks of five suited cards."""


def count_out() -> Strengths:
    """Number all hands from the weakest up."""
    mixed: dict[Ranks, int] = {}
    suited: dict[Ranks, int] = {}
    number = 0
    # By category, weakest first: the ranks that decide in each of its hands, and how often
    # each of them is held.
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
    """Return the deciding ranks of hands that hold them so many `times`, weakest first.

    Ranks that are held equally often stand from the top down, so that each hand is one.
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
    """Yield five different ranks that are no straight, from the top down, weakest first."""
    straights = [set(ranks) for ranks in STRAIGHTS]
    return (ranks for ranks in _grouped((1, 1, 1, 1, 1)) if set(ranks) not in straights)

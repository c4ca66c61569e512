"""The 169 starting hands, strongest first: the list that percentages go down.

The order is that of exact equity against one random hand. ``starting_hands.tsv`` holds it
with the counts behind it; ``scripts/make_starting_hands.py`` makes the file.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import cache, lru_cache
from importlib import resources
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemTypeError, RangeError
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_INDEX,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    COMBO_COUNT,
)
from holdem.ranges.hands import Mask

FILE = "starting_hands.tsv"


class StartingHand(NamedTuple):
    """A class of starting hands and how one combo of it fares against a random hand."""

    name: str
    """The class: ``AA``, ``AKs``, ``72o``."""

    wins: int
    """Deals that it wins alone: over all 1,225 opposing combos and 1,712,304 boards."""

    ties: int
    """Deals that are split."""

    deals: int
    """All deals: 2,097,572,400."""

    @property
    def equity(self) -> float:
        """The share of the pot, 0..1: wins and half of the ties."""
        return (2 * self.wins + self.ties) / (2 * self.deals)


@cache
def starting_hands() -> tuple[StartingHand, ...]:
    """Return the 169 classes, strongest first."""
    content = resources.files(__package__).joinpath(FILE).read_text(encoding="ascii")
    fields = [line.split("\t") for line in content.splitlines()[1:]]
    hands = tuple(StartingHand(name, int(w), int(t), int(n)) for name, w, t, n in fields)
    if {hand.name for hand in hands} != set(CLASS_INDEX) or len(hands) != CLASS_COUNT:
        raise RangeError(f"the list of starting hands {FILE} is damaged: install holdem again")
    return hands


@cache
def starting_hand_ranks() -> NDArray[np.uint8]:
    """Return the place of each combo's class in the list, ``uint8 (combo,)``: 0 is AA."""
    places = np.empty(CLASS_COUNT, dtype=np.uint8)
    places[[CLASS_INDEX[hand.name] for hand in starting_hands()]] = np.arange(CLASS_COUNT)
    ranks: NDArray[np.uint8] = places[CLASS_OF_COMBO]
    ranks.setflags(write=False)
    return ranks


@cache
def _combos_down_to() -> list[int]:
    """Return how many combos the first 1, 2, … 169 classes have together."""
    return list(accumulate(int(CLASS_SIZES[CLASS_INDEX[hand.name]]) for hand in starting_hands()))


def exact_percent(percent: float | Fraction) -> Fraction:
    """Return a number as the exact fraction that it is.

    Raises:
        HoldemTypeError: no number, or none that is finite.
    """
    try:
        if isinstance(percent, (str, bool)):
            raise TypeError
        return Fraction(getattr(percent, "item", lambda: percent)())  # numpy's numbers too
    except (TypeError, ValueError, OverflowError):
        raise HoldemTypeError(f"a percentage is a finite number, not {percent!r}") from None


def classes_in(percent: Fraction) -> int:
    """Return how many classes from the top come nearest to `percent` of all combos.

    At least one; where two numbers of classes are equally near, the larger.
    """
    target = percent * COMBO_COUNT / 100
    totals = _combos_down_to()
    below = bisect_right(totals, target)  # so many classes fit whole
    if below in (0, CLASS_COUNT):
        return max(below, 1)
    return below + (totals[below] - target <= target - totals[below - 1])


@lru_cache(maxsize=1024)
def strongest(percent: Fraction) -> Mask:
    """Return the combos of the strongest `percent` (above 0, at most 100) of hands."""
    mask = starting_hand_ranks() < classes_in(percent)
    mask.setflags(write=False)
    return mask

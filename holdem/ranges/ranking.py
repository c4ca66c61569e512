"""The starting hands of a rule set, strongest first: the list that percentages go down.

The order is that of exact equity against one random hand. ``starting_hands.tsv`` holds the
169 of standard rules with the counts behind them, ``starting_hands_short_deck.tsv`` the 81
of short deck; ``scripts/make_starting_hands.py`` and ``scripts/make_short_deck_hands.py``
make the files.
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

from holdem.errors import HoldemTypeError, RangeError, shown
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_INDEX,
    CLASS_OF_COMBO,
    CLASS_SIZES,
    COMBO_CARDS,
)
from holdem.ranges.hands import Mask
from holdem.values import SHORT_DECK, STANDARD, RuleSet

FILE = "starting_hands.tsv"
_FILES = {STANDARD: FILE, SHORT_DECK: "starting_hands_short_deck.tsv"}
_IN_NO_HAND = 255  # the rank of combos that the deck does not have: behind all


class StartingHand(NamedTuple):
    """A class of starting hands and how one combo of it fares against a random hand."""

    name: str
    """The class: ``AA``, ``AKs``, ``72o``."""

    wins: int
    """Deals that it wins alone: over all opposing combos and boards, with standard rules
    1,225 times 1,712,304."""

    ties: int
    """Deals that are split."""

    deals: int
    """All deals: 2,097,572,400 with standard rules, 112,971,936 of short deck."""

    @property
    def equity(self) -> float:
        """The share of the pot, 0..1: wins and half of the ties."""
        return (2 * self.wins + self.ties) / (2 * self.deals)


@cache
def starting_hands(rules: RuleSet = STANDARD) -> tuple[StartingHand, ...]:
    """Return the classes of starting hands, 169 with standard rules, strongest first."""
    file = _FILES[rules]
    content = resources.files(__package__).joinpath(file).read_text(encoding="ascii")
    fields = [line.split("\t") for line in content.splitlines()[1:]]
    hands = tuple(StartingHand(name, int(w), int(t), int(n)) for name, w, t, n in fields)
    classes = set(CLASS_OF_COMBO[in_deck(rules)].tolist())
    if sorted(CLASS_INDEX.get(hand.name, -1) for hand in hands) != sorted(classes):
        raise RangeError(f"the list of starting hands {file} is damaged: install holdem again")
    return hands


@cache
def in_deck(rules: RuleSet) -> Mask:
    """Return which combos are of the deck of a rule set, ``bool (combo,)``."""
    mask: Mask = COMBO_CARDS[:, 1] >= rules.deck[0]  # the lower card
    mask.setflags(write=False)
    return mask


@cache
def starting_hand_ranks(rules: RuleSet = STANDARD) -> NDArray[np.uint8]:
    """Return the place of each combo's class in the list, ``uint8 (combo,)``: 0 is AA.

    A combo that the deck of the rule set does not have stands behind all of them.
    """
    places = np.full(CLASS_COUNT, _IN_NO_HAND, dtype=np.uint8)
    hands = starting_hands(rules)
    places[[CLASS_INDEX[hand.name] for hand in hands]] = np.arange(len(hands))
    ranks: NDArray[np.uint8] = places[CLASS_OF_COMBO]
    ranks.setflags(write=False)
    return ranks


@cache
def _combos_down_to(rules: RuleSet) -> list[int]:
    """Return how many combos the first 1, 2, … 169 classes have together."""
    sizes = (int(CLASS_SIZES[CLASS_INDEX[hand.name]]) for hand in starting_hands(rules))
    return list(accumulate(sizes))


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
        raise HoldemTypeError(f"a percentage is a finite number, not {shown(percent)}") from None


def classes_in(percent: Fraction, rules: RuleSet = STANDARD) -> int:
    """Return how many classes from the top come nearest to `percent` of the deck's combos.

    At least one; where two numbers of classes are equally near, the larger.
    """
    totals = _combos_down_to(rules)
    target = percent * totals[-1] / 100
    below = bisect_right(totals, target)  # so many classes fit whole
    if below in (0, len(totals)):
        return max(below, 1)
    return below + (totals[below] - target <= target - totals[below - 1])


@lru_cache(maxsize=1024)
def strongest(percent: Fraction, rules: RuleSet = STANDARD) -> Mask:
    """Return the combos of the strongest `percent` (above 0, at most 100) of hands."""
    mask = starting_hand_ranks(rules) < classes_in(percent, rules)
    mask.setflags(write=False)
    return mask

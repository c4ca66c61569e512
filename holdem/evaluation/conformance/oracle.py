"""What is right: the level of every hand, from the rule book.

A *level* counts the classes of a rule set from the weakest: 0 for the worst hand there is.
The reference looks at the ranks of five cards and at whether their suits are all the same,
and at nothing else. So it is asked once for each set of five ranks and each such flush,
7,462 hands for the standard rules, and every other hand follows: a hand of five to seven
cards has the level of the best five of its ranks, or of the best five of one suit.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.reference import strength
from holdem.evaluation.selection import choices_of_five
from holdem.values import RuleSet

_RANKS = 13
_NONE = -1  # the level of what is no hand

# A hand's ranks in ascending order, r1 <= r2 <= ..., have the place C(r1, 1) + C(r2 + 1, 2) +
# C(r3 + 2, 3) + ... among all such lists: what each rank adds, uint32 (position, rank).
_STEPS: NDArray[np.uint32] = np.array(
    [[comb(rank + j, j + 1) for rank in range(_RANKS)] for j in range(7)], dtype=np.uint32
)


@attrs.frozen(eq=False)
class Truth:
    """The levels of all hands of a rule set."""

    rules: RuleSet

    by_ranks: dict[int, NDArray[np.int16]]
    """For each size of hand: the level of its ranks, suits left aside, by their place."""

    by_suit: NDArray[np.int16]
    """``int16 (8192,)``: the level of the best flush in a set of ranks of one suit; -1 for
    fewer than five."""

    def levels(self, hands: CardArray) -> NDArray[np.int16]:
        """Return the level of each hand, ``uint8 (hand, card)`` of 5 to 7 -> ``int16 (hand,)``."""
        from holdem.evaluation.conformance.kernels import find_levels

        levels = np.empty(len(hands), dtype=np.int16)
        find_levels(hands, _STEPS, self.by_ranks[hands.shape[1]], self.by_suit, levels)
        return levels


@cache
def truth(rules: RuleSet) -> Truth:
    """Ask the rule book of a rule set, and derive the rest; some 0.2 seconds."""
    low = rules.lowest_rank
    ranks: tuple[int, ...]
    mixed: dict[tuple[int, ...], int] = {}  # the rule book's strength of five ranks
    suited: dict[tuple[int, ...], int] = {}
    for ranks in combinations_with_replacement(range(low, _RANKS), 5):
        if ranks[0] != ranks[4]:  # of one rank there are but four cards
            # Cards of a rank go through the suits; the last of five lone ones is of another.
            suits = [ranks[:j].count(rank) for j, rank in enumerate(ranks)]
            suits[4] = suits[4] or 3
            mixed[ranks] = strength([4 * r + s for r, s in zip(ranks, suits, strict=True)], rules)
    for ranks in combinations(range(low, _RANKS), 5):
        suited[ranks] = strength([4 * rank for rank in ranks], rules)
    order = sorted({*mixed.values(), *suited.values()})
    level = {found: place for place, found in enumerate(order)}

    fives = np.full(comb(_RANKS + 4, 5), _NONE, dtype=np.int16)
    for ranks, found in mixed.items():
        fives[int(_STEPS[range(5), ranks].sum())] = level[found]
    by_suit = np.full(1 << _RANKS, _NONE, dtype=np.int16)
    for ranks, found in suited.items():
        by_suit[sum(1 << rank for rank in ranks)] = level[found]
    for size in (6, 7):
        for more in combinations(range(low, _RANKS), size):
            held = sum(1 << rank for rank in more)
            by_suit[held] = max(by_suit[held ^ (1 << rank)] for rank in more)
    by_ranks = {5: fives, **{size: _best_of(fives, size, low) for size in (6, 7)}}
    return Truth(rules, by_ranks, by_suit)


def _best_of(fives: NDArray[np.int16], size: int, low: int) -> NDArray[np.int16]:
    """Return the level of the best five of each list of `size` ranks, by its place."""
    ranks = np.array(list(combinations_with_replacement(range(low, _RANKS), size)))
    chosen = ranks[:, choices_of_five(size)]
    best = fives[_STEPS[np.arange(5), chosen].sum(axis=2)].max(axis=1)
    levels = np.full(comb(_RANKS + size - 1, size), _NONE, dtype=np.int16)
    levels[_STEPS[np.arange(size), ranks].sum(axis=1)] = best
    return levels

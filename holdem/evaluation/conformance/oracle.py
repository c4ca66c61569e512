"""Derivation of every hand's correct level, its number of weaker classes, from the reference
evaluator.

A *level* is the number of classes of the rule set that are weaker: 0 for the weakest hands. The
level of five cards depends on their ranks and on whether they are of one suit. The reference
evaluator ranks one hand of each combination, 7,462 for standard rules. Hands of five to seven cards
have the level of the best five of their ranks, or of the best five of one suit and wild cards if
that is higher.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.best_five import choices_of_five
from holdem.evaluation.builtin.reference import strength
from holdem.evaluation.validation import read_only
from holdem.jobs.workers import in_worker_thread
from holdem.rules import RuleSet

_RANKS = 13
_NONE = -1  # level of lists of ranks that are not hands

# The position of ascending ranks r1 <= r2 <= ... among all such lists is C(r1, 1) +
# C(r2 + 1, 2) + C(r3 + 2, 3) + ...: the term of each rank, uint32 (position, rank).
_TERMS: NDArray[np.uint32] = np.array(
    [[comb(rank + j, j + 1) for rank in range(_RANKS)] for j in range(7)], dtype=np.uint32
)


@attrs.frozen(eq=False)
class Oracle:
    """Tables that give the correct level, the number of weaker classes, of every hand in a rule
    set.
    """

    rules: RuleSet

    by_ranks: dict[int, NDArray[np.int16]]
    """For each size of hands, the levels of all lists of ranks, without regard to flushes."""

    by_suit: NDArray[np.int16]
    """Level of the best flush of some wild cards and each set of ranks of one suit, ``int16 (wild
    cards, 8192)``; -1 for fewer than five cards. Without wild cards, one row."""

    def levels(self, hands: CardArray) -> NDArray[np.int16]:
        """Return the number of classes weaker than each hand of 5 to 7 cards, ``int16 (hand,)``."""
        from holdem.evaluation.conformance.kernels import find_levels

        levels = np.empty(len(hands), dtype=np.int16)
        by_ranks = self.by_ranks[hands.shape[1]]
        wild = self.rules.deuces_wild
        find_levels(read_only(hands), _TERMS, by_ranks, self.by_suit, wild, levels)
        return levels


@cache
def oracle(rules: RuleSet) -> Oracle:
    """Compute the `Oracle` of a rule set from the reference evaluator.

    This takes about 0.2 seconds, or one second with wild cards; the result is cached.
    """
    low = rules.lowest_rank
    ranks: tuple[int, ...]
    mixed: dict[tuple[int, ...], int] = {}  # strengths of the reference evaluator
    suited: dict[tuple[int, tuple[int, ...]], int] = {}  # by the number of wild cards and ranks
    for ranks in combinations_with_replacement(range(low, _RANKS), 5):
        if ranks[0] != ranks[4]:  # there are only four cards of a rank
            # Cards of one rank get different suits, and cards of five ranks two suits.
            suits = [ranks[:j].count(rank) for j, rank in enumerate(ranks)]
            suits[4] = suits[4] or 3
            mixed[ranks] = strength([4 * r + s for r, s in zip(ranks, suits, strict=True)], rules)
    natural = range(rules.lowest_natural_rank, _RANKS)
    numbers_wild = range(5 if rules.deuces_wild else 1)
    for wild in numbers_wild:
        for ranks in combinations(natural, 5 - wild):
            suited[wild, ranks] = strength([*range(wild), *(4 * rank for rank in ranks)], rules)
    order = sorted({*mixed.values(), *suited.values()})
    level = {found: place for place, found in enumerate(order)}

    fives = np.full(comb(_RANKS + 4, 5), _NONE, dtype=np.int16)
    for ranks, found in mixed.items():
        fives[int(_TERMS[range(5), ranks].sum())] = level[found]
    by_suit = np.full((len(numbers_wild), 1 << _RANKS), _NONE, dtype=np.int16)
    for (wild, ranks), found in suited.items():
        by_suit[wild, sum(1 << rank for rank in ranks)] = level[found]
    for wild in numbers_wild:
        for size in (6 - wild, 7 - wild):
            for more in combinations(natural, size):
                held = sum(1 << rank for rank in more)
                by_suit[wild, held] = max(by_suit[wild, held ^ (1 << rank)] for rank in more)
    by_ranks = {5: fives, **{size: _best_of(fives, size, low) for size in (6, 7)}}
    built = Oracle(rules, by_ranks, by_suit)
    in_worker_thread(lambda: built.levels(rules.examples[:1]))  # compiles
    return built


def _best_of(fives: NDArray[np.int16], size: int, low: int) -> NDArray[np.int16]:
    """Return the level of the best five-card hand in each list of `size` ranks, without flushes."""
    ranks = np.array(list(combinations_with_replacement(range(low, _RANKS), size)))
    chosen = ranks[:, choices_of_five(size)]
    best = fives[_TERMS[np.arange(5), chosen].sum(axis=2)].max(axis=1)
    levels = np.full(comb(_RANKS + size - 1, size), _NONE, dtype=np.int16)
    levels[_TERMS[np.arange(size), ranks].sum(axis=1)] = best
    return levels

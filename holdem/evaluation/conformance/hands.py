"""Hands on which evaluators are checked (all hands of a size, or random ones), and their levels.

A *level* is the number of strength classes of the rule set that are weaker: 0 for the weakest
hands. The level of five cards depends on their ranks and on whether they are of one suit. The
reference evaluator ranks one hand of each combination, 7,462 for standard rules. Hands of five to
seven cards have the level of the best five of their ranks, or of the best five of one suit and wild
cards if that is higher.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray, read_only
from holdem.dealing.seeds import stream
from holdem.evaluation.best_five import choices_of_five
from holdem.evaluation.builtin.reference import strength
from holdem.evaluation.evaluator import Evaluator
from holdem.jit.kernels import inlined, interruptible, kernel
from holdem.rules import RuleSet

#: Hands per batch: 450 KB with seven cards.
BLOCK = 1 << 16

#: Default number of random hands of six cards, and of seven: for an evaluator that ranks them
#: itself, and for one that ranks five cards only.
HANDS, HANDS_OF_FIVES = 1_000_000, 20_000

_RANKS = 13
_NONE = -1  # level of lists of ranks that are not hands

# The position of ascending ranks r1 <= r2 <= ... among all such lists is C(r1, 1) +
# C(r2 + 1, 2) + C(r3 + 2, 3) + ...: the term of each rank, uint32 (position, rank).
_TERMS: NDArray[np.uint32] = np.array(
    [[comb(rank + j, j + 1) for rank in range(_RANKS)] for j in range(7)], dtype=np.uint32
)


def count_hands(rules: RuleSet, size: int) -> int:
    return comb(len(rules.deck), size)


def hands_from(rules: RuleSet, size: int, first: int, count: int) -> CardArray:
    """List `count` hands of `size` cards, from position `first` on in the list of all hands.

    Hands are ordered by their card sets as numbers, with bit i set for the card with id i, and the
    cards of a hand by id. The result is ``uint8 (count, size)``.
    """
    hands = np.empty((count, size), dtype=np.uint8)
    if count:
        interruptible(write_hands_from)(np.uint64(first), np.uint8(rules.deck[0]), hands)
    return hands


def every_hand(rules: RuleSet, size: int) -> Iterator[CardArray]:
    """Yield all hands of `size` cards in the order of `hands_from`, at most `BLOCK` at a time."""
    total = count_hands(rules, size)
    for first in range(0, total, BLOCK):
        yield hands_from(rules, size, first, min(BLOCK, total - first))


def random_blocks(rules: RuleSet, size: int, count: int, seed: int) -> Iterator[CardArray]:
    """Yield `count` random hands of `size` cards in blocks, ``uint8 (hand, size)``.

    All hands are equally likely, and a hand may appear more than once. The cards of a hand are
    ordered by id. A block has at most `BLOCK` hands.
    """
    generator = stream(seed, "random hands", size)
    for first in range(0, count, BLOCK):
        drawn = min(BLOCK, count - first)
        places = generator.integers(0, count_hands(rules, size), drawn, dtype=np.uint64)
        hands = np.empty((drawn, size), dtype=np.uint8)
        interruptible(write_hands_at)(places, np.uint8(rules.deck[0]), hands)
        yield hands


def random_hands(rules: RuleSet, size: int, count: int, seed: int) -> CardArray:
    """Return the hands that `random_blocks` yields as one array, ``uint8 (count, size)``."""
    empty = np.empty((0, size), dtype=np.uint8)
    return np.concatenate([empty, *random_blocks(rules, size, count, seed)])


@attrs.frozen
class Extent:
    """The hands on which evaluators are checked or compared.

    These are all hands of five cards, and either random hands or all hands of six and seven cards.
    """

    exhaustive: bool = False
    """Whether all hands of six and seven cards are used, instead of random ones."""
    hands: int | None = None
    """Number of random hands of six cards, and of seven; None for `HANDS`, or for `HANDS_OF_FIVES`
    if the evaluator ranks only five cards."""
    seed: int = 1
    """Seed of the random hands."""

    def is_complete(self, size: int) -> bool:
        """Test whether all hands of a given size are used."""
        return size == 5 or self.exhaustive

    def count(self, evaluator: Evaluator, size: int) -> int:
        """Return the number of hands of a given size on which an evaluator is checked."""
        if self.is_complete(size):
            return count_hands(evaluator.rules, size)
        if self.hands is not None:
            return self.hands
        return HANDS if size in evaluator.spec.hand_sizes else HANDS_OF_FIVES

    def batches(self, evaluator: Evaluator, size: int) -> Iterator[CardArray]:
        """Iterate, in batches, over the hands of a given size on which an evaluator is checked."""
        if self.is_complete(size):
            return every_hand(evaluator.rules, size)
        return random_blocks(evaluator.rules, size, self.count(evaluator, size), self.seed)

    def typical_block(self, rules: RuleSet, size: int) -> CardArray:
        """Choose a block of hands of a given size for timing.

        The result is ``uint8 (hand, size)``. If all hands of this size are used, the block is from
        the middle of the list of all hands; otherwise it is random.
        """
        if self.is_complete(size):
            return hands_from(rules, size, (count_hands(rules, size) - BLOCK) // 2, BLOCK)
        return random_hands(rules, size, BLOCK, self.seed + 1)


@attrs.frozen(eq=False)
class Oracle:
    """Tables that give the correct level, the number of weaker classes, of every hand."""

    rules: RuleSet

    by_ranks: dict[int, NDArray[np.int16]]
    """For hands of 5, 6 and 7 cards, the level of each ascending list of ranks if there is no
    flush, ``int16 (list,)``. The index of a list is the sum of its ranks' terms in `_TERMS`."""

    by_suit: NDArray[np.int16]
    """Level of the best flush that a number of wild cards and a set of ranks of one suit can make,
    ``int16 (wild cards, 8192)``; -1 if they are fewer than five cards. The second index has a bit
    for each rank. If no cards are wild, there is only one row."""

    def levels(self, hands: CardArray) -> NDArray[np.int16]:
        """Look up the level of each hand, ``int16 (hand,)``.

        `hands` is ``uint8 (hand, 5..7)``, and is not checked.
        """
        levels = np.empty(len(hands), dtype=np.int16)
        by_ranks = self.by_ranks[hands.shape[1]]
        wild = self.rules.deuces_wild
        find = interruptible(find_levels)
        find(read_only(hands), by_ranks, self.by_suit, wild, levels)
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
    by_ranks = {5: fives, **{size: _find_best_levels(fives, size, low) for size in (6, 7)}}
    return Oracle(rules, by_ranks, by_suit)


def _find_best_levels(fives: NDArray[np.int16], size: int, low: int) -> NDArray[np.int16]:
    """Find the level of each list of `size` ranks, that of its best five; flushes are ignored.

    `fives` are those of five ranks, ``int16 (list,)``, as is the result, in the order of
    `Oracle.by_ranks`. `low` is the lowest rank of the deck.
    """
    ranks = np.array(list(combinations_with_replacement(range(low, _RANKS), size)))
    chosen = ranks[:, choices_of_five(size)]
    best = fives[_TERMS[np.arange(5), chosen].sum(axis=2)].max(axis=1)
    levels = np.full(comb(_RANKS + size - 1, size), _NONE, dtype=np.int16)
    levels[_TERMS[np.arange(size), ranks].sum(axis=1)] = best
    return levels


# Kernels order hands of one size by their card sets as numbers. The position of a hand is the sum
# of C(c, j) over its cards, where c is the card's position in the deck and j = 1 for the lowest
# card, 2 for the next (the combinatorial number system).

# C(n, k) for n to 52 and k to 7, uint64 (53, 8); the largest is 133,784,560.
_CHOICES: NDArray[np.uint64] = np.array(
    [[comb(n, k) for k in range(8)] for n in range(DECK_SIZE + 1)], dtype=np.uint64
)
_SUIT = 0x1FFF  # the bits of a suit


@inlined
def _write_hand(place: np.uint64, lowest: np.uint8, hand: CardArray) -> None:
    """Write the hand at `place` in the order of `hands_from` to `hand`, ``uint8 (card,)``.

    `lowest` is the lowest id of the deck.
    """
    left = place
    card = np.uint64(DECK_SIZE)
    for j in range(len(hand), 0, -1):
        card -= np.uint64(1)
        while _CHOICES[card, j] > left:
            card -= np.uint64(1)
        left -= _CHOICES[card, j]
        hand[j - 1] = np.uint8(card) + lowest


@kernel
def write_hands_at(places: NDArray[np.uint64], lowest: np.uint8, hands: CardArray) -> None:
    """Write the hands at `places`, ``uint64 (hand,)``, to `hands`, ``uint8 (hand, card)``.

    Places are in the order of `hands_from`, and below the number of all hands, which is not
    checked. `lowest` is the lowest id of the deck.
    """
    for i in range(np.uint64(len(hands))):
        _write_hand(places[i], lowest, hands[i])


@kernel
def write_hands_from(first: np.uint64, lowest: np.uint8, hands: CardArray) -> None:
    """Write the hands from place `first` on to `hands`, ``uint8 (hand, card)``.

    Places are in the order of `hands_from`. Enough hands must follow, which is not checked.
    `lowest` is the lowest id of the deck.
    """
    size = hands.shape[1]
    _write_hand(first, lowest, hands[0])
    for i in range(1, len(hands)):
        # The lowest card that can move up does, and those below it start again.
        moved = 0
        while moved + 1 < size and hands[i - 1, moved] + 1 == hands[i - 1, moved + 1]:
            moved += 1
        for j in range(moved):
            hands[i, j] = lowest + np.uint8(j)
        hands[i, moved] = hands[i - 1, moved] + np.uint8(1)
        for j in range(moved + 1, size):
            hands[i, j] = hands[i - 1, j]


@kernel
def find_levels(
    hands: CardArray,
    by_ranks: NDArray[np.int16],
    by_suit: NDArray[np.int16],
    deuces_wild: bool,
    levels: NDArray[np.int16],
) -> None:
    """Find the level of each hand, ``uint8 (hand, card)`` in any order, into ``int16 (hand,)``.

    `by_ranks` is the array of `Oracle.by_ranks` for this size, and `by_suit` is `Oracle.by_suit`.
    """
    size = hands.shape[1]
    ranks = np.empty(size, dtype=np.uint8)
    for i in range(np.uint64(len(hands))):
        mask, wild = np.uint64(0), 0
        for j in range(size):
            card = hands[i, j]
            rank = card >> np.uint8(2)
            if deuces_wild and rank == 0:
                wild += 1
            else:
                mask |= np.uint64(1) << (np.uint64(card & np.uint8(3)) * np.uint64(16) + rank)
            k = j
            while k > 0 and ranks[k - 1] > rank:
                ranks[k] = ranks[k - 1]
                k -= 1
            ranks[k] = rank
        place = np.uint32(0)
        for j in range(size):
            place += _TERMS[j, ranks[j]]
        level = by_ranks[place]
        for suit in range(np.uint64(4)):
            level = max(level, by_suit[wild, (mask >> (np.uint64(16) * suit)) & np.uint64(_SUIT)])
        levels[i] = level

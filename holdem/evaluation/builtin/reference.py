"""The rules of poker in plain Python: slow and obviously correct.

Five cards are ranked as a dealer ranks them: count the ranks, look for a flush and a straight,
compare the ranks that decide. Wild cards are tried with every rank. Other evaluators are checked
against this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.rules import (
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STANDARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
    RuleSet,
)

# Category by the number of cards of each rank, without regard to straights and flushes.
_CATEGORY_OF_SHAPE = {
    (5,): FIVE_OF_A_KIND,
    (4, 1): FOUR_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (3, 1, 1): THREE_OF_A_KIND,
    (2, 2, 1): TWO_PAIR,
    (2, 1, 1, 1): PAIR,
    (1, 1, 1, 1, 1): HIGH_CARD,
}


def classify(cards: Sequence[int], rules: RuleSet = STANDARD) -> tuple[str, tuple[int, ...]]:
    """Find the category of five cards, and the ranks that break ties within the category.

    `cards` are different ids in any order, unchecked. The ranks are 0..12, most significant first.
    The stronger of two hands has the category that comes later in ``rules.categories`` or, with
    equal categories, the larger tuple of ranks.
    """
    wild = sum(card // 4 == 0 for card in cards) if rules.deuces_wild else 0
    natural = sorted(cards)[wild:] if wild else cards
    ranks = [card // 4 for card in natural]
    # Wild cards stand for cards of the others' suit if these have only one.
    one_suit = len({card % 4 for card in natural}) == 1
    if not wild:
        return _classify_ranks(ranks, one_suit, rules)
    return max(
        (
            _classify_ranks([*ranks, *wild_ranks], one_suit, rules)
            for wild_ranks in combinations_with_replacement(range(13), wild)
        ),
        key=lambda found: (rules.categories.index(found[0]), found[1]),
    )


def _classify_ranks(
    ranks: Sequence[int], one_suit: bool, rules: RuleSet
) -> tuple[str, tuple[int, ...]]:
    """Classify five cards by their ranks and whether they have one suit; see `classify`.

    A wild card is given by the rank for which it stands.
    """
    counts = Counter(ranks)
    deciding = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    category = _CATEGORY_OF_SHAPE[tuple(sorted(counts.values(), reverse=True))]
    if category == HIGH_CARD:
        is_straight = False
        for straight in rules.straights:
            if set(straight) == set(ranks):
                is_straight, deciding = True, straight
        if is_straight and one_suit:
            category = STRAIGHT_FLUSH
        elif is_straight:
            category = STRAIGHT
        elif one_suit:
            category = FLUSH
    return category, deciding


def strength(cards: Sequence[int], rules: RuleSet = STANDARD) -> int:
    """Return the strength of five cards, given as ids; bigger is stronger.

    The strength is a number in base 13, whose digits are the position of the category in
    ``rules.categories`` and the ranks that break ties.
    """
    category, deciding = classify(cards, rules)
    number = rules.categories.index(category)
    for place in range(5):
        number = 13 * number + (deciding[place] if place < len(deciding) else 0)
    return number


def rank_batch(hands: CardArray, rules: RuleSet = STANDARD) -> NDArray[np.int64]:
    """Rank five-card hands, ``uint8 (hand, 5)``, and return strengths, ``int64 (hand,)``."""
    return np.array([strength(hand, rules) for hand in hands.tolist()], dtype=np.int64)

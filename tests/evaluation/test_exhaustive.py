"""All hands of five, six and seven cards, ranked by all evaluators.

The oracles are the rule book in plain Python, and eval7, another program. For six and seven cards
two evaluators without common code or tables agree on each hand, with the published counts.
"""

from itertools import permutations
from math import comb

import eval7
import numpy as np
import pytest

import holdem
from benchmarking.every_hand import count_categories, sum_of_strengths
from hands import (
    CATEGORY_COUNTS,
    CLASS_COUNTS,
    EVALUATORS,
    all_hands_of_five,
    classes_by,
    random_hands,
)
from holdem.evaluation.conformance.hand_generation import every_hand
from holdem.evaluation.conformance.oracle import oracle
from holdem.values import CATEGORIES, STANDARD

pytestmark = pytest.mark.exhaustive

#: Category of each class number; 0 is the weakest.
CATEGORY_OF = np.array([-1, *(CATEGORIES.index(c.category) for c in STANDARD.classes)])
#: All evaluators, the plain Python one only in slow runs.
ALL_EVALUATORS = [
    pytest.param(name, marks=pytest.mark.slow if name == "reference" else ()) for name in EVALUATORS
]


def counts_by_category(histogram):
    """Return the number of hands of each category, weakest first, from those of each class."""
    return tuple(int(histogram[CATEGORY_OF == category].sum()) for category in range(9))


def eval7_order(hands):
    """Return the position of each hand in the order of eval7, weakest first; equal is a tie."""
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    found = [eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()]
    return np.unique(found, return_inverse=True)[1]


@pytest.mark.parametrize("count", [100_000, pytest.param(None, marks=pytest.mark.slow)])
def test_rule_book(count):
    """The rule book ranks hands of five as the oracle, which asks it for 7,462 of them only.

    `test_published_counts` in test_oracle.py has the counts of all 2,598,960.
    """
    hands = all_hands_of_five() if count is None else random_hands(count, 5, seed=5)
    found = classes_by(holdem.get_evaluator("reference"), hands)
    np.testing.assert_array_equal(7462 - oracle(STANDARD).levels(hands), found)


@pytest.mark.parametrize("count", [300_000, pytest.param(None, marks=pytest.mark.slow)])
def test_eval7_on_hands_of_five(count):
    """Order and ties are those of eval7."""
    hands = all_hands_of_five() if count is None else random_hands(count, 5, seed=6)
    expected = np.unique(oracle(STANDARD).levels(hands), return_inverse=True)[1]
    np.testing.assert_array_equal(expected, eval7_order(hands))


def test_eval7_on_hands_of_seven():
    hands = random_hands(300_000, 7, seed=200)
    classes = classes_by(holdem.get_evaluator("lookup"), hands)
    np.testing.assert_array_equal(np.unique(-classes, return_inverse=True)[1], eval7_order(hands))


@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_of_six_and_seven(size):
    """`lookup` and `suit-mask` agree on each hand, and have the published counts.

    There are 20,358,520 hands of six and 133,784,560 of seven.
    """
    lookup, other = holdem.get_evaluator("lookup"), holdem.get_evaluator("suit-mask")
    other_strengths = np.concatenate([[0], other.scale.strengths[::-1]])  # by class
    histogram = np.zeros(7463, dtype=np.int64)
    for block in every_hand(STANDARD, size):
        classes = 7463 - lookup.rank(block)
        np.testing.assert_array_equal(other_strengths[classes], other.rank(block))
        histogram += np.bincount(classes, minlength=7463)
    assert comb(52, size) == histogram.sum()
    assert CATEGORY_COUNTS[size] == counts_by_category(histogram)
    assert CLASS_COUNTS[size] == np.count_nonzero(histogram)
    if size == 7:
        assert histogram @ (7463 - np.arange(7463)) == sum_of_strengths()


def test_categories_of_every_hand_of_seven():
    """The kernel that stores no hands has the published counts."""
    counts = np.zeros(9, dtype=np.int64)
    count_categories(counts)
    assert CATEGORY_COUNTS[7] == tuple(counts.tolist())


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize("name", ALL_EVALUATORS)
def test_samples_of_six_and_seven(name, size):
    """Random hands have the class by `lookup`: 300,000 of them, by the rule book 20,000."""
    hands = random_hands(20_000 if name == "reference" else 300_000, size, seed=100 + size)
    expected = classes_by(holdem.get_evaluator("lookup"), hands)
    np.testing.assert_array_equal(expected, classes_by(holdem.get_evaluator(name), hands))


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", ALL_EVALUATORS)
def test_card_order(name, size):
    """The order of cards makes no difference: sorted, reversed and random."""
    evaluator = holdem.get_evaluator(name)
    hands = random_hands(2_000 if name == "reference" else 50_000, size, seed=300 + size)
    expected = evaluator.rank(hands)
    rising = np.sort(hands, axis=1)
    mixed = np.random.default_rng(size).permuted(hands, axis=1)
    for order in (rising, np.ascontiguousarray(rising[:, ::-1]), mixed):
        np.testing.assert_array_equal(expected, evaluator.rank(order))


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", ALL_EVALUATORS)
def test_suit_permutations(name, size):
    """No suit permutation makes a difference, also for hands of two suits, many with a flush."""
    evaluator = holdem.get_evaluator(name)
    count = 200 if name == "reference" else 5_000
    hands = random_hands(count, size, seed=400 + size)
    two_suits = np.random.default_rng(size).permuted(
        np.tile(np.arange(26), (count // 4, 1)), axis=1
    )
    two_suits = two_suits[:, :size]
    hands[: count // 4] = two_suits // 2 * 4 + two_suits % 2
    expected = evaluator.rank(hands)
    for suits in permutations(range(4)):
        permuted = (hands & 252) + np.array(suits, dtype=np.uint8)[hands & 3]
        np.testing.assert_array_equal(expected, evaluator.rank(permuted))

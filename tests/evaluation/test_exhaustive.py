"""Every hand there is: all of five, six and seven cards, through all evaluators.

The oracle for five cards is the rule book in plain Python, and eval7, a program by others.
For six and seven cards two evaluators that have no code and no table in common must agree
on each hand, and the published counts must come out; the evaluators of five cards are held
against them on large samples.
"""

from itertools import permutations
from math import comb

import eval7
import numpy as np
import pytest
from hands import (
    CATEGORY_COUNTS,
    CLASS_COUNTS,
    EVALUATORS,
    all_hands_of_five,
    classes_by,
    random_hands,
)

import holdem
from holdem.evaluation.builtin.lookup import every_hand
from holdem.values import CATEGORIES, STANDARD

pytestmark = pytest.mark.exhaustive

#: The category of each class, 0 the weakest; class 0 stands for nothing.
CATEGORY_OF = np.array([-1, *(CATEGORIES.index(c.category) for c in STANDARD.classes)])


@holdem.kernel
def hands_after(first, hands):
    """Fill `hands`, ``uint8 (hand, card)``, with all that begin with the cards of `first`.

    In lexicographic order: each row is the one before with its last card that can still
    move moved on, and the cards behind it right after it.
    """
    size, fixed = hands.shape[1], len(first)
    cards = np.empty(size, dtype=np.int64)
    for j in range(size):
        cards[j] = first[j] if j < fixed else cards[j - 1] + 1
    for i in range(len(hands)):
        for j in range(size):
            hands[i, j] = cards[j]
        j = size - 1
        while j > fixed and cards[j] == 52 - size + j:
            j -= 1
        cards[j] += 1
        for k in range(j + 1, size):
            cards[k] = cards[k - 1] + 1


def all_hands(size):
    """Yield every hand of `size` cards, in blocks of those that share their two lowest."""
    buffer = np.empty((comb(50, size - 2), size), dtype=np.uint8)
    for low in range(52):
        for high in range(low + 1, 52):
            block = buffer[: comb(51 - high, size - 2)]
            if len(block):
                hands_after(np.array([low, high]), block)
                yield block


@pytest.fixture(scope="module")
def fives():
    """Return all hands of five and the class of each by the rule book."""
    hands = all_hands_of_five()
    classes = classes_by(holdem.get_evaluator("reference"), hands)
    classes.setflags(write=False)
    return hands, classes


def counts_by_category(histogram):
    """Return how many hands are of each category, weakest first, from a count by class."""
    return tuple(int(histogram[CATEGORY_OF == category].sum()) for category in range(9))


def test_blocks_are_all_hands():
    """The blocks hold each hand once: for five cards they are the list made with itertools."""
    np.testing.assert_array_equal(
        all_hands_of_five(), np.concatenate([block.copy() for block in all_hands(5)])
    )
    assert comb(52, 5) == len(all_hands_of_five())


def test_the_rule_book_on_every_hand_of_five(fives):
    """2,598,960 hands have the published counts by category, and all 7,462 classes appear."""
    histogram = np.bincount(fives[1], minlength=7463)
    assert CATEGORY_COUNTS[5] == counts_by_category(histogram)
    assert CLASS_COUNTS[5] == np.count_nonzero(histogram)
    assert comb(52, 5) == histogram.sum()


def test_another_program_on_every_hand_of_five(fives):
    """Order and ties of all hands of five are those of eval7."""
    hands, classes = fives
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    found = np.empty(len(hands), dtype=np.int64)
    for place, (a, b, c, d, e) in enumerate(hands.tolist()):
        found[place] = eval7.evaluate((deck[a], deck[b], deck[c], deck[d], deck[e]))
    values = np.unique(found)
    assert 7462 == len(values)
    np.testing.assert_array_equal(classes, 7462 - np.searchsorted(values, found))


@pytest.mark.parametrize("name", sorted({*EVALUATORS} - {"reference"}))
def test_every_evaluator_on_every_hand_of_five(fives, name):
    """Each hand of five has the class that the rule book gives it, whoever ranks it."""
    hands, classes = fives
    np.testing.assert_array_equal(classes, classes_by(holdem.get_evaluator(name), hands))


@pytest.mark.parametrize("size", [6, 7])
def test_every_hand_of_six_and_seven(size):
    """`lookup` and `suit-mask` agree on each hand, and the published counts come out.

    There are 20,358,520 hands of six and 133,784,560 of seven.
    """
    lookup, other = holdem.get_evaluator("lookup"), holdem.get_evaluator("suit-mask")
    theirs = np.concatenate([[0], other.scale.strengths[::-1]])  # by class
    histogram = np.zeros(7463, dtype=np.int64)
    for block in all_hands(size):
        classes = lookup.scale.classes(lookup.rank(block))
        np.testing.assert_array_equal(theirs[classes], other.rank(block))
        histogram += np.bincount(classes, minlength=7463)
    assert comb(52, size) == histogram.sum()
    assert CATEGORY_COUNTS[size] == counts_by_category(histogram)
    assert CLASS_COUNTS[size] == np.count_nonzero(histogram)
    if size == 7:
        assert histogram @ (7463 - np.arange(7463)) == every_hand.sum_of_strengths()


def test_categories_of_every_hand_of_seven():
    """Counted without writing hands down, the published counts come out too."""
    counts = np.zeros(9, dtype=np.int64)
    every_hand.count_categories(counts)
    assert CATEGORY_COUNTS[7] == tuple(counts.tolist())


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize("name", EVALUATORS)
def test_samples_of_six_and_seven(name, size):
    """A million random hands (of the rule book's evaluator 20,000) have the class by `lookup`."""
    hands = random_hands(20_000 if name == "reference" else 1_000_000, size, seed=100 + size)
    expected = classes_by(holdem.get_evaluator("lookup"), hands)
    np.testing.assert_array_equal(expected, classes_by(holdem.get_evaluator(name), hands))


def test_another_program_on_samples_of_seven():
    """Order and ties of 300,000 random hands of seven are those of eval7."""
    hands = random_hands(300_000, 7, seed=200)
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    found = [eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()]
    expected = np.unique(found, return_inverse=True)[1]
    classes = classes_by(holdem.get_evaluator("lookup"), hands)
    np.testing.assert_array_equal(expected, np.unique(-classes, return_inverse=True)[1])


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", EVALUATORS)
def test_order_of_cards_does_not_matter(name, size):
    """200,000 hands (2,000 by the rule book) are worth the same sorted up, down and at random."""
    evaluator = holdem.get_evaluator(name)
    hands = random_hands(2_000 if name == "reference" else 200_000, size, seed=300 + size)
    expected = evaluator.rank(hands)
    rising = np.sort(hands, axis=1)
    mixed = np.random.default_rng(size).permuted(hands, axis=1)
    for order in (rising, np.ascontiguousarray(rising[:, ::-1]), mixed):
        np.testing.assert_array_equal(expected, evaluator.rank(order))


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("name", EVALUATORS)
def test_names_of_suits_do_not_matter(name, size):
    """20,000 hands (200 by the rule book) are worth the same in all 24 renamings of suits.

    A quarter of them is drawn from two suits, so that many have a flush.
    """
    evaluator = holdem.get_evaluator(name)
    count = 200 if name == "reference" else 20_000
    hands = random_hands(count, size, seed=400 + size)
    two_suits = np.random.default_rng(size).permuted(
        np.tile(np.arange(26), (count // 4, 1)), axis=1
    )
    two_suits = two_suits[:, :size]
    hands[: count // 4] = two_suits // 2 * 4 + two_suits % 2
    expected = evaluator.rank(hands)
    for suits in permutations(range(4)):
        renamed = (hands & 252) + np.array(suits, dtype=np.uint8)[hands & 3]
        np.testing.assert_array_equal(expected, evaluator.rank(renamed))

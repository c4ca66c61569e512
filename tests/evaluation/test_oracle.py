"""The oracle of the conformance checks: all hands in order, and the correct level of each."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from hands import CATEGORY_COUNTS, CLASS_COUNTS, random_hands
from holdem.cards import card_sets
from holdem.evaluation.builtin import reference
from holdem.evaluation.conformance import hands as order
from holdem.evaluation.conformance.hands import oracle
from holdem.rules import DEUCES_WILD, SHORT_DECK, STANDARD
from naive import rank_by_rule_book

RULES = [STANDARD, SHORT_DECK, DEUCES_WILD]


def rule_book_levels(hands, rules):
    """Return the level of each hand: that of its best choice of five by the rule book."""
    order = sorted(reference.strength(hand, rules) for hand in rules.examples.tolist())
    levels = {strength: level for level, strength in enumerate(order)}
    assert len(levels) == len(rules.classes)
    return [levels[rank_by_rule_book(hand, rules)] for hand in hands.tolist()]


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_random_hands_have_the_levels_of_the_rule_book(rules, size):
    hands = random_hands(3000, size, seed=size)
    hands = hands[(hands >= rules.deck[0]).all(axis=1)][:400]
    assert len(hands) > 100
    np.testing.assert_array_equal(rule_book_levels(hands, rules), oracle(rules).levels(hands))


@pytest.mark.parametrize(
    "size",
    [
        5,
        pytest.param(6, marks=pytest.mark.exhaustive),
        pytest.param(7, marks=[pytest.mark.exhaustive, pytest.mark.slow]),
    ],
)
def test_published_counts(size):
    """All hands of a size have the published number of each category, and of classes."""
    levels = np.zeros(7462, dtype=np.int64)
    for hands in order.every_hand(STANDARD, size):
        levels += np.bincount(oracle(STANDARD).levels(hands), minlength=7462)
    categories = [hand_class.category for hand_class in reversed(STANDARD.classes)]
    counts = [
        sum(levels[level] for level, name in enumerate(categories) if name == category)
        for category in STANDARD.categories
    ]
    assert list(CATEGORY_COUNTS[size]) == counts
    assert CLASS_COUNTS[size] == np.count_nonzero(levels)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_levels_count_the_classes_from_the_weakest(rules):
    """The level of an example is the number of weaker classes."""
    expected = np.arange(len(rules.classes))[::-1]
    np.testing.assert_array_equal(expected, oracle(rules).levels(rules.examples))


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_hands_are_in_the_order_of_their_sets(rules, size):
    lowest, total = int(rules.deck[0]), comb(len(rules.deck), size)
    assert total == order.count_hands(rules, size)
    hands = combinations(range(lowest, lowest + size + 4), size)
    expected = sorted(hands, key=lambda hand: sum(1 << card for card in hand))
    np.testing.assert_array_equal(expected, order.hands_from(rules, size, 0, len(expected)))
    last = order.hands_from(rules, size, total - 1, 1)
    np.testing.assert_array_equal([rules.deck[-size:]], last)
    middle = order.hands_from(rules, size, total // 2, 1000)
    sets = card_sets(middle)
    assert (np.bitwise_count(sets) == size).all()
    assert (sets[1:] > sets[:-1]).all()
    np.testing.assert_array_equal(
        middle[400:], order.hands_from(rules, size, total // 2 + 400, 600)
    )


def test_every_hand_of_five_is_generated_once():
    sets = np.concatenate([card_sets(hands) for hands in order.every_hand(STANDARD, 5)])
    assert comb(52, 5) == len(sets)
    assert (sets[1:] > sets[:-1]).all()


def test_random_hands_are_uniform():
    """Each card is as frequent as the others: chi-square below its 1 - 1e-9 quantile.

    52 counts that add up to 7 n: 51 degrees of freedom, times 45 / 51 for hands without
    repetition; scipy's chi2.isf(1e-9, 51) is 132.3.
    """
    hands = order.random_hands(STANDARD, 7, 50_000, seed=3)
    counts = np.bincount(hands.ravel(), minlength=52)
    expected = 50_000 * 7 / 52
    assert ((counts - expected) ** 2 / expected).sum() * 51 / 45 < 132.3
    assert (np.diff(hands.astype(int), axis=1) > 0).all()
    more = order.random_hands(STANDARD, 7, 150_000, seed=3)
    np.testing.assert_array_equal(hands, more[:50_000])
    assert 150_000 == len(more)
    assert (hands != order.random_hands(STANDARD, 7, 50_000, seed=4)).any()

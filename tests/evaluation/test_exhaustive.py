"""All hands of five, six and seven cards, ranked by all evaluators.

The oracles are the rule book in plain Python, and eval7, another program. For six and seven cards
two evaluators without common code or tables agree on each hand, with the published counts.
"""

from hashlib import sha256
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
from holdem.evaluation.conformance.hands import oracle
from holdem.rules import STANDARD
from rank_every_hand import EveryHand, category_counts, faults, rank_every_hand

pytestmark = pytest.mark.exhaustive

#: All evaluators, the plain Python one only in slow runs.
ALL_EVALUATORS = [
    pytest.param(name, marks=pytest.mark.slow if name == "reference" else ()) for name in EVALUATORS
]


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


@pytest.mark.parametrize(
    ("names", "size"),
    [
        (("lookup", "suit-mask", "bitwise", "cactus-kev", "dead-horse"), 5),
        (("deuces-wild",), 5),
        (("short-deck",), 5),
        (("lookup", "suit-mask"), 6),
        pytest.param(("lookup", "suit-mask"), 7, marks=pytest.mark.slow),
    ],
)
def test_every_hand(names, size):
    """Evaluators without common code or tables give each hand the same class.

    The classes have the digest on record and, by the standard rules, the counts that follow from
    ranks and suits. `scripts/checks/rank_every_hand.py` does this for all evaluators and sizes.
    """
    found = rank_every_hand(names, size)
    assert [[] for _ in names] == [
        faults(name, size, own) for name, own in zip(names, found, strict=True)
    ]
    if names[0] == "lookup":
        assert comb(52, size) == found[0].hands
        assert CATEGORY_COUNTS[size] == tuple(category_counts("lookup", found[0]).values())
        assert CLASS_COUNTS[size] == np.count_nonzero(found[0].counts)
    if (names[0], size) == ("lookup", 7):
        assert found[0].counts @ (7463 - np.arange(7463)) == sum_of_strengths()


def test_short_loop_is_found():
    """A missing hand and a hand of another class are reported."""
    (found,) = rank_every_hand(["lookup"], 5)
    assert faults("lookup", 5, found) == []
    counts = found.counts.copy()
    counts[7462] -= 1
    short = EveryHand(found.hands - 1, counts, sha256(b"").hexdigest())
    assert faults("lookup", 5, short) == [
        *("the number of hands", "the counts of categories"),
        *("the counts of classes", "the digest"),
    ]


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

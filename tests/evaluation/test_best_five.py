"""The best five of six or seven cards."""

from itertools import combinations

import numpy as np
import pytest

from hands import random_hands
from holdem.evaluation.best_five import best_of_five, choices_of_five
from holdem.evaluation.builtin import reference
from holdem.evaluation.builtin.lookup import rank_batch
from naive import rank_by_rule_book


def recording(calls):
    """Return the reference evaluator, with its hands appended to `calls`."""

    def rank_five(hands):
        calls.append(hands.copy())
        assert hands.flags.c_contiguous
        assert np.uint8 == hands.dtype
        return reference.rank_batch(hands)

    return rank_five


@pytest.mark.parametrize(("size", "count"), [(5, 1), (6, 6), (7, 21)])
def test_choices_of_five(size, count):
    """There are 6 choices of six cards and 21 of seven."""
    choices = choices_of_five(size)
    assert (count, 5) == choices.shape
    assert set(combinations(range(size), 5)) == set(map(tuple, choices.tolist()))


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize("distinct", [False, True])
def test_strength_of_the_best_choice(size, distinct):
    hands = random_hands(37, size, seed=size)
    expected = [rank_by_rule_book(hand) for hand in hands.tolist()]
    assert expected == best_of_five(recording([]), hands, distinct=distinct).tolist()


@pytest.mark.parametrize(("size", "distinct"), [(6, True), (7, False)])
def test_many_hands_are_ranked_in_blocks(size, distinct):
    hands = random_hands(70_000, size, seed=size)
    calls = []

    def rank_five(fives):
        calls.append(len(fives))
        return rank_batch(fives)

    found = best_of_five(rank_five, hands, distinct=distinct)
    np.testing.assert_array_equal(rank_batch(hands), found)
    assert len(calls) > 1


def test_all_choices_are_ranked_in_order():
    hands = random_hands(3, 7, seed=1)
    calls = []
    best_of_five(recording(calls), hands)
    expected = [five for hand in hands.tolist() for five in combinations(hand, 5)]
    assert expected == list(map(tuple, np.concatenate(calls).tolist()))


def test_distinct_choices_are_ranked_once():
    """Equal choices are those with the same cards in any order."""
    board = [0, 5, 10, 15, 20]
    hands = [[*board, *hole] for hole in combinations(range(40, 46), 2)]
    hands += [hand[::-1] for hand in hands]
    calls = []
    found = best_of_five(recording(calls), np.array(hands, dtype=np.uint8), distinct=True)
    fives = {tuple(sorted(five)) for hand in hands for five in combinations(hand, 5)}
    assert sorted(fives) == sorted(tuple(sorted(five)) for five in np.concatenate(calls).tolist())
    assert found[:15].tolist() == found[15:].tolist()


@pytest.mark.parametrize("distinct", [False, True])
def test_empty_batch(distinct):
    """The result has the evaluator's own type."""
    found = best_of_five(reference.rank_batch, np.empty((0, 7), dtype=np.uint8), distinct=distinct)
    assert ((0,), np.int64) == (found.shape, found.dtype)

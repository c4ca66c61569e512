"""The best five of six or seven, for evaluators that rank five."""

from itertools import combinations

import numpy as np
import pytest
from hands import random_hands

from holdem.evaluation import selection
from holdem.evaluation.builtin import reference
from holdem.evaluation.selection import best_of_five, choices_of_five


def recorder(asked):
    """Return the rule book as a batch function that notes what it is asked."""

    def rank_five(hands):
        asked.append(hands.copy())
        assert hands.flags.c_contiguous
        assert np.uint8 == hands.dtype
        return reference.rank_batch(hands)

    return rank_five


@pytest.mark.parametrize(("size", "count"), [(5, 1), (6, 6), (7, 21)])
def test_choices_are_all_choices(size, count):
    """There are 6 ways to take five of six cards and 21 of seven."""
    choices = choices_of_five(size)
    assert (count, 5) == choices.shape
    assert set(combinations(range(size), 5)) == set(map(tuple, choices.tolist()))


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize("distinct", [False, True])
def test_the_best_choice_decides(size, distinct, monkeypatch):
    """The strength is that of the strongest choice, also where hands fill several blocks."""
    monkeypatch.setattr(selection, "_BLOCK", 16)
    monkeypatch.setattr(selection, "_BLOCK_OF_DISTINCT", 16)
    hands = random_hands(37, size, seed=size)
    expected = [max(map(reference.strength, combinations(hand, 5))) for hand in hands.tolist()]
    asked = []
    found = best_of_five(recorder(asked), hands, distinct=distinct)
    assert expected == found.tolist()
    assert 3 == len(asked)


def test_all_choices_are_asked_in_order_of_hands():
    """Without `distinct` each hand's 21 choices are asked as they are."""
    hands = random_hands(3, 7, seed=1)
    asked = []
    best_of_five(recorder(asked), hands)
    expected = [five for hand in hands.tolist() for five in combinations(hand, 5)]
    assert expected == list(map(tuple, np.concatenate(asked).tolist()))


def test_with_distinct_each_choice_is_asked_once():
    """Hands that share cards share choices; the same cards in another order are the same."""
    board = [0, 5, 10, 15, 20]
    hands = [[*board, *hole] for hole in combinations(range(40, 46), 2)]
    hands += [hand[::-1] for hand in hands]
    asked = []
    found = best_of_five(recorder(asked), np.array(hands, dtype=np.uint8), distinct=True)
    fives = {tuple(sorted(five)) for hand in hands for five in combinations(hand, 5)}
    assert sorted(fives) == sorted(tuple(sorted(five)) for five in np.concatenate(asked).tolist())
    assert found[:15].tolist() == found[15:].tolist()


@pytest.mark.parametrize("distinct", [False, True])
def test_no_hands_have_no_strengths(distinct):
    """An empty batch has an empty answer of the evaluator's own type."""
    found = best_of_five(reference.rank_batch, np.empty((0, 7), dtype=np.uint8), distinct=distinct)
    assert ((0,), np.int64) == (found.shape, found.dtype)

"""Strengths that are wrong for some hands or classes are found, with the hand that shows it."""

from itertools import combinations

import numpy as np
import pytest
from nearly_right import FEW, failures, lookup_but, shown, wrong_for

import holdem
from holdem.cards import card_sets, parse_cards
from holdem.evaluation.conformance.check import Extent
from holdem.evaluation.conformance.findings import Wrong
from holdem.evaluation.conformance.hands import random_hands
from holdem.values import STANDARD


def test_one_wrong_hand_of_five():
    """A single wrong hand is found, with what was answered and what is right."""
    failed = failures(wrong_for("2c 3d 5h 7s 9c"))
    assert {"five cards"} == set(failed)
    failure = failed["five cards"]
    assert parse_cards("2c 3d 5h 7s 9c") == failure.hand
    right = holdem.evaluate("2c 3d 5h 7s 9c")
    assert shown(right) == failure.expected
    assert shown(right, by=1) == failure.answered
    assert 1 == failure.affected


def test_the_smallest_of_several_wrong_hands():
    """Of all wrong hands the one with the least card set is shown, and all are counted."""
    wrong = ["Ac Kc Qc Jc 2d", "3c 4c 5c 6c 8d", "2c 3c 4c 5c 9d"]
    failure = failures(wrong_for(*wrong))["five cards"]
    assert parse_cards("3c 4c 5c 6c 8d") == failure.hand
    assert 3 == failure.affected


def test_a_strength_of_no_class_says_so():
    """An answer that no class has is shown as such."""
    failure = failures(wrong_for("2c 3d 5h 7s 9c", by=20_000))["five cards"]
    assert failure.answered.endswith("(of no class)")


WRONG_SEVEN = "2h 9c 9d Jd Jh Kc Kh"


@pytest.mark.exhaustive
def test_one_wrong_hand_of_133_784_560():
    """One wrong hand of seven among all is found by going through all of them."""
    hand = parse_cards(WRONG_SEVEN)

    def wrong(hands, strengths):
        if hands.shape[1] == 7:
            strengths[(hands == hand).all(axis=1)] += 1

    failed = failures(lookup_but(wrong), Extent(exhaustive=True))
    assert {"seven cards"} == set(failed)
    assert hand == failed["seven cards"].hand
    assert 1 == failed["seven cards"].affected


@pytest.mark.parametrize(("size", "check"), [(6, "six cards"), (7, "seven cards")])
def test_wrong_only_with_more_cards(size, check):
    """What goes wrong with many hands of six or seven is found in those that are drawn."""

    def three_pairs_take_the_lowest(hands, strengths):
        if hands.shape[1] == size:
            strengths[_three_pairs(hands)] -= 1

    failed = failures(lookup_but(three_pairs_take_the_lowest))
    drawn = random_hands(STANDARD, size, FEW.hands, FEW.seed)
    wrong = drawn[_three_pairs(drawn)]
    # Three pairs have 0.3 % of all hands of six, C(13, 3) 6^3, and 1.85 % of seven.
    assert len(wrong) > 1
    assert {check} == set(failed)
    failure = failed[check]
    smallest = wrong[card_sets(wrong).argmin()]
    assert smallest.tolist() == list(failure.hand)
    right = holdem.evaluate(failure.hand)
    assert shown(right) == failure.expected
    assert shown(right, by=-1) == failure.answered
    assert len(wrong) == failure.affected


def _three_pairs(hands):
    """Tell which of ``(hand, card)`` have three pairs, and no card of these ranks besides."""
    counts = (hands[:, :, None] // 4 == hands[:, None, :] // 4).sum(axis=2)
    return (counts.max(axis=1) == 2) & (counts.sum(axis=1) == 12 + hands.shape[1] - 6)


def test_one_class_out_of_place():
    """A class that stands below the next but one is named, with the hands that it has."""

    def swap(hands, strengths):
        strengths[strengths == 7462 - 10] = 9000  # the best four of a kind beats all

    failed = failures(lookup_but(swap))
    assert {"classes"} == set(failed)
    failure = failed["classes"]
    assert "four of a kind" == holdem.evaluate(failure.hand).category
    assert "strength 9000" == failure.answered
    assert failure.expected == (
        "above strength 7451 of Four of a Kind, Aces Ac Ad Ah As Qs"
        " and below strength 7453 of Straight Flush, Five high 5c 4c 3c 2c Ac"
    )
    assert 4 == failure.affected  # four aces and a king


def test_two_classes_that_tie():
    """Two neighbouring classes of one strength are found: the kicker of two pair is forgotten."""
    tied = holdem.evaluate("As Ad Ks Kd Qc").strength

    def tie(hands, strengths):
        strengths[strengths == tied] -= 1

    failure = failures(lookup_but(tie))["classes"]
    assert "two pair" == holdem.evaluate(failure.hand).category
    assert 6 * 6 * 4 == failure.affected


def test_the_wrong_way_round():
    """Where smaller is stronger, the failure says so, and that nearly all hands are affected."""
    failed = failures(lookup_but(lambda hands, strengths: -strengths))
    assert {"classes"} == set(failed)
    whole = "; bigger is stronger, and here all is the other way round"
    assert failed["classes"].expected.endswith(whole)
    assert failed["classes"].affected > 2_500_000


def test_all_hands_tie():
    """An evaluator that ties all is told just that."""
    failure = failures(lookup_but(lambda hands, strengths: strengths * 0))["classes"]
    assert "all hands tie" in failure.expected


def test_a_five_card_evaluator_is_asked_through_the_engine():
    """With hand sizes {5}, hands of seven come to it as their 21 choices of five."""
    sizes = set()

    def note(hands, strengths):
        sizes.add(hands.shape[1])

    assert {} == failures(lookup_but(note, sizes={5}))
    assert {5} == sizes


def test_hands_that_are_drawn_are_not_all():
    """Of seven cards some are asked for: at least so many are wrong; exhaustively just as many."""

    def three_pairs_take_the_lowest(hands, strengths):
        if hands.shape[1] == 6:
            strengths[_three_pairs(hands)] -= 1

    evaluator = lookup_but(three_pairs_take_the_lowest)
    assert "; at least " in str(failures(evaluator)["six cards"])
    assert not failures(wrong_for("2c 3d 5h 7s 9c"))["five cards"].at_least


def test_the_smallest_wrong_hand_across_batches():
    """Hands come in any order of batches; the least set stays."""
    wrong = Wrong()
    hands = np.array(list(combinations(range(8), 5)), dtype=np.uint8)
    right = np.zeros(len(hands), dtype=np.int64)
    for part in (hands[40:], hands[10:20], hands[:10], hands[20:40]):
        wrong.add(part, right[: len(part)] + 1, right[: len(part)], {})
    assert (0, 1, 2, 3, 4) == wrong.hand
    assert 56 == wrong.count

"""Checks of wrong strengths of hands or classes."""

from itertools import combinations

import numpy as np
import pytest

import holdem
from holdem.cards import card_set, card_sets, parse_cards
from holdem.evaluation.conformance.candidate import Answers, WrongAnswers
from holdem.evaluation.conformance.hands import Extent, random_hands
from holdem.rules import STANDARD
from incorrect_evaluators import FEW, failures, lookup_but, offered, shown, wrong_for


def test_one_wrong_hand_of_five():
    """The failure has the actual and the expected strength."""
    failed = failures(wrong_for("2c 3d 5h 7s 9c"))
    assert {"five cards"} == set(failed)
    failure = failed["five cards"]
    assert parse_cards("2c 3d 5h 7s 9c") == failure.hand
    right = holdem.evaluate("2c 3d 5h 7s 9c")
    assert shown(right) == failure.expected
    assert shown(right, by=1) == failure.answered
    assert 1 == failure.affected


def test_strength_of_no_class():
    failure = failures(wrong_for("2c 3d 5h 7s 9c", by=20_000))["five cards"]
    assert failure.answered.endswith("(of no class)")


@pytest.mark.exhaustive
def test_one_wrong_hand_of_8_347_680():
    """An exhaustive check finds one wrong hand of seven of the short deck."""
    hand = parse_cards("6h 9c 9d Jd Jh Kc Kh")
    rank_short_deck = holdem.get_evaluator("short-deck").load_function()

    def rank(hands):
        strengths = rank_short_deck(hands)
        if hands.shape[1] == 7:
            strengths[(hands == hand).all(axis=1)] += 1
        return strengths

    failed = failures(offered(rank, rules="short-deck"), Extent(exhaustive=True))
    assert {"seven cards"} == set(failed)
    assert hand == failed["seven cards"].hand
    assert 1 == failed["seven cards"].affected


@pytest.mark.parametrize(("size", "check"), [(6, "six cards"), (7, "seven cards")])
def test_wrong_hands_of_six_or_seven(size, check):
    """Random hands show a fault of many hands."""

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
    """Return which hands, ``(hand, card)``, have three pairs and only single cards besides."""
    counts = (hands[:, :, None] // 4 == hands[:, None, :] // 4).sum(axis=2)
    return (counts.max(axis=1) == 2) & (counts.sum(axis=1) == 12 + hands.shape[1] - 6)


def test_one_misplaced_class():
    """The failure names its neighbours."""

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


def test_two_classes_tie():
    """The kicker of two pair is ignored."""
    tied = holdem.evaluate("As Ad Ks Kd Qc").strength

    def tie(hands, strengths):
        strengths[strengths == tied] -= 1

    failure = failures(lookup_but(tie))["classes"]
    assert "two pair" == holdem.evaluate(failure.hand).category
    assert 6 * 6 * 4 == failure.affected


def test_reversed_order():
    """The failure says so, and nearly all hands are affected."""
    failed = failures(lookup_but(lambda hands, strengths: -strengths))
    assert {"classes"} == set(failed)
    assert "; the order is reversed: bigger must be stronger" in failed["classes"].expected
    assert failed["classes"].affected > 2_500_000


def test_five_card_evaluator():
    """It ranks hands of seven as 21 choices of five."""
    sizes = set()

    def note(hands, strengths):
        sizes.add(hands.shape[1])

    assert {} == failures(lookup_but(note, sizes={5}))
    assert {5} == sizes


def test_smallest_wrong_hand_of_several_batches():
    wrong = WrongAnswers()
    hands = np.array(list(combinations(range(8), 5)), dtype=np.uint8)
    right = np.zeros(len(hands), dtype=np.int64)
    for part in (hands[40:], hands[10:20], hands[:10], hands[20:40]):
        expected = right[: len(part)]
        wrong.add(part, Answers(expected + 1, {}), expected)
    assert (0, 1, 2, 3, 4) == wrong.hand
    assert 56 == wrong.count


def test_class_of_a_wrong_hand_on_a_wrong_scale():
    """The failure names the hand's class by the rule book, not by a strength of several classes."""
    wrong = card_set(parse_cards("2c 3d 5h 7s 9c"))
    right = holdem.evaluate("2c 3d 5h 7s 9c")

    def tie_all_that_are_weaker(hands, strengths):
        strengths[:] = np.maximum(strengths, 1000)
        strengths[card_sets(hands) == wrong] += 3000

    failure = failures(lookup_but(tie_all_that_are_weaker))["five cards"]
    assert right.strength < 1000
    assert "strength 4000" == failure.answered
    expected = f"strength 1000 ({right.name}, class {right.rank_class:,})"
    assert expected == failure.expected

"""Answers of a wrong shape or type, and errors instead of answers, are found by the checks."""

from math import comb

import numpy as np
import pytest
from nearly_right import FEW, failures, lookup_but, offered

import holdem
from holdem.cards import card_set, card_sets, cards_text, parse_cards
from holdem.evaluation.builtin import reference
from holdem.evaluation.builtin.lookup.kernels import rank_batch
from holdem.evaluation.conformance.check import check_conformance
from holdem.values import STANDARD

ANSWERS = {
    "a column": (lambda s: s[:, None], "answered shape (1, 1) for 1 hands"),
    "too few": (lambda s: s[1:], "answered shape (0,) for 1 hands"),
    "a number": (lambda s: 7, "answered int, not an array of integers"),
    "None": (lambda s: None, "answered NoneType, not an array of integers"),
    "a list": (lambda s: s.tolist(), "answered list, not an array of integers"),
    "floats": (lambda s: s.astype(float), "answered float64, not an array of integers"),
    "NaN": (lambda s: s * np.nan, "answered float"),
    "text": (lambda s: s.astype(str), "answered <U6, not an array of integers"),
    "objects": (lambda s: s.astype(object), "answered object, not an array of integers"),
    "truth values": (lambda s: s > 5, "answered bool, not an array of integers"),
    "beyond 63 bits": (
        lambda s: s.astype(np.uint64) + np.uint64(2**63),
        "strengths end at 2^63-1",
    ),
}


@pytest.mark.parametrize(("answer", "told"), ANSWERS.values(), ids=ANSWERS)
def test_answers_of_the_wrong_kind(answer, told):
    """Anything but integers (hand,) fails, on a single hand; what builds on it is not run."""
    found = check_conformance(offered(lambda hands: answer(rank_batch(hands))), FEW)
    statuses = {check.name: check.status for check in found.checks}
    assert "failed" == statuses["answers"]
    assert "not run" == statuses["classes"] == statuses["seven cards"]
    (check,) = found.failures
    failure = check.failure
    assert told in failure.answered
    assert STANDARD.class_at(1).example == failure.hand  # asked for first, and alone
    assert "integers (hand,), one for each hand of the batch" == failure.expected
    assert 1 == failure.affected


def test_a_batch_of_no_hands():
    """No hands have no answers; an error instead is found."""

    def fails_on_none(hands, strengths):
        if not len(hands):
            raise IndexError("no hands")

    failure = failures(lookup_but(fails_on_none))["answers"]
    assert "IndexError: no hands" in failure.answered
    assert "(0,)" in failure.expected


def test_one_hand_raises():
    """The one hand of all for which it raises is found, not just the batch it is in."""
    wrong = np.uint64(card_set(parse_cards("3h 5c 8d 8h Qs")))

    def raises(hands, strengths):
        if (card_sets(hands) == wrong).any():
            raise ArithmeticError("overflow")

    failed = failures(lookup_but(raises))
    assert {"five cards"} == set(failed)
    assert parse_cards("3h 5c 8d 8h Qs") == failed["five cards"].hand
    assert "evaluator 'mine' failed: ArithmeticError: overflow" == failed["five cards"].answered
    assert 1 == failed["five cards"].affected


def test_all_hands_of_seven_raise():
    """Where every hand fails, what is told is of one of them, and "at least" so many."""

    def raises(hands, strengths):
        if hands.shape[1] == 7:
            raise NotImplementedError

    failure = failures(lookup_but(raises))["answers"]
    assert 7 == len(failure.hand)
    assert "evaluator 'mine' failed: NotImplementedError" == failure.answered
    assert failure.at_least


def test_a_class_raises_in_a_function_of_one_hand():
    """The hand is named, what is right is said for such a function, and more hands may fail."""

    @holdem.evaluator("mine")
    def fails_on_one_class(cards):
        if {card // 4 for card in cards} == {0, 1, 2, 3, 6}:  # 8 5 4 3 2: 1,024 hands
            raise ValueError("oops")
        return reference.strength(cards)

    failed = failures(holdem.get_evaluator(fails_on_one_class))
    assert {"answers"} == set(failed)
    hand = cards_text(failed["answers"].hand, " ")
    assert str(failed["answers"]) == (
        f"{hand}: evaluator 'mine' failed: ValueError: oops, for {hand}; right is: an int of 64"
        " bits for each hand that the function is given; at least 2 hands are affected"
    )


def test_large_batches_raise():
    """Where no hand fails alone, the batch as a whole does."""

    def raises(hands, strengths):
        if len(hands) > 10_000:
            raise MemoryError("too many")

    failure = failures(lookup_but(raises))["five cards"]
    assert "MemoryError: too many" in failure.answered
    assert comb(52, 5) - 2598960 % (1 << 16) <= failure.affected <= comb(52, 5)

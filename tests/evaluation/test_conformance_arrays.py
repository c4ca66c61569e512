"""Checks of results with a wrong shape or type, and of exceptions."""

from math import comb

import numpy as np
import pytest

import holdem
from holdem.cards import card_set, card_sets, cards_text, parse_cards
from holdem.evaluation.builtin import reference
from holdem.evaluation.builtin.lookup import rank_batch
from holdem.evaluation.conformance.checker import check_conformance
from holdem.rules import STANDARD
from incorrect_evaluators import FEW, failures, lookup_but, offered

ANSWERS = {
    "a column": (lambda s: s[:, None], "returned shape (1, 1) for 1 hand"),
    "floats": (lambda s: s.astype(float), "returned float64, not an array of integers"),
    "beyond 63 bits": (
        lambda s: s.astype(np.uint64) + np.uint64(2**63),
        "the largest strength is 2^63-1",
    ),
}


@pytest.mark.parametrize(("answer", "told"), ANSWERS.values(), ids=ANSWERS)
def test_invalid_results(answer, told):
    """Anything but integers (hand,) fails for a single hand; dependent checks are not run."""
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


def test_empty_batch_raises():
    def fails_on_none(hands, strengths):
        if not len(hands):
            raise IndexError("no hands")

    failure = failures(lookup_but(fails_on_none))["answers"]
    assert "IndexError: no hands" in failure.answered
    assert "(0,)" in failure.expected


def test_one_hand_raises():
    """The failing hand is found, not only its batch."""
    wrong = np.uint64(card_set(parse_cards("3h 5c 8d 8h Qs")))

    def raises(hands, strengths):
        if (card_sets(hands) == wrong).any():
            raise ArithmeticError("overflow")

    failed = failures(lookup_but(raises))
    assert {"five cards"} == set(failed)
    assert parse_cards("3h 5c 8d 8h Qs") == failed["five cards"].hand
    assert "evaluator 'mine' failed: ArithmeticError: overflow" == failed["five cards"].answered
    assert 1 == failed["five cards"].affected


def test_function_of_one_hand_raises():
    """The failure names the hand and what such a function must return."""

    @holdem.evaluator("mine")
    def fails_on_one_class(cards):
        if {card // 4 for card in cards} == {0, 1, 2, 3, 6}:  # 8 5 4 3 2: 1,024 hands
            raise ValueError("oops")
        return reference.strength(cards)

    failed = failures(holdem.get_evaluator(fails_on_one_class))
    assert {"answers"} == set(failed)
    hand = cards_text(failed["answers"].hand, " ")
    assert str(failed["answers"]) == (
        f"{hand}: evaluator 'mine' failed: ValueError: oops, for {hand}; expected: a 64-bit int"
        " for each hand; at least 2 hands are affected"
    )


def test_large_batches_raise():
    """If no hand fails alone, the batch does."""

    def raises(hands, strengths):
        if len(hands) > 10_000:
            raise MemoryError("too many")

    failure = failures(lookup_but(raises))["five cards"]
    assert "MemoryError: too many" in failure.answered
    assert comb(52, 5) - 2598960 % (1 << 16) <= failure.affected <= comb(52, 5)

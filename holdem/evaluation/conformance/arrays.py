"""Checks of an evaluator's input and output arrays."""

from __future__ import annotations

import contextlib

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, Card, CardArray, card_sets
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance.candidate import Candidate
from holdem.evaluation.conformance.findings import Failure, WrongAnswers
from holdem.evaluation.conformance.hand_generation import random_hands
from holdem.evaluation.decorator import HandByHand
from holdem.evaluation.plugin_guard import GuardedCall
from holdem.evaluation.validation import read_only

_BATCHES = (1, 2, 3, 100)


def check_input(candidate: Candidate) -> Failure | None:
    """Check that the evaluator does not modify the hands that it ranks.

    The engine passes read-only arrays, to which compiled code may write all the same. If they
    cause an error, a call with a writable array shows whether writing was the reason.
    """
    for size in sorted(candidate.evaluator.spec.hand_sizes):
        hands = _samples(candidate, size)
        given = hands.copy()
        try:
            with GuardedCall():
                candidate.function(read_only(given))
        except EvaluatorError:
            with contextlib.suppress(EvaluatorError), GuardedCall():
                candidate.function(given)
        rows = np.flatnonzero((given != hands).any(axis=1))
        if len(rows):
            row = _smallest(hands, rows)
            changed = [str(DECK[card]) if card < len(DECK) else str(card) for card in given[row]]
            return Failure(
                hand=_cards(hands[row]),
                answered=f"the hand was changed to {' '.join(changed)}",
                expected="unchanged hands",
                affected=len(rows),
                at_least=True,
            )
    return None


def check_answers(candidate: Candidate) -> Failure | None:
    """Check that each batch, even an empty one, yields one integer strength per hand."""
    for size in (5, 6, 7):
        hands = _samples(candidate, size)
        for count in (*_BATCHES, len(hands)):
            wrong = WrongAnswers()
            answers = candidate.answers(hands[:count])
            wrong.add(hands[:count], answers, answers.strengths)
            if wrong.count:
                return Failure(
                    hand=wrong.hand,
                    answered=str(wrong.answered),
                    expected=_expected_type(candidate),
                    affected=wrong.count,
                    at_least=True,
                )
        try:
            candidate.rank(hands[:0])
        except EvaluatorError as error:
            return Failure((), str(error), "an empty array, (0,), for a batch of no hands", 0)
    return None


def check_kept(candidate: Candidate) -> Failure | None:
    """Check that a returned array is not modified by a later call."""
    for size in sorted(candidate.evaluator.spec.hand_sizes):
        hands = _samples(candidate, size)
        first = candidate.evaluator.call(candidate.function, hands)
        before = first.copy()
        candidate.evaluator.call(candidate.function, hands[::-1].copy())
        rows = np.flatnonzero(first != before)
        if len(rows):
            row = _smallest(hands, rows)
            return Failure(
                hand=_cards(hands[row]),
                answered=f"a later call changed the answer to strength {first[row]}",
                expected=f"strength {before[row]}: each call must return a new array",
                affected=len(rows),
                at_least=True,
            )
    return None


def _expected_type(candidate: Candidate) -> str:
    if isinstance(candidate.function, HandByHand):
        return "a 64-bit int for each hand"
    return "integers (hand,), one for each hand of the batch"


def _samples(candidate: Candidate, size: int) -> CardArray:
    """Return sample hands of `size` cards, with the cards not sorted by id."""
    if size == 5:
        return candidate.rules.examples.copy()
    hands = random_hands(candidate.rules, size, 1000, seed=1)
    return np.ascontiguousarray(hands[:, ::-1])


def _smallest(hands: CardArray, rows: NDArray[np.intp]) -> int:
    """Return the row number, of those in `rows`, of the hand with the smallest card set."""
    return int(rows[card_sets(hands[rows]).argmin()])


def _cards(hand: CardArray) -> tuple[Card, ...]:
    return tuple(DECK[card] for card in hand.tolist())

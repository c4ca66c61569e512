"""Checks that an evaluator orders the classes correctly and gives each hand the right strength."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_set
from holdem.evaluation.conformance.candidate import Candidate
from holdem.evaluation.conformance.findings import Failure, WrongAnswers
from holdem.evaluation.conformance.hand_generation import every_hand
from holdem.evaluation.load_checks import fault_of_all


def check_classes(candidate: Candidate) -> Failure | None:
    """Check that the evaluator ranks the example hands of all classes in the right order."""
    scale = candidate.learn_scale()
    if (scale[1:] > scale[:-1]).all():
        return None
    placed = _longest_increase(scale)
    misplaced = np.setdiff1d(np.arange(len(scale)), placed)
    examples = candidate.rules.examples[::-1]  # by level
    level = min(misplaced.tolist(), key=lambda level: card_set(examples[level]))
    below, above = placed[placed < level][-1:], placed[placed > level][:1]
    bounds = [f"above {_class_text(candidate, found)}" for found in below]
    bounds += [f"below {_class_text(candidate, found)}" for found in above]
    expected = " and ".join(bounds)
    if fault := fault_of_all(scale):
        expected += f"; {fault}"
    elif len(misplaced) > 1:
        expected += f"; {len(misplaced):,} of {len(scale):,} classes are out of order"
    affected = np.zeros(len(scale), dtype=np.int64)
    for hands in every_hand(candidate.rules, 5):
        affected += np.bincount(candidate.oracle.levels(hands), minlength=len(scale))
    return Failure(
        hand=candidate.rules.classes[len(scale) - 1 - level].example,
        answered=f"strength {scale[level]}",
        expected=expected,
        affected=int(affected[misplaced].sum()),
    )


def _class_text(candidate: Candidate, level: int) -> str:
    hand_class = candidate.rules.classes[len(candidate.scale) - 1 - level]
    cards = " ".join(map(str, hand_class.example))
    return f"strength {candidate.scale[level]} of {hand_class.name} {cards}"


def _longest_increase(numbers: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the positions of a longest strictly increasing subsequence, by patience sorting."""
    ends: list[int] = []  # for each length, the smallest last number of such a subsequence
    places: list[int] = []
    before = np.full(len(numbers), -1, dtype=np.intp)
    for place, number in enumerate(numbers.tolist()):
        length = bisect_left(ends, number)
        if length:
            before[place] = places[length - 1]
        ends[length : length + 1] = [number]
        places[length : length + 1] = [place]
    increase = [places[-1]]
    while before[increase[-1]] >= 0:
        increase.append(int(before[increase[-1]]))
    return np.array(increase[::-1], dtype=np.intp)


def check_hands(
    candidate: Candidate, batches: Iterable[CardArray], *, complete: bool
) -> Failure | None:
    """Check that every hand has the same strength as its class's example.

    Args:
        candidate: the evaluator under test.
        batches: hands of one size.
        complete: whether these are all hands of the size.
    """
    wrong = WrongAnswers()
    seconds, count, size = 0.0, 0, 0
    for hands in batches:
        started = time.perf_counter()
        answers = candidate.answers(hands)
        seconds += time.perf_counter() - started
        count, size = count + len(hands), hands.shape[1]
        wrong.add(hands, answers, candidate.expected(hands))
    if seconds:
        candidate.speeds[size] = count / seconds
    return candidate.failure(wrong, at_least=not complete)

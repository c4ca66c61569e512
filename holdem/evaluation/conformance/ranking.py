"""Checks of the ranking itself: the classes in order, and every hand tied with its class."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_set
from holdem.evaluation.conformance.candidate import Subject
from holdem.evaluation.conformance.findings import Failure, Wrong
from holdem.evaluation.conformance.hands import every_hand
from holdem.evaluation.scale import wrong_as_a_whole


def check_classes(subject: Subject) -> Failure | None:
    """Each class is stronger than the next, by their examples."""
    scale = subject.learn()
    steps = scale[1:] - scale[:-1]
    if (steps > 0).all():
        return None
    placed = _longest_rise(scale)
    misplaced = np.setdiff1d(np.arange(len(scale)), placed)
    examples = subject.rules.examples[::-1]  # by level
    level = min(misplaced.tolist(), key=lambda level: card_set(examples[level]))
    below, above = placed[placed < level][-1:], placed[placed > level][:1]
    bounds = [f"above {_named(subject, found)}" for found in below]
    bounds += [f"below {_named(subject, found)}" for found in above]
    expected = " and ".join(bounds)
    if whole := wrong_as_a_whole(scale):
        expected += f"; {whole}"
    elif len(misplaced) > 1:
        expected += f"; {len(misplaced):,} of {len(scale):,} classes are out of order"
    affected = np.zeros(len(scale), dtype=np.int64)
    for hands in every_hand(subject.rules, 5):
        affected += np.bincount(subject.truth.levels(hands), minlength=len(scale))
    return Failure(
        hand=subject.rules.classes[len(scale) - 1 - level].example,
        answered=f"strength {scale[level]}",
        expected=expected,
        affected=int(affected[misplaced].sum()),
    )


def _named(subject: Subject, level: int) -> str:
    hand_class = subject.rules.classes[len(subject.scale) - 1 - level]
    cards = " ".join(map(str, hand_class.example))
    return f"strength {subject.scale[level]} of {hand_class.name} {cards}"


def _longest_rise(numbers: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the places of a longest strictly rising part of `numbers`: what is in order.

    Patience sorting: `ends` holds, for each length, the smallest number that a rising part
    of that length can end in.
    """
    ends: list[int] = []
    places: list[int] = []
    before = np.full(len(numbers), -1, dtype=np.intp)
    for place, number in enumerate(numbers.tolist()):
        length = bisect_left(ends, number)
        if length:
            before[place] = places[length - 1]
        ends[length : length + 1] = [number]
        places[length : length + 1] = [place]
    rise = [places[-1]]
    while before[rise[-1]] >= 0:
        rise.append(int(before[rise[-1]]))
    return np.array(rise[::-1], dtype=np.intp)


def check_hands(
    subject: Subject, batches: Iterable[CardArray], *, complete: bool
) -> Failure | None:
    """Every hand ties with the example of its class; `complete` if these are all of a size."""
    wrong = Wrong()
    spent, asked, size = 0.0, 0, 0
    for hands in batches:
        begun = time.perf_counter()
        answered, errors = subject.answers(hands)
        spent += time.perf_counter() - begun
        asked, size = asked + len(hands), hands.shape[1]
        wrong.add(hands, answered, subject.right(hands), errors)
    if spent:
        subject.speeds[size] = asked / spent
    return subject.failure(wrong, at_least=not complete)

"""Checks that strengths depend on nothing but the cards of a hand.

The strength of a hand must not differ from call to call, or depend on the order of its cards, a
permutation of the suits, the other hands of the batch, earlier calls, or calls in other threads.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import stream
from holdem.evaluation.conformance.candidate import Candidate
from holdem.evaluation.conformance.findings import Answers, Failure, WrongAnswers
from holdem.evaluation.conformance.hand_generation import BLOCK, random_hands

#: Hands of six cards, and of seven, in these checks. Of five cards there is one of each class.
HANDS = 500
#: How often a hand is ranked in these checks: 4 times unchanged, in 15 orders, with 23 suit
#: permutations, in batches of 17, 100 and 1000 and in three batches of all. Small batches and
#: threads are not counted; they take little time.
TIMES_RANKED = 4 + 15 + 23 + 6

_REPEATS = 3
_RANDOM_ORDERS = 5
_BATCHES = (1, 2, 3, 17, 100, 1000)
_SINGLE_HANDS = 100
_THREADS = 4
_THREAD_SECONDS, _MIN_CALL_SECONDS = 0.15, 0.005
_SWITCH_INTERVAL = 1e-5  # seconds; threads alternate many times within a call


def check_repeatable(candidate: Candidate) -> Failure | None:
    """Check that repeated calls with the same hands return the same strengths."""
    wrong = WrongAnswers(distinct=True)
    for hands, strengths in _ranked_hands(candidate):
        for _ in range(_REPEATS):
            _compare(candidate, wrong, hands, strengths)
    return candidate.failure(
        wrong,
        expected="as in an earlier call with these hands (the evaluator is nondeterministic): ",
        at_least=True,
    )


def check_card_order(candidate: Candidate) -> Failure | None:
    """Check that the order of a hand's cards does not affect its strength."""
    wrong = WrongAnswers(distinct=True)
    generator = stream(1, "card order")
    for hands, strengths in _ranked_hands(candidate):
        # Rotations by 0 to 4 cards, forwards and backwards; then a random order for each hand.
        rotated = [
            np.roll(order, -shift, axis=1)
            for order in (hands, hands[:, ::-1])
            for shift in range(5)
        ]
        shuffled = [generator.permuted(hands, axis=1) for _ in range(_RANDOM_ORDERS)]
        for other in (*rotated, *shuffled):
            _compare(candidate, wrong, other, strengths)
    return candidate.failure(wrong, expected="as with its cards in another order: ", at_least=True)


def check_suits(candidate: Candidate) -> Failure | None:
    """Check that none of the 24 suit permutations affects a hand's strength."""
    wrong = WrongAnswers(distinct=True)
    for hands, strengths in _ranked_hands(candidate):
        for permutation in list(permutations(range(4)))[1:]:
            permuted = hands & 0xFC | np.array(permutation, dtype=np.uint8)[hands & 3]
            _compare(candidate, wrong, permuted, strengths)
    return candidate.failure(wrong, expected="as with its suits permuted: ", at_least=True)


def check_batches(candidate: Candidate) -> Failure | None:
    """Check that a hand's strength does not depend on its batch or on earlier calls."""
    wrong = WrongAnswers(distinct=True)
    generator = stream(1, "batches")
    for hands, strengths in _ranked_hands(candidate):
        for size in _BATCHES:
            count = len(hands) if size > 3 else min(len(hands), size * _SINGLE_HANDS)
            for start in range(0, count, size):
                part = slice(start, start + size)
                _compare(candidate, wrong, hands[part], strengths[part])
        for order in (np.arange(len(hands))[::-1], generator.permutation(len(hands))):
            _compare(candidate, wrong, hands[order], strengths[order])
        _compare(candidate, wrong, hands, strengths)
    return candidate.failure(wrong, expected="as in another batch: ", at_least=True)


def check_threads(candidate: Candidate) -> Failure | None:
    """Check that several threads can rank different hands at the same time."""
    wrong = WrongAnswers(distinct=True)
    generator = stream(1, "threads")
    barrier = threading.Barrier(_THREADS)

    def rank(hands: CardArray, expected: NDArray[np.int64]) -> Answers:
        """Rank hands until an answer is wrong or time is up, and return the latest answers."""
        barrier.wait()
        end = time.monotonic() + _THREAD_SECONDS
        while True:
            answers = candidate.uncounted_answers(hands)
            is_wrong = answers.errors or (answers.strengths != expected).any()
            if is_wrong or time.monotonic() >= end:
                return answers

    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="holdem") as pool:
            for hands, strengths in _ranked_hands(candidate):
                count = _hands_of_a_long_call(candidate, hands)
                rows = [generator.integers(0, len(hands), count) for _ in range(_THREADS)]
                parts, expected = [hands[row] for row in rows], [strengths[row] for row in rows]
                for found in zip(parts, pool.map(rank, parts, expected), expected, strict=True):
                    wrong.add(*found)
    finally:
        sys.setswitchinterval(interval)
    return candidate.failure(wrong, expected="as in one thread: ", at_least=True)


def _hands_of_a_long_call(candidate: Candidate, hands: CardArray) -> int:
    """Return a batch size at which a call takes so long that threads alternate during it."""
    count = 16
    while count < BLOCK:
        started = time.perf_counter()
        candidate.uncounted_answers(hands[np.arange(count) % len(hands)])
        if time.perf_counter() - started > _MIN_CALL_SECONDS:
            break
        count *= 2
    return count


def _ranked_hands(candidate: Candidate) -> Iterator[tuple[CardArray, NDArray[np.int64]]]:
    """For each hand size, yield hands that were ranked without an error, and their strengths."""
    for size in (5, 6, 7):
        hands = candidate.rules.examples.copy()
        if size > 5:
            hands = random_hands(candidate.rules, size, HANDS, seed=2)
        strengths, errors = candidate.answers(hands)
        ranked = np.setdiff1d(np.arange(len(hands)), list(errors))
        yield hands[ranked], strengths[ranked]


def _compare(
    candidate: Candidate, wrong: WrongAnswers, hands: CardArray, expected: NDArray[np.int64]
) -> None:
    wrong.add(hands, candidate.answers(np.ascontiguousarray(hands)), expected)

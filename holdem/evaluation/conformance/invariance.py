"""Checks that an answer depends on the hand alone: not on the order of its cards, the names
of the suits, what else is in the batch, earlier calls, or calls by other threads.
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
from holdem.evaluation.conformance.candidate import Answers, Subject
from holdem.evaluation.conformance.findings import Failure, Wrong
from holdem.evaluation.conformance.hands import BLOCK, random_hands

#: Hands of six and of seven cards that these checks ask for; of five one of each class.
HANDS_ASKED_AGAIN = 500
#: How often they ask for each of them: 4 times as they are, 15 orders, 23 renamings, in
#: batches of 17, 100, 1000 and three of all. Single ones and threads take next to no time.
TIMES_ASKED_AGAIN = 4 + 15 + 23 + 6

_ORDERS = 5
_BATCHES = (1, 2, 3, 17, 100, 1000)
_ALONE = 100  # hands that are asked for one by one
_THREADS, _SPAN, _LONG = 4, 0.15, 0.005  # seconds that they ask, and that a call takes
_SWITCH = 1e-5  # seconds that Python gives a thread, so that many take turns within a call


def check_card_order(subject: Subject) -> Failure | None:
    """The cards of a hand may stand in any order."""
    wrong = Wrong(once=True)
    generator = stream(1, "card order")
    for hands, answered in _answered(subject):
        # Forwards and backwards from each card on; then an order of its own for each hand.
        turned = [
            np.roll(way, -turn, axis=1) for way in (hands, hands[:, ::-1]) for turn in range(5)
        ]
        shuffled = [generator.permuted(hands, axis=1) for _ in range(_ORDERS)]
        for other in (*turned, *shuffled):
            wrong.add(other, *_compared(subject, other, answered))
    return subject.failure(wrong, expected="as with its cards in another order: ", at_least=True)


def check_suits(subject: Subject) -> Failure | None:
    """Suits may be renamed, in each of the 24 ways."""
    wrong = Wrong(once=True)
    for hands, answered in _answered(subject):
        for renaming in list(permutations(range(4)))[1:]:
            renamed = hands & 0xFC | np.array(renaming, dtype=np.uint8)[hands & 3]
            wrong.add(renamed, *_compared(subject, renamed, answered))
    return subject.failure(wrong, expected="as with its suits renamed: ", at_least=True)


def check_batches(subject: Subject) -> Failure | None:
    """What else is in a batch, how large it is, and earlier calls make no difference."""
    wrong = Wrong(once=True)
    generator = stream(1, "batches")
    for hands, answered in _answered(subject):
        for size in _BATCHES:
            asked = len(hands) if size > 3 else size * _ALONE
            for start in range(0, min(asked, len(hands)), size):
                part = hands[start : start + size]
                wrong.add(part, *_compared(subject, part, answered[start : start + size]))
        for order in (np.arange(len(hands))[::-1], generator.permutation(len(hands))):
            wrong.add(hands[order], *_compared(subject, hands[order], answered[order]))
        wrong.add(hands, *_compared(subject, hands, answered))
    return subject.failure(wrong, expected="as in another batch: ", at_least=True)


def check_threads(subject: Subject) -> Failure | None:
    """Several threads may ask at the same time, for other hands each."""
    wrong = Wrong(once=True)
    generator = stream(1, "threads")
    barrier = threading.Barrier(_THREADS)

    def ask(hands: CardArray, right: NDArray[np.int64]) -> Answers:
        """Ask again and again; return the first answer that is wrong, or the last."""
        barrier.wait()
        ends = time.monotonic() + _SPAN
        while True:
            strengths, errors = subject.attempt(hands)
            if errors or (strengths != right).any() or time.monotonic() >= ends:
                return strengths, errors

    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="holdem") as pool:
            for hands, answered in _answered(subject):
                many = _many(subject, hands)
                rows = [generator.integers(0, len(hands), many) for _ in range(_THREADS)]
                parts, right = [hands[row] for row in rows], [answered[row] for row in rows]
                for place, (strengths, errors) in enumerate(pool.map(ask, parts, right)):
                    wrong.add(parts[place], strengths, right[place], errors)
    finally:
        sys.setswitchinterval(interval)
    return subject.failure(wrong, expected="as when one thread asks: ", at_least=True)


def _many(subject: Subject, hands: CardArray) -> int:
    """Return how many hands take long enough for threads to come between one another."""
    count = 16
    while count < BLOCK:
        begun = time.perf_counter()
        subject.attempt(hands[np.arange(count) % len(hands)])
        if time.perf_counter() - begun > _LONG:
            break
        count *= 2
    return count


def _answered(subject: Subject) -> Iterator[tuple[CardArray, NDArray[np.int64]]]:
    """Yield hands of each size that have an answer, and the answers."""
    for size in (5, 6, 7):
        hands = subject.rules.examples.copy()
        if size > 5:
            hands = random_hands(subject.rules, size, HANDS_ASKED_AGAIN, seed=2)
        answered, errors = subject.answers(hands)
        kept = np.setdiff1d(np.arange(len(hands)), list(errors))
        yield hands[kept], answered[kept]


def _compared(
    subject: Subject, hands: CardArray, expected: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], dict[int, str]]:
    answered, errors = subject.answers(np.ascontiguousarray(hands))
    return answered, expected, errors

"""Checks that an answer depends on the hand alone: not on the order of its cards, the names
of the suits, what else is in the batch, earlier calls, or calls by other threads.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import stream
from holdem.evaluation.conformance.findings import Failure, Wrong
from holdem.evaluation.conformance.hands import random_hands
from holdem.evaluation.conformance.subject import Answers, Subject

#: Hands of six and of seven cards that these checks ask for; of five one of each class.
HANDS_ASKED_AGAIN = 500
#: How often they ask for each of them: 4 times as they are, 15 orders, 23 renamings, in
#: batches of 17, 100, 1000 and three of all, in 8 rounds of threads; single ones left aside.
TIMES_ASKED_AGAIN = 4 + 15 + 23 + 6 + 8

_ORDERS = 5
_BATCHES = (1, 2, 3, 17, 100, 1000)
_ALONE = 100  # hands that are asked for one by one
_THREADS, _ROUNDS, _CALLS = 4, 8, 16
_SWITCH = 1e-5  # seconds that Python gives a thread, so that many take turns within a call


def check_card_order(subject: Subject) -> Failure | None:
    """The cards of a hand may stand in any order."""
    wrong = Wrong()
    generator = stream(1, "card order")
    for hands, answered in _answered(subject):
        # Forwards and backwards from each card on; then an order of its own for each hand.
        turned = [
            np.roll(way, -turn, axis=1) for way in (hands, hands[:, ::-1]) for turn in range(5)
        ]
        shuffled = [generator.permuted(hands, axis=1) for _ in range(_ORDERS)]
        for other in (*turned, *shuffled):
            wrong.add(other, *_compared(subject, other, answered))
    return subject.failure(wrong, expected="as with its cards in another order: ")


def check_suits(subject: Subject) -> Failure | None:
    """Suits may be renamed, in each of the 24 ways."""
    wrong = Wrong()
    for hands, answered in _answered(subject):
        for renaming in list(permutations(range(4)))[1:]:
            renamed = hands & 0xFC | np.array(renaming, dtype=np.uint8)[hands & 3]
            wrong.add(renamed, *_compared(subject, renamed, answered))
    return subject.failure(wrong, expected="as with its suits renamed: ")


def check_batches(subject: Subject) -> Failure | None:
    """What else is in a batch, how large it is, and earlier calls make no difference."""
    wrong = Wrong()
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
    return subject.failure(wrong, expected="as in another batch: ")


def check_threads(subject: Subject) -> Failure | None:
    """Several threads may ask at the same time."""
    wrong = Wrong()
    barrier = threading.Barrier(_THREADS)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="holdem") as pool:
            for hands, answered in _answered(subject):
                rows = np.array_split(np.arange(len(hands)), _THREADS * _CALLS)

                def ask(
                    turn: int, hands: CardArray = hands, rows: list[Any] = rows
                ) -> list[Answers]:
                    barrier.wait()
                    mine = [rows[place] for place in range(turn, len(rows), _THREADS)]
                    return [subject.answers(hands[row]) for row in mine * _ROUNDS]

                for turn, found in enumerate(pool.map(ask, range(_THREADS))):
                    mine = [rows[place] for place in range(turn, len(rows), _THREADS)]
                    for row, (strengths, errors) in zip(mine * _ROUNDS, found, strict=True):
                        wrong.add(hands[row], strengths, answered[row], errors)
    finally:
        sys.setswitchinterval(interval)
    return subject.failure(wrong, expected="as when one thread asks: ")


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

"""Checks of what an evaluator does besides answering right: shape and type of the answers,
the hands left as they were, nothing printed, the global random generators left alone.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, TextIO

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, CardArray, card_sets
from holdem.errors import EvaluatorError, one_line
from holdem.evaluation.conformance.candidate import Subject
from holdem.evaluation.conformance.findings import Failure, Wrong
from holdem.evaluation.conformance.hands import random_hands
from holdem.evaluation.decorator import OneByOne
from holdem.evaluation.plugin_guard import FOREIGN, is_ctrl_c

_BATCHES = (1, 2, 3, 100)
_SHOWN = 200  # characters of what was printed


class _Sink(io.TextIOBase):
    """A stream that keeps the beginning of what evaluators write, and lets the rest through."""

    def __init__(self, stream: TextIO) -> None:
        self.text = ""
        self.stream = stream

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not FOREIGN.active:
            return self.stream.write(text)
        self.text += text[: max(0, _SHOWN - len(self.text))]
        return len(text)


@attrs.define
class Conduct:
    """What an evaluator did besides answering."""

    printed: str = ""
    """The beginning of what it wrote to standard output."""
    touched: str = ""
    """Which global random generator it changed, or drew from."""

    def print_failure(self) -> Failure | None:
        """Return the failure of one that prints."""
        if not self.printed:
            return None
        told = f"it wrote {one_line(self.printed)!r} to standard output"
        return Failure((), told, "answers are returned, and nothing is printed", 0)

    def random_failure(self) -> Failure | None:
        """Return the failure of one that uses a global random generator."""
        if not self.touched:
            return None
        told = f"the state of {self.touched} is another than before"
        return Failure((), told, "no global random generator is drawn from or set", 0)


@contextlib.contextmanager
def watched(conduct: Conduct) -> Iterator[None]:
    """Note in `conduct` what is printed and which global generator is touched meanwhile."""
    sink = _Sink(sys.stdout)
    before = _random_states()
    try:
        with contextlib.redirect_stdout(sink):
            yield
    finally:
        conduct.printed += sink.text
        after = _random_states()
        for name, state in before.items():
            if state != after[name]:
                conduct.touched = name


@contextlib.contextmanager
def watched_descriptor(conduct: Conduct) -> Iterator[None]:
    """Note in `conduct` what is written to file descriptor 1 past Python's `sys.stdout`."""
    try:
        sys.__stdout__ and sys.__stdout__.flush()  # type: ignore[func-returns-value]
        own = os.dup(1)
    except (OSError, ValueError):  # closed: nothing can be written there
        yield
        return
    with tempfile.TemporaryFile() as written:
        os.dup2(written.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(own, 1)
            os.close(own)
            written.seek(0)
            conduct.printed += written.read(_SHOWN).decode(errors="backslashreplace")


def _random_states() -> dict[str, Any]:
    name, keys, *rest = np.random.get_state()  # noqa: NPY002 - to see whether it changes
    return {
        "Python's random": random.getstate(),
        "numpy.random": (name, np.asarray(keys).tobytes(), *rest),
    }


def check_input(subject: Subject) -> Failure | None:
    """The hands are the same after a call.

    The engine gives read-only arrays, which numpy protects and compiled code may not. Where
    that is an error, one that can be written to shows whether it was for writing.
    """
    for size in sorted(subject.evaluator.spec.hand_sizes):
        hands = _samples(subject, size)
        given = _read_only(hands)
        if not _call(subject, given):
            given = hands.copy()
            _call(subject, given)
        rows = np.flatnonzero((given != hands).any(axis=1))
        if len(rows):
            row = _smallest(hands, rows)
            return Failure(
                hand=_cards(hands[row]),
                answered=f"the hand became {' '.join(map(_card_text, given[row]))}",
                expected="the hands are left as they are",
                affected=len(rows),
                at_least=True,
            )
    return None


def _call(subject: Subject, hands: CardArray) -> bool:
    """Call the evaluator whatever it answers; return whether it did."""
    try:
        with FOREIGN:
            subject.rank(hands)
    except BaseException as error:  # what an answer should be is another check
        if is_ctrl_c(error):
            raise
        return False
    return True


def check_answers(subject: Subject) -> Failure | None:
    """Every batch is answered by integers ``(hand,)``, also one of no hands."""
    for size in (5, 6, 7):
        hands = _samples(subject, size)
        for count in (*_BATCHES, len(hands)):
            wrong = Wrong()
            answered, errors = subject.answers(hands[:count])
            wrong.add(hands[:count], answered, answered, errors)
            if wrong.count:
                told, right = str(wrong.answered), _right_answers(subject)
                return Failure(wrong.hand, told, right, wrong.count, at_least=True)
        try:
            subject.ask(hands[:0])
        except EvaluatorError as error:
            return Failure((), str(error), "a batch of no hands has no answers, (0,)", 0)
    return None


def check_kept(subject: Subject) -> Failure | None:
    """An answer stays as it is when the evaluator is called again."""
    for size in sorted(subject.evaluator.spec.hand_sizes):
        hands = _samples(subject, size)
        first = subject.evaluator.ask(subject.rank, hands)
        before = first.copy()
        subject.evaluator.ask(subject.rank, hands[::-1].copy())
        rows = np.flatnonzero(first != before)
        if len(rows):
            row = _smallest(hands, rows)
            return Failure(
                hand=_cards(hands[row]),
                answered=f"a later call changed the answer to strength {first[row]}",
                expected=f"strength {before[row]}: each call returns an array of its own",
                affected=len(rows),
                at_least=True,
            )
    return None


def _right_answers(subject: Subject) -> str:
    """Say what an evaluator should answer, in the words of how it was written."""
    if isinstance(subject.rank, OneByOne):
        return "an int of 64 bits for each hand that the function is given"
    return "integers (hand,), one for each hand of the batch"


def _samples(subject: Subject, size: int) -> CardArray:
    """Return some hands, their cards and the hands themselves in no particular order."""
    if size == 5:
        return subject.rules.examples.copy()
    hands = random_hands(subject.rules, size, 1000, seed=1)
    return np.ascontiguousarray(hands[:, ::-1])


def _smallest(hands: CardArray, rows: NDArray[np.intp]) -> int:
    """Return that of the rows whose hand is the smallest."""
    return int(rows[card_sets(hands[rows]).argmin()])


def _read_only(hands: CardArray) -> CardArray:
    view = hands.copy().view()
    view.setflags(write=False)
    return view


def _cards(hand: CardArray) -> tuple[Any, ...]:
    return tuple(DECK[card] for card in hand.tolist())


def _card_text(card: int) -> str:
    return str(DECK[card]) if card < len(DECK) else str(card)

"""All checks of one evaluator, in order, with an estimate of how long they take."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from functools import partial

import attrs

from holdem.cards import CardArray
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance.candidate import Subject
from holdem.evaluation.conformance.findings import CheckResult, Conformance, Failure, Status
from holdem.evaluation.conformance.hands import (
    count_hands,
    every_hand,
    hands_from,
    random_hands,
    some_hands,
)
from holdem.evaluation.conformance.invariance import (
    HANDS_ASKED_AGAIN,
    TIMES_ASKED_AGAIN,
    check_batches,
    check_card_order,
    check_suits,
    check_threads,
)
from holdem.evaluation.conformance.oracle import truth
from holdem.evaluation.conformance.ranking import check_classes, check_hands
from holdem.evaluation.conformance.side_effects import (
    Conduct,
    check_answers,
    check_input,
    check_kept,
    watched,
    watched_descriptor,
)
from holdem.evaluation.conformance.timing import seconds_a_hand
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import EvaluatorRecord

#: Hands of six and of seven cards that are drawn at random where not all are gone through:
#: for an evaluator that ranks them itself, and for one of five, all of whose hands are known.
HANDS, HANDS_OF_FIVES = 1_000_000, 20_000


@attrs.frozen
class Extent:
    """How many hands an examination asks for."""

    exhaustive: bool = False
    """All hands of six and seven cards, not some."""
    hands: int | None = None
    """How many hands of six, and of seven, if not all; None for `HANDS`."""
    seed: int = 1
    """Of the hands drawn."""

    def complete(self, size: int) -> bool:
        """Return whether all hands of a size are asked for."""
        return size == 5 or self.exhaustive

    def count(self, evaluator: Evaluator, size: int) -> int:
        """Return how many hands of a size are asked for."""
        if self.complete(size):
            return count_hands(evaluator.rules, size)
        if self.hands is not None:
            return self.hands
        return HANDS if size in evaluator.spec.hand_sizes else HANDS_OF_FIVES

    def batches(self, evaluator: Evaluator, size: int) -> Iterable[CardArray]:
        """Return the hands of a size that are asked for."""
        if self.complete(size):
            return every_hand(evaluator.rules, size)
        return some_hands(evaluator.rules, size, self.count(evaluator, size), self.seed)

    def stretch(self, evaluator: Evaluator, size: int, count: int) -> CardArray:
        """Return some hands of the kind that is asked for, to time them."""
        if self.complete(size):
            middle = count_hands(evaluator.rules, size) // 2
            return hands_from(evaluator.rules, size, middle, count)
        return random_hands(evaluator.rules, size, count, self.seed + 1)


@attrs.define
class _Examination:
    """The checks of one evaluator, made one after the other."""

    extent: Extent
    on_estimate: Callable[[int, float], None]
    on_progress: Callable[[int], None]
    on_check: Callable[[CheckResult], None]
    results: list[CheckResult] = attrs.field(factory=list)

    def note(self, name: str, failure: Failure | None, hands: int = 0) -> bool:
        status: Status = "failed" if failure else "ok"
        self.results.append(CheckResult(name, status, hands, failure))
        self.on_check(self.results[-1])
        return failure is None

    def check(self, subject: Subject, name: str, make: Callable[[Subject], Failure | None]) -> bool:
        before = subject.asked
        try:
            failure = make(subject)
        except EvaluatorError as error:
            failure = Failure((), str(error), "no error", 0)
        return self.note(name, failure, subject.asked - before)

    def conduct(self, subject: Subject) -> bool:
        """Check what must hold before hands can be compared at all."""
        return self.check(subject, "input", check_input) & self.check(
            subject, "answers", check_answers
        )

    def ranking(self, subject: Subject) -> None:
        """Compare hands."""
        self.check(subject, "answers kept", check_kept)
        self.check(subject, "classes", check_classes)
        if not len(subject.scale):
            return
        self.on_estimate(*_estimate(subject, self.extent))
        subject.on_progress = self.on_progress
        for size, name in ((5, "five cards"), (6, "six cards"), (7, "seven cards")):
            batches = self.extent.batches(subject.evaluator, size)
            complete = self.extent.complete(size)
            self.check(subject, name, partial(check_hands, batches=batches, complete=complete))
        self.check(subject, "card order", check_card_order)
        self.check(subject, "suits", check_suits)
        self.check(subject, "batches", check_batches)
        self.check(subject, "threads", check_threads)


#: The checks, in the order in which they are made.
CHECKS = (
    *("load", "input", "answers", "answers kept", "classes", "five cards", "six cards"),
    *("seven cards", "card order", "suits", "batches", "threads", "random state", "output"),
)


def check_conformance(
    evaluator: Evaluator,
    extent: Extent | None = None,
    *,
    on_estimate: Callable[[int, float], None] = lambda _hands, _seconds: None,
    on_progress: Callable[[int], None] = lambda _hands: None,
    on_check: Callable[[CheckResult], None] = lambda _result: None,
) -> Conformance:
    """Hold an evaluator to its contract.

    It is loaded for the purpose, whether or not it was before. What it does wrong is in what
    is returned, and raises nothing.

    Args:
        evaluator: any.
        extent: how many hands to ask for.
        on_estimate: told, before the hands are gone through, how many there are and about
            how many seconds they take, by a sample of each size.
        on_progress: told of each batch how many hands it had.
        on_check: told of each check that is made, as soon as it is.
    """
    made = _Examination(extent or Extent(), on_estimate, on_progress, on_check)
    right, conduct = truth(evaluator.rules), Conduct()
    subject = None
    with watched(conduct):
        with watched_descriptor(conduct):
            begun = time.perf_counter()
            try:
                subject = Subject(evaluator, right, evaluator.load_function())
            except EvaluatorError as error:
                made.note("load", Failure((), str(error), "a function", 0))
            else:
                made.note("load", None)
                with contextlib.suppress(EvaluatorError):
                    subject.ask(evaluator.rules.examples[:1].copy())
            first_call = time.perf_counter() - begun
            usable = subject is not None and made.conduct(subject)
        if subject is not None and usable:
            made.ranking(subject)
    made.note("random state", conduct.random_failure())
    made.note("output", conduct.print_failure())
    found = {result.name: result for result in made.results}
    return Conformance(
        evaluator=evaluator.name,
        version=evaluator.version,
        rules=evaluator.rules.name,
        exhaustive=made.extent.exhaustive,
        checks=tuple(found.get(name, CheckResult(name, "not run", 0)) for name in CHECKS),
        first_call=first_call,
        speeds=subject.speeds if subject is not None else {},
    )


def not_loaded(record: EvaluatorRecord, extent: Extent) -> Conformance:
    """Return the outcome for an evaluator that cannot even be asked for."""
    failure = Failure((), record.reason, "a plugin that can be loaded", 0)
    return Conformance(
        evaluator=record.name,
        version=record.version,
        rules=record.rules,
        exhaustive=extent.exhaustive,
        checks=(
            CheckResult("load", "failed", 0, failure),
            *(CheckResult(name, "not run", 0) for name in CHECKS[1:]),
        ),
        first_call=0.0,
        speeds={},
    )


def _estimate(subject: Subject, extent: Extent) -> tuple[int, float]:
    """Return how many hands will be asked for, and about how many seconds that takes."""
    hands, seconds = 0, 0.0
    for size in (5, 6, 7):
        again = len(subject.rules.classes) if size == 5 else HANDS_ASKED_AGAIN
        count = extent.count(subject.evaluator, size) + again * TIMES_ASKED_AGAIN
        hands += count

        def ask(given: CardArray) -> None:
            subject.right(given)
            with contextlib.suppress(EvaluatorError):
                subject.ask(given)

        stretch = partial(extent.stretch, subject.evaluator, size)
        seconds += count * seconds_a_hand(ask, stretch)
    return hands, seconds

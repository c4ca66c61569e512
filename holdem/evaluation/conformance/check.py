"""The conformance checks, in order, and an estimate of how long they take."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

import attrs

from holdem.cards import CardArray
from holdem.errors import EvaluatorError
from holdem.evaluation.conformance import invariance
from holdem.evaluation.conformance.arrays import check_answers, check_input, check_kept
from holdem.evaluation.conformance.candidate import Candidate
from holdem.evaluation.conformance.findings import CheckResult, Conformance, Failure, Status
from holdem.evaluation.conformance.hand_generation import (
    count_hands,
    every_hand,
    random_blocks,
    typical_block,
)
from holdem.evaluation.conformance.oracle import oracle
from holdem.evaluation.conformance.ranking import check_classes, check_hands
from holdem.evaluation.conformance.side_effects import SideEffects, recorded, recorded_descriptor
from holdem.evaluation.conformance.timing import seconds_per_hand
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import EvaluatorRecord
from holdem.jobs.workers import in_worker_thread

#: Default number of random hands of six cards, and of seven: for an evaluator that ranks them
#: itself, and for one that ranks five cards only.
HANDS, HANDS_OF_FIVES = 1_000_000, 20_000

#: Names of the checks in their order.
CHECKS = (
    *("load", "input", "answers", "answers kept", "repeatable", "classes", "five cards"),
    *("six cards", "seven cards", "card order", "suits", "batches", "threads", "random state"),
    "output",
)


_Check: TypeAlias = Callable[[Candidate], Failure | None]


@attrs.frozen
class Extent:
    """The set of hands on which an evaluator is checked."""

    exhaustive: bool = False
    """All hands of six and seven cards, not random ones."""
    hands: int | None = None
    """Number of random hands of six cards, and of seven; by default `HANDS` or
    `HANDS_OF_FIVES`."""
    seed: int = 1
    """Seed of the random hands."""

    def is_complete(self, size: int) -> bool:
        """Return whether all hands of a given size are checked."""
        return size == 5 or self.exhaustive

    def count(self, evaluator: Evaluator, size: int) -> int:
        """Return the number of hands of a given size that are checked."""
        if self.is_complete(size):
            return count_hands(evaluator.rules, size)
        if self.hands is not None:
            return self.hands
        return HANDS if size in evaluator.spec.hand_sizes else HANDS_OF_FIVES

    def batches(self, evaluator: Evaluator, size: int) -> Iterable[CardArray]:
        """Return the hands of a given size to check, in batches."""
        if self.is_complete(size):
            return every_hand(evaluator.rules, size)
        return random_blocks(evaluator.rules, size, self.count(evaluator, size), self.seed)


@attrs.define
class _Checks:
    """A run of the checks on one evaluator, with the results so far."""

    extent: Extent
    on_estimate: Callable[[int, float], None]
    on_progress: Callable[[int], None]
    on_check: Callable[[CheckResult], None]
    results: dict[str, CheckResult] = attrs.field(factory=dict)

    def add(self, name: str, failure: Failure | None, hands: int = 0) -> bool:
        """Record a check's result and return whether the check passed."""
        status: Status = "failed" if failure else "ok"
        self.results[name] = CheckResult(name, status, hands, failure)
        self.on_check(self.results[name])
        return failure is None

    def run(self, candidate: Candidate, name: str, check: _Check) -> bool:
        """Run a check, record its result, and return whether it passed."""
        before = candidate.hands_ranked
        try:
            failure = check(candidate)
        except EvaluatorError as error:
            failure = Failure((), str(error), "no error", 0)
        return self.add(name, failure, candidate.hands_ranked - before)

    def run_arrays(self, candidate: Candidate) -> bool:
        """Run the checks of input and output arrays and return whether all of them passed."""
        in_worker_thread(candidate.compile)
        return self.run(candidate, "input", check_input) & self.run(
            candidate, "answers", check_answers
        )

    def run_strengths(self, candidate: Candidate) -> None:
        """Run the checks that compare strengths, unless they differ from call to call."""
        self.run(candidate, "answers kept", check_kept)
        if not self.run(candidate, "repeatable", invariance.check_repeatable):
            return
        self.run(candidate, "classes", check_classes)
        if not len(candidate.scale):
            return
        self.on_estimate(*_estimate(candidate, self.extent))
        candidate.on_progress = self.on_progress
        for size, name in ((5, "five cards"), (6, "six cards"), (7, "seven cards")):
            batches = self.extent.batches(candidate.evaluator, size)
            complete = self.extent.is_complete(size)
            self.run(candidate, name, partial(check_hands, batches=batches, complete=complete))
        self.run(candidate, "card order", invariance.check_card_order)
        self.run(candidate, "suits", invariance.check_suits)
        self.run(candidate, "batches", invariance.check_batches)
        self.run(candidate, "threads", invariance.check_threads)


def check_conformance(
    evaluator: Evaluator,
    extent: Extent | None = None,
    *,
    on_estimate: Callable[[int, float], None] = lambda _hands, _seconds: None,
    on_progress: Callable[[int], None] = lambda _hands: None,
    on_check: Callable[[CheckResult], None] = lambda _result: None,
) -> Conformance:
    """Check that an evaluator fulfils its contract.

    The evaluator is loaded anew. Its faults are reported in the result, and never raised.

    Args:
        evaluator: the evaluator.
        extent: the hands to check it on.
        on_estimate: called before hands are ranked, with their number and the estimated time
            in seconds.
        on_progress: called with the number of hands of each batch.
        on_check: called with the result of each check.
    """
    checks = _Checks(extent or Extent(), on_estimate, on_progress, on_check)
    correct, effects = oracle(evaluator.rules), SideEffects()
    candidate, load_failure = None, None
    with recorded(effects):
        with recorded_descriptor(effects):
            started = time.perf_counter()
            try:
                function = in_worker_thread(partial(_load, evaluator))  # it may compile
                candidate = Candidate(evaluator, correct, function)
            except EvaluatorError as error:
                load_failure = Failure((), str(error), "a function", 0)
            first_call = time.perf_counter() - started
            checks.add("load", load_failure)
            is_usable = candidate is not None and checks.run_arrays(candidate)
        if candidate is not None and is_usable:
            checks.run_strengths(candidate)
    checks.add("random state", effects.random_failure())
    checks.add("output", effects.output_failure())
    return Conformance(
        evaluator=evaluator.name,
        version=evaluator.version,
        rules=evaluator.rules.name,
        exhaustive=checks.extent.exhaustive,
        checks=_all_checks(checks.results),
        first_call=first_call,
        speeds={} if candidate is None else candidate.speeds,
    )


def _load(evaluator: Evaluator) -> BatchFunction:
    """Load an evaluator, call its batch function once, and return the function."""
    function = evaluator.load_function()
    with contextlib.suppress(EvaluatorError):
        evaluator.call(function, evaluator.rules.examples[:1].copy())
    return function


def not_loaded(record: EvaluatorRecord, extent: Extent) -> Conformance:
    """Return the conformance result of an evaluator that could not be loaded."""
    failure = Failure((), record.reason, "a plugin that can be loaded", 0)
    return Conformance(
        evaluator=record.name,
        version=record.version,
        rules=record.rules,
        exhaustive=extent.exhaustive,
        checks=_all_checks({"load": CheckResult("load", "failed", 0, failure)}),
        first_call=0.0,
        speeds={},
    )


def _all_checks(results: dict[str, CheckResult]) -> tuple[CheckResult, ...]:
    return tuple(results.get(name, CheckResult(name, "not run", 0)) for name in CHECKS)


def _estimate(candidate: Candidate, extent: Extent) -> tuple[int, float]:
    """Estimate how many hands the checks will rank and how many seconds that will take."""

    def rank(hands: CardArray) -> None:
        candidate.expected(hands)
        with contextlib.suppress(EvaluatorError):
            candidate.rank(hands)

    total, seconds = 0, 0.0
    for size in (5, 6, 7):
        in_invariance = len(candidate.rules.classes) if size == 5 else invariance.HANDS
        count = extent.count(candidate.evaluator, size) + in_invariance * invariance.TIMES_RANKED
        total += count
        seed = None if extent.is_complete(size) else extent.seed + 1
        seconds += count * seconds_per_hand(rank, typical_block(candidate.rules, size, seed))
    return total, seconds

"""The conformance checker: runs the checks in order, and estimates how long they take."""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TextIO, TypeAlias

import attrs
import numpy as np

from holdem.cards import CardArray
from holdem.errors import EvaluatorError, one_line
from holdem.evaluation.conformance import checks
from holdem.evaluation.conformance.bench import measure_seconds_per_hand
from holdem.evaluation.conformance.candidate import Candidate
from holdem.evaluation.conformance.findings import CheckResult, Conformance, Failure, Status
from holdem.evaluation.conformance.hands import (
    count_hands,
    every_hand,
    oracle,
    random_blocks,
    typical_block,
)
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.plugin_guard import in_guarded_call
from holdem.evaluation.registry import EvaluatorRecord
from holdem.jobs.workers import in_worker_thread

_MAX_TEXT = 200  # characters of output that are kept

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


@attrs.define
class SideEffects:
    """The side effects that an evaluator had while it was checked."""

    output: str = ""
    """The beginning of its standard output."""
    random_generator: str = ""
    """The global random generator that it used."""

    def output_failure(self) -> Failure | None:
        """Return a failure that quotes what the evaluator printed, or None if nothing."""
        if not self.output:
            return None
        answered = f"it wrote {one_line(self.output)!r} to standard output"
        return Failure((), answered, "nothing on standard output", 0)

    def random_failure(self) -> Failure | None:
        """Report any use of a global random generator as a failure; None if there was no use."""
        if not self.random_generator:
            return None
        answered = f"the state of {self.random_generator} has changed"
        return Failure((), answered, "no use of global random generators", 0)


class _Sink(io.TextIOBase):
    """A stream that captures output from evaluators and passes on all other output."""

    def __init__(self, stream: TextIO) -> None:
        self.text = ""
        self.stream = stream

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not in_guarded_call():
            return self.stream.write(text)
        self.text += text[: max(0, _MAX_TEXT - len(self.text))]
        return len(text)


@contextlib.contextmanager
def recorded(effects: SideEffects) -> Iterator[None]:
    """Record evaluators' printed output and any change to a global random generator."""
    sink = _Sink(sys.stdout)
    before = _random_states()
    try:
        with contextlib.redirect_stdout(sink):
            yield
    finally:
        effects.output += sink.text
        after = _random_states()
        for name, state in before.items():
            if state != after[name]:
                effects.random_generator = name


@contextlib.contextmanager
def recorded_descriptor(effects: SideEffects) -> Iterator[None]:
    """Record output that is written directly to file descriptor 1, e.g. by C libraries."""
    try:
        sys.__stdout__ and sys.__stdout__.flush()  # type: ignore[func-returns-value]
        duplicate = os.dup(1)
    except (OSError, ValueError):  # closed
        yield
        return
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(duplicate, 1)
            os.close(duplicate)
            file.seek(0)
            effects.output += file.read(_MAX_TEXT).decode(errors="backslashreplace")


def _random_states() -> dict[str, Any]:
    name, keys, *rest = np.random.get_state()  # noqa: NPY002 - to see whether it changes
    return {
        "Python's random": random.getstate(),
        "numpy.random": (name, np.asarray(keys).tobytes(), *rest),
    }


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
        """Test whether all hands of a given size are checked."""
        return size == 5 or self.exhaustive

    def count(self, evaluator: Evaluator, size: int) -> int:
        """Count the hands of a given size that are checked."""
        if self.is_complete(size):
            return count_hands(evaluator.rules, size)
        if self.hands is not None:
            return self.hands
        return HANDS if size in evaluator.spec.hand_sizes else HANDS_OF_FIVES

    def batches(self, evaluator: Evaluator, size: int) -> Iterable[CardArray]:
        """Generate the hands of a given size to check, in batches."""
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
        """Run a check, record the result, and return whether the check passed."""
        before = candidate.hands_ranked
        try:
            failure = check(candidate)
        except EvaluatorError as error:
            failure = Failure((), str(error), "no error", 0)
        return self.add(name, failure, candidate.hands_ranked - before)

    def run_arrays(self, candidate: Candidate) -> bool:
        """Run the checks on input and output arrays, and return whether all of them passed."""
        in_worker_thread(candidate.compile)
        return self.run(candidate, "input", checks.check_input) & self.run(
            candidate, "answers", checks.check_answers
        )

    def run_strengths(self, candidate: Candidate) -> None:
        """Run the checks that compare strengths, unless strengths differ from call to call."""
        self.run(candidate, "answers kept", checks.check_kept)
        if not self.run(candidate, "repeatable", checks.check_repeatable):
            return
        self.run(candidate, "classes", checks.check_classes)
        if not len(candidate.scale):
            return
        self.on_estimate(*_estimate(candidate, self.extent))
        candidate.on_progress = self.on_progress
        for size, name in ((5, "five cards"), (6, "six cards"), (7, "seven cards")):
            batches = self.extent.batches(candidate.evaluator, size)
            complete = self.extent.is_complete(size)
            self.run(
                candidate, name, partial(checks.check_hands, batches=batches, complete=complete)
            )
        self.run(candidate, "card order", checks.check_card_order)
        self.run(candidate, "suits", checks.check_suits)
        self.run(candidate, "batches", checks.check_batches)
        self.run(candidate, "threads", checks.check_threads)


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
    """Build the conformance result of an evaluator that could not be loaded."""
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
    """Estimate the number of hands that the checks will rank, and the time in seconds."""

    def rank(hands: CardArray) -> None:
        candidate.expected(hands)
        with contextlib.suppress(EvaluatorError):
            candidate.rank(hands)

    total, seconds = 0, 0.0
    for size in (5, 6, 7):
        in_invariance = len(candidate.rules.classes) if size == 5 else checks.INVARIANCE_HANDS
        count = extent.count(candidate.evaluator, size) + in_invariance * checks.TIMES_RANKED
        total += count
        seed = None if extent.is_complete(size) else extent.seed + 1
        seconds += count * measure_seconds_per_hand(
            rank, typical_block(candidate.rules, size, seed)
        )
    return total, seconds

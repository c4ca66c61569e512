"""The conformance checker: runs the checks in order, and estimates how long they take."""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
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
from holdem.evaluation.conformance.hands import Extent, oracle
from holdem.evaluation.contract import BatchFunction
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.registry import EvaluatorRecord
from holdem.jobs.workers import in_worker_thread
from holdem.plugins.guard import in_guarded_call

_MAX_TEXT = 200  # characters of output that are kept

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
    answered = f"the state of {effects.random_generator} has changed"
    failure = Failure((), answered, "no use of global random generators", 0)
    checks.add("random state", failure if effects.random_generator else None)
    answered = f"it wrote {one_line(effects.output)!r} to standard output"
    failure = Failure((), answered, "nothing on standard output", 0)
    checks.add("output", failure if effects.output else None)
    return _conclude(
        evaluator,
        evaluator.rules.name,
        checks.extent,
        checks.results,
        first_call,
        {} if candidate is None else candidate.speeds,
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
    return _conclude(
        record, record.rules, extent, {"load": CheckResult("load", "failed", 0, failure)}, 0.0, {}
    )


def _conclude(
    origin: Evaluator | EvaluatorRecord,
    rules: str,
    extent: Extent,
    results: dict[str, CheckResult],
    first_call: float,
    speeds: dict[int, float],
) -> Conformance:
    """Build the result of a run of the checks; those without a result were not run."""
    return Conformance(
        evaluator=origin.name,
        version=origin.version,
        rules=rules,
        exhaustive=extent.exhaustive,
        checks=tuple(results.get(name, CheckResult(name, "not run", 0)) for name in CHECKS),
        first_call=first_call,
        speeds=speeds,
    )


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
        seconds += count * measure_seconds_per_hand(
            rank, extent.typical_block(candidate.rules, size)
        )
    return total, seconds

"""The conformance checker: runs the checks in order, and estimates how long they take.

The checks concern the arrays that the evaluator gets and returns, the strengths, and what strengths
must not depend on: the order of the cards, a permutation of the suits, the other hands of the
batch, earlier calls, and calls in other threads. A check is a function that returns the failure, or
None if the evaluator passes.
"""

from __future__ import annotations

import contextlib
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import permutations
from typing import TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, CardArray, card_set, read_only
from holdem.dealing.seeds import stream
from holdem.errors import EvaluatorError, one_line
from holdem.evaluation.conformance.bench import measure_seconds_per_hand
from holdem.evaluation.conformance.candidate import Answers, Candidate, WrongAnswers
from holdem.evaluation.conformance.findings import CheckResult, Conformance, Failure, Status
from holdem.evaluation.conformance.hands import BLOCK, Extent, every_hand, oracle, random_hands
from holdem.evaluation.conformance.side_effects import SideEffects, recorded, recorded_descriptor
from holdem.evaluation.contract import BatchFunction, HandByHand
from holdem.evaluation.evaluator import Evaluator
from holdem.evaluation.load_checks import describe_common_fault
from holdem.evaluation.registry import EvaluatorRecord
from holdem.jobs.workers import in_worker_thread
from holdem.plugins.guard import GuardedCall

_ARRAY_BATCHES = (1, 2, 3, 100)

#: Number of hands of six cards, and of seven, in the checks of what a strength must not depend on.
#: Of five cards, there is a hand of each class.
INVARIANCE_HANDS = 500
#: How often these checks rank a hand: 4 times unchanged, in 15 orders, with 23 suit
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

#: Hands and their strengths, in batches.
_Ranked: TypeAlias = Iterable[tuple[CardArray, NDArray[np.int64]]]


def check_input(candidate: Candidate) -> Failure | None:
    """Check that the evaluator does not modify the hands that it ranks.

    The engine passes read-only arrays, but compiled code can write to them all the same. If the
    call fails, another call with a writable array shows whether writing was the reason.
    """
    for size in sorted(candidate.evaluator.spec.hand_sizes):
        hands = _choose_samples(candidate, size)
        given = hands.copy()
        try:
            with GuardedCall():
                candidate.function(read_only(given))
        except EvaluatorError:
            with contextlib.suppress(EvaluatorError), GuardedCall():
                candidate.function(given)
        wrong, is_changed = WrongAnswers(), (given != hands).any(axis=1)
        wrong.add(hands, Answers(is_changed.astype(np.int64), {}), np.zeros_like(hands[:, 0]))
        if wrong.count:
            row = (hands == wrong.hand).all(axis=1).argmax()
            changed = [str(DECK[card]) if card < len(DECK) else str(card) for card in given[row]]
            return Failure(
                hand=wrong.hand,
                answered=f"the hand was changed to {' '.join(changed)}",
                expected="unchanged hands",
                affected=wrong.count,
                at_least=True,
            )
    return None


def check_answers(candidate: Candidate) -> Failure | None:
    """Check that each batch, even an empty one, yields one integer strength per hand."""
    for size in (5, 6, 7):
        hands = _choose_samples(candidate, size)
        for count in (*_ARRAY_BATCHES, len(hands)):
            wrong = WrongAnswers()
            answers = candidate.answers(hands[:count])
            wrong.add(hands[:count], answers, answers.strengths)
            if wrong.count:
                return Failure(
                    hand=wrong.hand,
                    answered=str(wrong.answered),
                    expected=_describe_type(candidate),
                    affected=wrong.count,
                    at_least=True,
                )
        try:
            candidate.rank(hands[:0])
        except EvaluatorError as error:
            return Failure((), str(error), "an empty array, (0,), for a batch of no hands", 0)
    return None


def check_kept(candidate: Candidate) -> Failure | None:
    """Check that a later call does not modify the array that an earlier call returned."""
    for size in sorted(candidate.evaluator.spec.hand_sizes):
        hands = _choose_samples(candidate, size)
        first = candidate.evaluator.call(candidate.function, hands)
        before = first.copy()
        candidate.evaluator.call(candidate.function, hands[::-1].copy())
        wrong = WrongAnswers()
        wrong.add(hands, Answers(first, {}), before)
        if wrong.count:
            return Failure(
                hand=wrong.hand,
                answered=f"a later call changed the answer to strength {wrong.answered}",
                expected=f"strength {wrong.expected}: each call must return a new array",
                affected=wrong.count,
                at_least=True,
            )
    return None


def _describe_type(candidate: Candidate) -> str:
    if isinstance(candidate.function, HandByHand):
        return "a 64-bit int for each hand"
    return "integers (hand,), one for each hand of the batch"


def _choose_samples(candidate: Candidate, size: int) -> CardArray:
    """Choose sample hands, ``uint8 (hand, size)``, whose cards are not in ascending order.

    Of five cards, they are the example hands of all classes; of six or seven, 1,000 random hands.
    """
    if size == 5:
        return candidate.rules.examples.copy()
    hands = random_hands(candidate.rules, size, 1000, seed=1)
    return np.ascontiguousarray(hands[:, ::-1])


def check_classes(candidate: Candidate) -> Failure | None:
    """Check that the evaluator ranks the example hands of all classes in the right order."""
    scale = candidate.learn_scale()
    if (scale[1:] > scale[:-1]).all():
        return None
    placed = _find_longest_increase(scale)
    misplaced = np.setdiff1d(np.arange(len(scale)), placed)
    examples = candidate.rules.examples[::-1]  # by level
    level = min(misplaced.tolist(), key=lambda level: card_set(examples[level]))
    below, above = placed[placed < level][-1:], placed[placed > level][:1]
    bounds = [f"above {_format_class(candidate, found)}" for found in below]
    bounds += [f"below {_format_class(candidate, found)}" for found in above]
    expected = " and ".join(bounds)
    if fault := describe_common_fault(candidate.rules, scale):
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


def _format_class(candidate: Candidate, level: int) -> str:
    hand_class = candidate.rules.classes[len(candidate.scale) - 1 - level]
    cards = " ".join(map(str, hand_class.example))
    return f"strength {candidate.scale[level]} of {hand_class.name} {cards}"


def _find_longest_increase(numbers: NDArray[np.int64]) -> NDArray[np.intp]:
    """Find the positions of a longest strictly increasing subsequence, by patience sorting."""
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
    """Check that every hand has the same strength as the example hand of its class.

    Each batch is ``uint8 (hand, card)``, of one size; `complete` says that they have all its hands.
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


def check_repeatable(candidate: Candidate) -> Failure | None:
    """Check that repeated calls with the same hands return the same strengths."""
    return _check_variants(
        candidate,
        "as in an earlier call with these hands (the evaluator is nondeterministic): ",
        lambda hands, strengths: [(hands, strengths)] * _REPEATS,
    )


def check_card_order(candidate: Candidate) -> Failure | None:
    """Check that the order of a hand's cards does not affect its strength."""
    generator = stream(1, "card order")

    def reorder(hands: CardArray, strengths: NDArray[np.int64]) -> _Ranked:
        # Rotations by 0 to 4 cards, forwards and backwards; then a random order for each hand.
        for order in (hands, hands[:, ::-1]):
            for shift in range(5):
                yield np.roll(order, -shift, axis=1), strengths
        for _ in range(_RANDOM_ORDERS):
            yield generator.permuted(hands, axis=1), strengths

    return _check_variants(candidate, "as with its cards in another order: ", reorder)


def check_suits(candidate: Candidate) -> Failure | None:
    """Check that none of the 24 suit permutations affects a hand's strength."""

    def permute(hands: CardArray, strengths: NDArray[np.int64]) -> _Ranked:
        for permutation in list(permutations(range(4)))[1:]:
            yield hands & 0xFC | np.array(permutation, dtype=np.uint8)[hands & 3], strengths

    return _check_variants(candidate, "as with its suits permuted: ", permute)


def check_batches(candidate: Candidate) -> Failure | None:
    """Check that a hand's strength does not depend on its batch or on earlier calls."""
    generator = stream(1, "batches")

    def divide(hands: CardArray, strengths: NDArray[np.int64]) -> _Ranked:
        for size in _BATCHES:
            count = len(hands) if size > 3 else min(len(hands), size * _SINGLE_HANDS)
            for start in range(0, count, size):
                part = slice(start, start + size)
                yield hands[part], strengths[part]
        for order in (np.arange(len(hands))[::-1], generator.permutation(len(hands))):
            yield hands[order], strengths[order]
        yield hands, strengths

    return _check_variants(candidate, "as in another batch: ", divide)


def check_threads(candidate: Candidate) -> Failure | None:
    """Check that several threads can rank different hands at the same time."""
    wrong = WrongAnswers(distinct=True)
    generator = stream(1, "threads")

    def rank(hands: CardArray, expected: NDArray[np.int64]) -> Answers:
        """Rank hands until an answer is wrong or time is up, and return the latest answers."""
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
            for hands, strengths in _rank_hands(candidate):
                count = _find_long_batch(candidate, hands)
                rows = [generator.integers(0, len(hands), count) for _ in range(_THREADS)]
                parts, expected = [hands[row] for row in rows], [strengths[row] for row in rows]
                for found in zip(parts, pool.map(rank, parts, expected), expected, strict=True):
                    wrong.add(*found)
    finally:
        sys.setswitchinterval(interval)
    return candidate.failure(wrong, expected="as in one thread: ", at_least=True)


def _find_long_batch(candidate: Candidate, hands: CardArray) -> int:
    """Find how many hands a call must rank to take so long that threads alternate meanwhile.

    If there are not enough in `hands`, they are repeated.
    """
    count = 16
    while count < BLOCK:
        started = time.perf_counter()
        candidate.uncounted_answers(hands[np.arange(count) % len(hands)])
        if time.perf_counter() - started > _MIN_CALL_SECONDS:
            break
        count *= 2
    return count


def _rank_hands(candidate: Candidate) -> _Ranked:
    """Yield, for each size, the sample hands that the evaluator ranks without an error, and their
    strengths: ``uint8 (hand, card)`` and ``int64 (hand,)``.
    """
    for size in (5, 6, 7):
        hands = candidate.rules.examples.copy()
        if size > 5:
            hands = random_hands(candidate.rules, size, INVARIANCE_HANDS, seed=2)
        strengths, errors = candidate.answers(hands)
        ranked = np.setdiff1d(np.arange(len(hands)), list(errors))
        yield hands[ranked], strengths[ranked]


def _check_variants(
    candidate: Candidate, expected: str, vary: Callable[[CardArray, NDArray[np.int64]], _Ranked]
) -> Failure | None:
    """Check that variants of hands, such as with the cards in another order, have equal strengths.

    `expected` is as for `Candidate.failure`. `vary` gets hands and their strengths, and returns
    batches of variants, each with the strengths that the evaluator must give them.
    """
    wrong = WrongAnswers(distinct=True)
    for ranked in _rank_hands(candidate):
        for hands, strengths in vary(*ranked):
            wrong.add(hands, candidate.answers(np.ascontiguousarray(hands)), strengths)
    return candidate.failure(wrong, expected=expected, at_least=True)


#: Names of the checks in their order.
CHECKS = (
    *("load", "input", "answers", "answers kept", "repeatable", "classes", "five cards"),
    *("six cards", "seven cards", "card order", "suits", "batches", "threads", "random state"),
    "output",
)

_Check: TypeAlias = Callable[[Candidate], Failure | None]


@attrs.define
class _Checks:
    """A run of the checks on one evaluator, and the results so far."""

    extent: Extent
    on_estimate: Callable[[int, float], None]
    on_progress: Callable[[int], None]
    on_check: Callable[[CheckResult], None]
    results: dict[str, CheckResult] = attrs.field(factory=dict)

    def add(self, name: str, failure: Failure | None, hands: int = 0) -> bool:
        """Record a check's result and the number of hands ranked; return whether it passed."""
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
        """Run the checks of input and output arrays, and return whether all of them passed."""
        in_worker_thread(candidate.compile)
        return self.run(candidate, "input", check_input) & self.run(
            candidate, "answers", check_answers
        )

    def run_strengths(self, candidate: Candidate) -> None:
        """Run the checks that compare strengths.

        The run ends early if strengths differ from call to call, or if the evaluator fails for the
        example hand of a class.
        """
        self.run(candidate, "answers kept", check_kept)
        if not self.run(candidate, "repeatable", check_repeatable):
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
        self.run(candidate, "card order", check_card_order)
        self.run(candidate, "suits", check_suits)
        self.run(candidate, "batches", check_batches)
        self.run(candidate, "threads", check_threads)


def check_conformance(
    evaluator: Evaluator,
    extent: Extent | None = None,
    *,
    on_estimate: Callable[[int, float], None] = lambda _hands, _seconds: None,
    on_progress: Callable[[int], None] = lambda _hands: None,
    on_check: Callable[[CheckResult], None] = lambda _result: None,
) -> Conformance:
    """Check that an evaluator, which is loaded anew, fulfils its contract.

    Faults are reported in the result, and are not raised. `on_estimate` is called before hands are
    ranked, with their number and the estimated time in seconds; `on_progress` after each batch,
    with the number of its hands; and `on_check` with the result of each check.
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
    """Load an evaluator, and return its batch function after a first call, which may compile.

    An error of this call is ignored, since a check will find it.
    """
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
    """Build the result of a run of the checks.

    `origin` is the record if the evaluator could not be used. `results` are by the name of the
    check; one of `CHECKS` that is missing was not run. `first_call` is the time to load the
    evaluator and to rank a first hand, in seconds; `speeds` are hands per second, by the number of
    cards in a hand.
    """
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
        in_invariance = len(candidate.rules.classes) if size == 5 else INVARIANCE_HANDS
        count = extent.count(candidate.evaluator, size) + in_invariance * TIMES_RANKED
        total += count
        seconds += count * measure_seconds_per_hand(
            rank, extent.typical_block(candidate.rules, size)
        )
    return total, seconds

"""`estimate`, which estimates the mean over dealt hands of what a user's function returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import inf, isnan, nan, sqrt
from typing import Any, ClassVar, Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_number
from holdem.cards import CardsLike
from holdem.dealing.seeds import Seed
from holdem.errors import HoldemRuntimeError, HoldemValueError, SpotError, counted, quoted
from holdem.evaluation.registry import EvaluatorLike
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.bounds import DEFAULT_STDERR, check_bounds
from holdem.odds.sampling.intervals import Z95, estimate_mean, standard_errors
from holdem.odds.sampling.sampler import BLOCK
from holdem.ranges.range import Range
from holdem.results.base_result import Result
from holdem.results.fields import EvaluatorLabel, shown, to_json
from holdem.trials.hand_table import HandTable, ask_table, name_answers
from holdem.trials.simulation import MAX_HANDS, HandDealer, checked_hand_count

#: The number of hands in each table with which the user's functions are called.
TABLE_HANDS = 4 * BLOCK

#: The number of hands if no bound is given and a mean is not a proportion.
DEFAULT_HANDS = 1_000_000

_SMALLEST = 1e-12  # standard error
_LARGEST = 1e100  # number: its square can be added up

# The error of a mean of numbers is known well enough to end a run from so many hands, of which so
# many have another number than the usual one: the first of a few jackpots says little of the rest.
_FEWEST = 1000
_FEWEST_UNUSUAL = 20

# Numbers are equal if they differ by no more than rounding leaves, relative to the usual one.
_ROUNDING = 1e-12

# Hands after which a run ends if none met its condition and only an error that needs some could
# end it: a few seconds, and enough for a royal flush of one player to be dealt 500 times.
_PATIENCE = 1 << 24

Ask: TypeAlias = Callable[[HandTable], NDArray[Any] | Mapping[str, NDArray[Any]]]
"""A function that takes a table of hands and returns a number or a bool for each, or a dictionary
of several such arrays by name."""
Given: TypeAlias = Callable[[HandTable], NDArray[np.bool_]]
"""A function that takes a table of hands and returns whether each of them counts."""

_ONLY = ""  # the name of a question without a name


@attrs.frozen
class EstimatedMean:
    """The estimated mean, over dealt hands, of one array that the user's function returns."""

    mean: float = attrs.field(metadata=shown(in_text=False))
    stderr: float = attrs.field(metadata=shown(in_text=False))
    """The standard error of the mean."""
    ci95: tuple[float, float] = attrs.field(metadata=shown(in_text=False))
    """A 95 % confidence interval. For proportions, it is computed as in `holdem.equity`."""
    hands: int
    """The number of hands that counted: all, or those that met the condition `given`."""
    is_proportion: bool = attrs.field(metadata=shown(in_columns=False, in_text=False))
    """Whether the function returned bools, so that the mean is a proportion."""


@attrs.frozen(repr=False)
class EstimateResult(Result):
    """The result of `estimate`: one mean, or several with names.

    If the user's function returned a dictionary, ``result["name"]`` is the mean for one of its
    keys. A comparison of two results ignores `elapsed`.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:estimate_report"

    means: dict[str, EstimatedMean] = attrs.field(hash=False)
    """The means by name; the name is empty if the user's function returned a single array."""
    dealt: int
    """The number of hands dealt."""
    stop: Literal["hands", "stderr", "time", "interrupted"]
    """Why the run ended: all hands were dealt, the standard errors were small enough, the time was
    over, or Ctrl-C."""
    seed: int
    """The seed, given or drawn; `holdem.deal` deals the same hands with it."""
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile functions or load compiled ones."""

    def __getitem__(self, name: str) -> EstimatedMean:
        try:
            return self.means[name]
        except (KeyError, TypeError):
            names = ", ".join(self.means) or "none, since a single question was asked"
            raise HoldemValueError(f"no question {quoted(name)}; there are: {names}") from None

    @property
    def _only(self) -> EstimatedMean:
        if _ONLY not in self.means:
            raise HoldemValueError(
                "the questions have names; choose one, such as"
                f" result[{quoted(next(iter(self.means)))}]"
            )
        return self.means[_ONLY]

    @property
    def mean(self) -> float:
        """The estimated mean, if the user's function returned a single array.

        Raises:
            HoldemValueError: the function returned a dictionary.
        """
        return self._only.mean

    @property
    def stderr(self) -> float:
        """The standard error of the mean, if the user's function returned a single array.

        Raises:
            HoldemValueError: the function returned a dictionary.
        """
        return self._only.stderr

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean, if the function returned a single array.

        Raises:
            HoldemValueError: the user's function returned a dictionary.
        """
        return self._only.ci95

    @property
    def hands(self) -> int:
        """The number of hands in the mean: all that were dealt, or those that met `given`.

        Raises:
            HoldemValueError: the function returned a dictionary.
        """
        return self._only.hands

    def __repr__(self) -> str:
        means = ", ".join(
            f"{name and name + ' '}{own.mean:.6g} ± {own.stderr:.2g}"
            for name, own in self.means.items()
        )
        return f"<EstimateResult, {counted(self.dealt, 'hand')}: {means}>"

    def to_dict(self) -> dict[str, Any]:
        """Convert the result to a JSON object of the schema ``holdem/estimate/1``."""
        means = [{"name": name, **to_json(own)} for name, own in self.means.items()]
        return {"schema": "holdem/estimate/1", **to_json(self, means=means)}


def estimate(
    ask: Ask,
    *seats: str | Range,
    players: int | None = None,
    given: Given | None = None,
    hands: int | None = None,
    stderr: float | None = None,
    time: float | None = None,
    board: CardsLike | None = None,
    dead: CardsLike | None = None,
    seed: Seed | None = None,
    evaluator: EvaluatorLike | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> EstimateResult:
    """Estimate the mean of a function of dealt hands, dealing until the error is small enough.

    The function is called with tables of up to 65,536 consecutive hands, in any thread and in any
    order. The answer does not depend on the number of workers, except in a run ended by `time`.

    Args:
        ask: a function that takes a `HandTable` and returns an array ``(hand,)`` of bools, whose
            mean is a proportion, or of numbers; or a dictionary of such arrays by name. Compare
            categories by number, as in ``table.category()[:, 0] == table.code("flush")``, and not
            with text.
        *seats: hole cards or a range for each of the first players. Further players hold any hand.
        players: the number of players, 1 to 10. By default, as many as in `seats`, or 6 if `seats`
            is empty.
        given: a condition: a function that takes a `HandTable` and returns a mask, ``bool
            (hand,)``. The mean is over the hands in the mask, and its standard error is that of a
            ratio, by the delta method.
        hands: the maximum number of hands to deal.
        stderr: end when the largest standard error of the means is at most this number. The errors
            are checked after each table. For a mean of numbers, at least 1,000 hands must count,
            or a million if fewer than 20 of them differ from the commonest number. If no hand of
            16,777,216 meets `given`, and neither `hands` nor `time` is given, the run ends with an
            error.
        time: end after this many seconds. If neither `hands`, `stderr` nor `time` is given,
            proportions are estimated to a standard error of 0.0005, and means of numbers from a
            million hands.
        board: 0, 3, 4 or 5 cards, the same in every hand.
        dead: cards out of play.
        seed: 0..2^64-1 or a SeedSequence; if None, a seed is drawn, and the result reports it.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        workers: the number of threads; None means one per core.
        progress: show a progress bar on standard error.

    Raises:
        HoldemValueError: `ask` or `given` raises an exception or returns an unsupported value, or
            no hand meets the condition.
        HoldemRuntimeError: the time was over before `ask` returned for the first table.
        HoldemError: another argument is invalid.
        Interrupted: Ctrl-C was pressed. The attribute ``finished`` of the exception is the estimate
            from the tables so far, or None if there are too few hands.

    Example:
        >>> import holdem
        >>> def flops_a_set(hands):
        ...     return hands.category("flop")[:, 0] >= hands.code("three of a kind")
        >>> result = holdem.estimate(flops_a_set, "7h7d", hands=100_000, seed=1)
        >>> round(result.mean, 4), round(result.stderr, 4)
        (0.1201, 0.001)
    """
    most = MAX_HANDS if hands is None else checked_hand_count(hands, fewest=1)
    if stderr is not None:
        stderr = checked_number(stderr, "stderr", _SMALLEST, inf, SpotError, "above 0")
    if time is not None:
        time = check_bounds(None, None, time).time
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    has_bound = not hands is stderr is time is None
    patience = _PATIENCE if hands is time is None else MAX_HANDS
    job = Estimation(ask, given, dealer, most, stderr, patience, has_bound=has_bound)
    return run(job, count_workers(workers), seconds=time, progress=progress)


@attrs.frozen
class _Sums:
    """Sums, for one of the means, over the numbers that the user's function returned."""

    hands: int
    """The number of hands that count."""
    base: float
    """A number near their mean: the number itself if all are equal, and 0 for bools."""
    above: float
    """The sum of their deviations from `base`; for bools, the number that are True."""
    spread: float
    """The sum of the squared deviations from the mean."""
    is_proportion: bool
    usual: float = 0.0
    """The median of the first hands: the number of most hands, if there is one."""
    unusual: int = 0
    """The number of hands with another number than `usual`."""

    def plus(self, other: _Sums) -> _Sums:
        if self.is_proportion != other.is_proportion:
            raise HoldemValueError(
                "ask must return bools for every table, or numbers for every table, not both"
            )
        if not (self.hands and other.hands):
            return self if self.hands else other
        hands, shift = self.hands + other.hands, other.base - self.base
        apart = shift + other.above / other.hands - self.above / self.hands
        between = apart**2 * self.hands * other.hands / hands
        above = self.above + other.above + shift * other.hands
        spread = self.spread + other.spread + between
        is_same = not _differ(other.usual, self.usual)
        unusual = self.unusual + (other.unusual if is_same else other.hands)
        return _Sums(hands, self.base, above, spread, self.is_proportion, self.usual, unusual)

    @property
    def is_enough(self) -> bool:
        """Whether there are enough hands for a mean and its error: 1 for bools, 2 for numbers."""
        return self.hands >= (1 if self.is_proportion else 2)

    @property
    def _counts(self) -> NDArray[np.int64]:
        return np.array([self.hands - round(self.above), round(self.above)])

    @property
    def stderr(self) -> float:
        """The standard error of the mean, to compare with a limit.

        It is infinite if there are too few hands to rely on it: none for a proportion, below 1,000
        for numbers, or below a million if fewer than 20 of them differ from the usual one.
        """
        if self.is_proportion:
            if not self.hands:
                return inf
            return float(standard_errors(self._counts[None], np.array([[0.0, 1.0]]))[0, 0])
        needed = _FEWEST if self.unusual >= _FEWEST_UNUSUAL else DEFAULT_HANDS
        return self._sample_error if self.hands >= needed else inf

    @property
    def _sample_error(self) -> float:
        return sqrt(self.spread / (self.hands - 1) / self.hands)

    def estimate(self) -> EstimatedMean:
        """Estimate the mean; only if `is_enough` is True."""
        if self.is_proportion:
            found = estimate_mean(self._counts, np.array([0.0, 1.0]))
            mean, stderr, ci95 = found.mean, found.stderr, found.ci95
        else:
            mean, stderr = self.base + self.above / self.hands, self._sample_error
            ci95 = (mean - Z95 * stderr, mean + Z95 * stderr)
        return EstimatedMean(mean, stderr, ci95, self.hands, self.is_proportion)


_Found: TypeAlias = dict[str, _Sums]


class Estimation(Job[tuple[int, _Found], EstimateResult]):
    """Job of `estimate` that deals hands and calls the user's functions with tables of them."""

    unit = "hands"

    def __init__(
        self,
        ask: Ask,
        given: Given | None,
        dealer: HandDealer,
        hands: int,
        stderr: float | None,
        patience: int,
        *,
        has_bound: bool,
    ) -> None:
        """Prepare an estimation from the validated arguments of `estimate`.

        It ends after `hands` hands, at the standard error `stderr` (None for no limit), or after
        `patience` hands if none met the condition. If the user gave no limit on hands, standard
        error or time, it is chosen after the first table.
        """
        self.total = hands if hands < MAX_HANDS else None
        self._ask, self._given, self._dealer = ask, given, dealer
        self._most, self._wanted, self._has_bound = hands, stderr, has_bound
        self._patience = patience
        self._found: tuple[int, _Found] = (0, {})
        self._stop: Literal["hands", "stderr"] = "hands"

    def prepare(self) -> None:
        self._dealer.warm_up()

    def tasks(self) -> Iterator[Task[tuple[int, _Found]]]:
        first = 1
        while first <= self._most:
            last = min(-(-first // TABLE_HANDS) * TABLE_HANDS, self._most)
            # A bound may be chosen when some tables are under way.
            if not self._has_bound and first <= DEFAULT_HANDS < last:
                last = DEFAULT_HANDS
            count = last - first + 1
            yield Task(partial(self._answer_table, first, count), count)
            first = last + 1

    def _answer_table(self, first: int, count: int, workers: Workers) -> tuple[int, _Found]:
        table = self._dealer.table(first, count, workers)
        condition = None
        if self._given is not None:
            condition = _checked(ask_table(self._given, table, "given"), count, "given")
            if condition.dtype != np.bool_:
                raise HoldemValueError(
                    f"given must return an array of bools, not of {condition.dtype}"
                )
        found = ask_table(self._ask, table, "ask")
        if not isinstance(found, Mapping):
            return count, {_ONLY: _sum(_checked(found, count, "ask"), condition)}
        if not found:
            raise HoldemValueError("ask returned an empty dictionary")
        named = name_answers(found, "ask")
        if _ONLY in named:
            raise HoldemValueError("ask returned an answer with an empty name")
        sums = {
            name: _sum(_checked(own, count, f"ask, {name}"), condition)
            for name, own in named.items()
        }
        return count, sums

    def add(self, part: tuple[int, _Found]) -> bool:
        """Add the number of hands and the sums by name of the next table."""
        (dealt, found), (count, more) = self._found, part
        if dealt and found.keys() != more.keys():
            raise HoldemValueError(
                f"ask must return the same names for every table, not {quoted(list(more))} after"
                f" {quoted(list(found))}"
            )
        if dealt:
            more = {name: own.plus(more[name]) for name, own in found.items()}
        self._found = dealt + count, more
        if dealt + count >= self._patience:
            self._require_hands()
        if not (dealt or self._has_bound):
            self._choose_bound(more)
        is_known = self._wanted is not None and self._error <= self._wanted
        self._stop = "stderr" if is_known else "hands"
        return is_known or self._found[0] >= self._most

    def _choose_bound(self, first: _Found) -> None:
        """Choose the limit that the user did not give, by the sums of the first table."""
        if all(own.is_proportion for own in first.values()):
            self._wanted = DEFAULT_STDERR
        else:
            self._most = self.total = DEFAULT_HANDS

    @property
    def _error(self) -> float:
        return max((own.stderr for own in self._found[1].values()), default=nan)

    def status(self) -> str:
        """Format the largest standard error, for the progress bar; "" before the first table."""
        return "" if isnan(self._error) else f"±{self._error:.2g}"

    def answer(self, end: End) -> EstimateResult:
        if not self._found[0]:
            raise HoldemRuntimeError(
                f"the time was over before ask had answered its first table, of"
                f" {min(self._most, TABLE_HANDS):,} hands: give it more time, or fewer hands"
            )
        return self._make_result("time" if end == "time" else self._stop)

    def partial_answer(self) -> EstimateResult | None:
        is_enough = self._found[0] and all(own.is_enough for own in self._found[1].values())
        return self._make_result("interrupted") if is_enough else None

    def _make_result(
        self, stop: Literal["hands", "stderr", "time", "interrupted"]
    ) -> EstimateResult:
        dealt, found = self._found
        self._require_hands()
        if not all(own.is_enough for own in found.values()):
            raise HoldemValueError(
                f"only one of {counted(dealt, 'hand')} counts, and the error of a mean of numbers"
                " needs two"
            )
        return EstimateResult(
            means={name: own.estimate() for name, own in found.items()},
            dealt=dealt,
            stop=stop,
            seed=self._dealer.seed,
            evaluator=self._dealer.evaluator.label,
            elapsed=self.stopwatch.elapsed,
        )

    def _require_hands(self) -> None:
        dealt, found = self._found
        if not all(own.hands for own in found.values()):
            raise HoldemValueError(
                f"given is true for none of {counted(dealt, 'hand')}, so that there is no mean;"
                " a condition that compares categories with text instead of table.code(...) is"
                " never true"
            )


def _checked(found: Any, hands: int, name: str) -> NDArray[Any]:
    """Check that a user's function returned an array with a bool or a number for each hand.

    `name` is the function in messages: ``"ask"``, ``"ask, NAME"`` for an item, or ``"given"``. The
    array, ``(hand,)``, is returned.
    """
    expected = (
        f"{name} must return an array with a bool or a number for each of the {hands:,} hands"
    )
    if type(found) is not np.ndarray:  # a masked array is a subclass
        raise HoldemValueError(f"{expected}, not a value of the type {type(found).__name__}")
    if found.dtype.kind not in "biuf" or found.shape != (hands,):
        raise HoldemValueError(f"{expected}, not an array of {found.dtype} and shape {found.shape}")
    # As float64, because the limit would become infinity in a smaller type.
    is_number = np.abs(found.astype(np.float64)) <= _LARGEST
    if not is_number.all():
        row = int(np.argmin(is_number))
        raise HoldemValueError(
            f"{expected}, of at most {_LARGEST:g} in size, and not {found[row]} as for row {row}"
            " of a table"
        )
    return found


def _sum(found: NDArray[Any], condition: NDArray[np.bool_] | None) -> _Sums:
    if condition is not None:
        found = found[condition]
    if found.dtype == np.bool_:
        return _Sums(len(found), 0.0, float(np.count_nonzero(found)), 0.0, is_proportion=True)
    if not len(found):
        return _Sums(0, 0.0, 0.0, 0.0, is_proportion=False)
    numbers = found.astype(np.float64)
    usual = float(np.partition(numbers, len(numbers) // 2)[len(numbers) // 2])
    unusual = int(np.count_nonzero(_differ(numbers, usual)))
    # From the first number, so that equal numbers deviate by 0, and not by what rounding leaves.
    base = float(numbers[0]) + float((numbers - numbers[0]).mean())
    numbers -= base
    above = float(numbers.sum())
    spread = float(numbers @ numbers)
    return _Sums(len(found), base, above, spread, False, usual, unusual)


def _differ(numbers: Any, usual: float) -> Any:
    """Whether each number differs from another one by more than rounding."""
    return np.abs(numbers - usual) > _ROUNDING * abs(usual)

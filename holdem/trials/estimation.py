"""`estimate`, which estimates the mean over dealt hands of what a user's function returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import floor, inf, log10, sqrt
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
from holdem.odds.bounds import (
    DEFAULT_STDERR,
    HOPELESS,
    PATIENCE,
    check_bounds,
    check_relative,
)
from holdem.odds.sampling.intervals import (
    Z95,
    estimate_difference,
    estimate_mean,
    standard_errors,
)
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

#: Proportions below it are shown with two digits.
RARE = 1e-3

_SMALLEST = 1e-12  # standard error
_LARGEST = 1e100  # number: its square can be added up

# The error of a mean of numbers is known well enough to end a run from so many hands, of which so
# many have another number than the usual one: the first of a few jackpots says little of the rest.
_FEWEST = 1000
_FEWEST_UNUSUAL = 20

# Numbers are equal if they differ by no more than rounding leaves, relative to the usual one.
_ROUNDING = 1e-12

Ask: TypeAlias = Callable[[HandTable], NDArray[Any] | Mapping[str, NDArray[Any]]]
"""A function that takes a table of hands and returns a number or a bool for each, or a dictionary
of several such arrays by name."""
Given: TypeAlias = Callable[[HandTable], NDArray[np.bool_]]
"""A function that takes a table of hands and returns whether each of them counts."""

_Stop: TypeAlias = Literal["hands", "stderr", "relative", "time", "interrupted"]

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

    def __str__(self) -> str:
        if not 0 < self.stderr < inf:
            return f"{self.mean:.6g} ± {self.stderr:.2g}"
        places = max(0, 1 - floor(log10(self.stderr)))
        once = f" ({self.one_in})" if self.one_in else ""
        return f"{self.mean:,.{places}f} ± {self.stderr:,.{places}f}{once}"

    @property
    def one_in(self) -> str:
        """A proportion below 0.001 as ``"1 in 31,000"``; empty for any other mean."""
        if not (self.is_proportion and 0 < self.mean < RARE):
            return ""
        once = 1 / self.mean
        return f"1 in {round(once, 1 - floor(log10(once))):,.0f}"


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
    stop: Literal["hands", "stderr", "relative", "time", "interrupted"]
    """Why the run ended: all hands were dealt, the standard or the relative errors were small
    enough, the time was over, or Ctrl-C."""
    seed: int
    """The seed, given or drawn; `holdem.deal` deals the same hands with it."""
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile functions or load compiled ones."""
    # Sums over hands of the products of each two answers' deviations from their means, float64
    # (answer, answer).
    _products: NDArray[np.float64] = attrs.field(eq=False)

    def __getitem__(self, name: str) -> EstimatedMean:
        try:
            return self.means[name]
        except (KeyError, TypeError):
            names = ", ".join(self.means) or "none, since a single question was asked"
            raise HoldemValueError(f"no question {quoted(name)}; there are: {names}") from None

    def difference(self, first: str, second: str) -> EstimatedMean:
        """Estimate by how much the mean of one answer is above that of another one.

        Both answers are about the same hands, so that luck that helps both cancels out: the error
        is that of the differences hand by hand, and usually smaller than those of the two means.

        Args:
            first: the name of an answer.
            second: the name of the answer that is subtracted.

        Returns:
            The difference of the means, with its standard error and 95 % interval.

        Raises:
            HoldemValueError: there is no such answer.

        Example:
            >>> import holdem
            >>> def wins(hands):
            ...     return {"first": hands.winners[:, 0], "second": hands.winners[:, 1]}
            >>> result = holdem.estimate(wins, "AcKd", "AhQs", hands=100_000, seed=1)
            >>> found = result.difference("first", "second")
            >>> round(found.mean, 4), round(found.stderr, 4)
            (0.4816, 0.0027)
        """
        left, right = self[first], self[second]
        if left is right:
            return EstimatedMean(0.0, 0.0, (0.0, 0.0), left.hands, is_proportion=False)
        one, other = (list(self.means).index(str(name)) for name in (first, second))
        hands, products = left.hands, self._products
        if left.is_proportion and right.is_proportion:
            both = round(products[one, other] + hands * left.mean * right.mean)
            only = [round(hands * own.mean) - both for own in (right, left)]
            counts = np.array([only[0], hands - sum(only), only[1]])
            found = estimate_difference(counts, np.array([-1.0, 0.0, 1.0]))
            return EstimatedMean(*found, hands, is_proportion=False)
        spread = products[one, one] + products[other, other] - 2 * products[one, other]
        stderr = sqrt(max(spread, 0.0) / (hands - 1) / hands)
        mean = left.mean - right.mean
        ci95 = (mean - Z95 * stderr, mean + Z95 * stderr)
        return EstimatedMean(mean, stderr, ci95, hands, is_proportion=False)

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
        means = ", ".join(f"{name and name + ' '}{own}" for name, own in self.means.items())
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
    relative: float | None = None,
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
        time: end after this many seconds.
        relative: end when each standard error is at most this part of its mean: 0.05 is about 400
            hands of a rare kind. If it is the only limit, and a mean is still 0, or may be (its
            relative error is above 0.5), the run ends after 16,777,216 hands. The first limit that
            is met ends the run. If none of the four is given, proportions are estimated to a
            standard error of 0.0005, and means of numbers from a million hands.
        board: up to five cards, the same in every hand.
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
    if relative is not None:
        relative = check_relative(relative)
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    job = Estimation(ask, given, dealer, most, stderr, relative)
    job.has_bound = not hands is stderr is time is relative is None
    if hands is time is None:
        job.patience = PATIENCE
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
    def mean(self) -> float:
        """The mean of the numbers; 0 if there are none."""
        return self.base + self.above / self.hands if self.hands else 0.0

    @property
    def relative_error(self) -> float:
        """The standard error as a part of the mean; infinite for 0."""
        return self.stderr / abs(self.mean) if self.mean else inf

    @property
    def _sample_error(self) -> float:
        return sqrt(self.spread / (self.hands - 1) / self.hands)

    def estimate(self) -> EstimatedMean:
        """Estimate the mean; only if `is_enough` is True."""
        if self.is_proportion:
            found = estimate_mean(self._counts, np.array([0.0, 1.0]))
            mean, stderr, ci95 = found.mean, found.stderr, found.ci95
        else:
            mean, stderr = self.mean, self._sample_error
            ci95 = (mean - Z95 * stderr, mean + Z95 * stderr)
        return EstimatedMean(mean, stderr, ci95, self.hands, self.is_proportion)


@attrs.frozen(eq=False)
class _Part:
    """Sums over some of the hands."""

    dealt: int
    sums: dict[str, _Sums]
    products: NDArray[np.float64]
    """As in `EstimateResult`."""

    def plus(self, other: _Part) -> _Part:
        if self.sums.keys() != other.sums.keys():
            raise HoldemValueError(
                f"ask must return the same names for every table, not {quoted(list(other.sums))}"
                f" after {quoted(list(self.sums))}"
            )
        sums = {name: own.plus(other.sums[name]) for name, own in self.sums.items()}
        products = self.products + other.products
        hands, more = (next(iter(part.sums.values())).hands for part in (self, other))
        if hands and more:
            apart = np.array([other.sums[name].mean - own.mean for name, own in self.sums.items()])
            products += np.outer(apart, apart) * (hands * more / (hands + more))
        return _Part(self.dealt + other.dealt, sums, products)


class Estimation(Job[_Part, EstimateResult]):
    """Job of `estimate` that deals hands and calls the user's functions with tables of them."""

    unit = "hands"

    has_bound = True
    """Whether the user gave a limit; if not, it is chosen after the first table."""
    patience = MAX_HANDS
    """The hands after which a run that might not end is given up."""

    def __init__(
        self,
        ask: Ask,
        given: Given | None,
        dealer: HandDealer,
        hands: int,
        stderr: float | None,
        relative: float | None,
    ) -> None:
        """Prepare an estimation from the validated arguments of `estimate`, but for the time."""
        self.total = hands if hands < MAX_HANDS else None
        self._ask, self._given, self._dealer = ask, given, dealer
        self._most, self._wanted, self._relative = hands, stderr, relative
        self._found: _Part | None = None
        self._stop: _Stop | None = None

    def prepare(self) -> None:
        self._dealer.warm_up()

    def tasks(self) -> Iterator[Task[_Part]]:
        first = 1
        while first <= self._most:
            last = min(-(-first // TABLE_HANDS) * TABLE_HANDS, self._most)
            # A bound may be chosen when some tables are under way.
            if not self.has_bound and first <= DEFAULT_HANDS < last:
                last = DEFAULT_HANDS
            count = last - first + 1
            yield Task(partial(self._answer_table, first, count), count)
            first = last + 1

    def _answer_table(self, first: int, count: int, workers: Workers) -> _Part:
        table = self._dealer.table(first, count, workers)
        condition = None
        if self._given is not None:
            condition = _checked(ask_table(self._given, table, "given"), count, "given")
            if condition.dtype != np.bool_:
                raise HoldemValueError(
                    f"given must return an array of bools, not of {condition.dtype}; weights of a"
                    " range are bools as weight(…) > 0"
                )
        found = ask_table(self._ask, table, "ask")
        if isinstance(found, Mapping):
            if not found:
                raise HoldemValueError("ask returned an empty dictionary")
            answers = name_answers(found, "ask")
            if _ONLY in answers:
                raise HoldemValueError("ask returned an answer with an empty name")
            answers = {name: _checked(own, count, f"ask, {name}") for name, own in answers.items()}
        else:
            answers = {_ONLY: _checked(found, count, "ask")}
        if condition is not None:
            answers = {name: own[condition] for name, own in answers.items()}
        sums = {name: _sum(own) for name, own in answers.items()}
        return _Part(count, sums, _multiply(answers, sums))

    def add(self, part: _Part) -> bool:
        if self._found is None and not self.has_bound:
            self._choose_bound(part)
        self._found = found = part if self._found is None else self._found.plus(part)
        self._stop = self._find_stop(found)
        return self._stop is not None

    def _find_stop(self, found: _Part) -> _Stop | None:
        """Return the limit that the hands so far have reached; None if none."""
        if self._wanted is not None and _largest_error(found) <= self._wanted:
            return "stderr"
        relative = max(own.relative_error for own in found.sums.values())
        if self._relative is not None and relative <= self._relative:
            return "relative"
        if found.dealt >= self.patience:
            _require_hands(found)
            if self._wanted is None and relative > HOPELESS:
                return "hands"
        return "hands" if found.dealt >= self._most else None

    def _choose_bound(self, first: _Part) -> None:
        """Choose the limit that the user did not give, by the sums of the first table."""
        if all(own.is_proportion for own in first.sums.values()):
            self._wanted = DEFAULT_STDERR
        else:
            self._most = self.total = DEFAULT_HANDS

    def status(self) -> str:
        """Format the largest standard error, for the progress bar; "" before the first table."""
        return "" if self._found is None else f"±{_largest_error(self._found):.2g}"

    def answer(self, end: End) -> EstimateResult:
        if self._found is None:
            raise HoldemRuntimeError(
                f"the time was over before ask had answered its first table, of"
                f" {min(self._most, TABLE_HANDS):,} hands: give it more time, or fewer hands"
            )
        _require_hands(self._found)
        return self._make_result(self._found, "time" if end == "time" else self._stop or "hands")

    def partial_answer(self) -> EstimateResult | None:
        found = self._found
        is_enough = found is not None and all(own.is_enough for own in found.sums.values())
        return self._make_result(found, "interrupted") if found and is_enough else None

    def _make_result(self, found: _Part, stop: _Stop) -> EstimateResult:
        if not all(own.is_enough for own in found.sums.values()):
            raise HoldemValueError(
                f"only one of {counted(found.dealt, 'hand')} counts, and the error of a mean of"
                " numbers needs two"
            )
        return EstimateResult(
            means={name: own.estimate() for name, own in found.sums.items()},
            dealt=found.dealt,
            stop=stop,
            seed=self._dealer.seed,
            evaluator=self._dealer.evaluator.label,
            elapsed=self.stopwatch.elapsed,
            products=found.products,
        )


def _multiply(
    answers: Mapping[str, NDArray[Any]], sums: Mapping[str, _Sums]
) -> NDArray[np.float64]:
    """Compute the products of a table, as in `EstimateResult`; zeros for a single answer."""
    means = np.array([own.mean for own in sums.values()])
    if len(sums) < 2:
        return np.zeros((1, 1))
    if all(own.is_proportion for own in sums.values()):  # counts are quicker
        found = list(answers.values())
        both = np.array([[np.count_nonzero(one & other) for one in found] for other in found])
        products: NDArray[np.float64] = both - len(found[0]) * np.outer(means, means)
        return products
    apart: NDArray[np.float64] = np.array([*answers.values()], dtype=np.float64) - means[:, None]
    return apart @ apart.T


def _largest_error(found: _Part) -> float:
    return max(own.stderr for own in found.sums.values())


def _require_hands(found: _Part) -> None:
    if not all(own.hands for own in found.sums.values()):
        raise HoldemValueError(
            f"given is true for none of {counted(found.dealt, 'hand')}, so that there is no mean;"
            " a condition that compares categories with text instead of table.code(...) is never"
            " true"
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
        hint = (
            "; choose a player, as in [:, 0], or .any(axis=1)"
            if found.ndim == 2 and len(found) == hands
            else ""
        )
        raise HoldemValueError(
            f"{expected}, not an array of {found.dtype} and shape {found.shape}{hint}"
        )
    # As float64, because the limit would become infinity in a smaller type.
    is_number = np.abs(found.astype(np.float64)) <= _LARGEST
    if not is_number.all():
        row = int(np.argmin(is_number))
        raise HoldemValueError(
            f"{expected}, of at most {_LARGEST:g} in size, and not {found[row]} as for row {row}"
            " of a table"
        )
    return found


def _sum(found: NDArray[Any]) -> _Sums:
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

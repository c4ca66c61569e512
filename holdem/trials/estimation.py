"""`estimate`, the mean of anything that a function finds in dealt hands, with its error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import inf, isnan, nan, sqrt
from typing import Any, ClassVar, Literal, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import checked_number
from holdem.base_result import Result
from holdem.cards import CardsLike
from holdem.errors import HoldemRuntimeError, HoldemValueError, SpotError, counted, quoted
from holdem.evaluation.registry import EvaluatorLike
from holdem.fields import EvaluatorLabel, shown, to_json
from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers, count_workers
from holdem.odds.bounds import DEFAULT_STDERR, check_bounds
from holdem.odds.sampling.estimates import Z95, estimate_mean, standard_errors
from holdem.odds.sampling.sampler import BLOCK
from holdem.ranges.range import Range
from holdem.trials.hand_table import HandTable, ask_table
from holdem.trials.simulation import MAX_HANDS, HandDealer, check_hands

#: Hands of a table that a question is asked of.
TABLE_HANDS = 4 * BLOCK

#: The number of hands if no bound is given and a mean is not a proportion.
DEFAULT_HANDS = 1_000_000

_SMALLEST = 1e-12  # standard error
_LARGEST = 1e100  # number: its square can be added up

# Hands from which the error of a number can be told: of fewer, the spread is too uncertain.
_FEWEST = 1000

Ask: TypeAlias = Callable[[HandTable], NDArray[Any] | Mapping[str, NDArray[Any]]]
"""A question about hands: a number or a truth value for each, or several by name."""
Given: TypeAlias = Callable[[HandTable], NDArray[np.bool_]]
"""A condition: whether each hand counts."""

_ONLY = ""  # the name of a question without a name


@attrs.frozen
class EstimatedMean:
    """The estimated mean of the answers to one question, with its error."""

    mean: float = attrs.field(metadata=shown(in_text=False))
    stderr: float = attrs.field(metadata=shown(in_text=False))
    """The standard error of the mean."""
    ci95: tuple[float, float] = attrs.field(metadata=shown(in_text=False))
    """A 95 % confidence interval. That of a proportion is the interval of `holdem.equity`."""
    hands: int
    """The number of hands that counted: all, or those that met the condition."""
    is_proportion: bool = attrs.field(metadata=shown(in_columns=False, in_text=False))
    """Whether the question was answered by truth values."""


@attrs.frozen(repr=False)
class EstimateResult(Result):
    """The result of `estimate`. Equality ignores `elapsed`.

    If several questions were asked, ``result["name"]`` is the answer to one of them.
    """

    _report: ClassVar[str] = "holdem.report.hand_reports:estimate_report"

    means: dict[str, EstimatedMean] = attrs.field(hash=False)
    """The answers by name; the name of a single question is empty."""
    dealt: int
    """The number of hands dealt."""
    stop: Literal["hands", "stderr", "time", "interrupted"]
    """Why the run ended."""
    seed: int
    """The seed, given or drawn; `holdem.deal` deals the same hands with it."""
    evaluator: EvaluatorLabel
    elapsed: float = attrs.field(eq=False)
    """The duration in seconds, without the time to compile and load kernels."""

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
                f"{len(self.means)} questions were asked; choose one, such as"
                f" result[{next(iter(self.means))!r}]"
            )
        return self.means[_ONLY]

    @property
    def mean(self) -> float:
        """The mean that answers a question without a name.

        Raises:
            HoldemValueError: the questions have names.
        """
        return self._only.mean

    @property
    def stderr(self) -> float:
        """The standard error of the mean that answers a question without a name.

        Raises:
            HoldemValueError: the questions have names.
        """
        return self._only.stderr

    @property
    def ci95(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean that answers a question without a name.

        Raises:
            HoldemValueError: the questions have names.
        """
        return self._only.ci95

    @property
    def hands(self) -> int:
        """The number of hands that counted for a question without a name.

        Raises:
            HoldemValueError: the questions have names.
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
    seed: int | None = None,
    evaluator: EvaluatorLike | None = None,
    workers: int | None = None,
    progress: bool = False,
) -> EstimateResult:
    """Estimate the mean of a function of dealt hands, dealing until the error is small enough.

    The function is called with tables of up to 65,536 consecutive hands, in any thread and in any
    order. The answer does not depend on the number of workers, except in a run ended by `time`.

    Args:
        ask: takes a `HandTable` and returns an array ``(hand,)`` of bools, whose mean is a
            proportion, or of numbers; or a dictionary of such arrays by name. Compare categories
            as ``table.category()[:, 0] == table.code("flush")``, not with the text.
        *seats: what players hold, each a hand or a range.
        players: the number of players, 1 to 10. Those not given in `seats` hold any hand. By
            default as many as in `seats`, or 6 if none is given.
        given: takes a `HandTable` and returns a mask, ``bool (hand,)``. The mean is over the
            hands in it; its error is that of a ratio, by the delta method.
        hands: the most hands to deal.
        stderr: end when the largest standard error of the means is at most this. The errors are
            checked after each table. For a mean of numbers, at least 1,000 hands must count, or
            a million if the number is the same in all of them.
        time: end after so many seconds. Without any bound, proportions are estimated to a
            standard error of 0.0005, and numbers from a million hands.
        board: 0, 3, 4 or 5 cards, the same in every hand.
        dead: cards out of play.
        seed: 0..2^53-1; drawn if None, and reported.
        evaluator: ranks the hands: a name, a spec, or None for the default.
        workers: the number of threads; all cores if None.
        progress: show a progress bar on standard error.

    Raises:
        HoldemValueError: `ask` or `given` raises an exception or returns something else, or no
            hand meets the condition.
        HoldemRuntimeError: the time was over before the first table was answered.
        HoldemError: another argument is invalid.
        Interrupted: Ctrl-C; ``finished`` is the estimate from the tables answered until then, or
            None if there are too few hands.

    Example:
        >>> import holdem
        >>> def flops_a_set(hands):
        ...     return hands.category("flop")[:, 0] >= hands.code("three of a kind")
        >>> result = holdem.estimate(flops_a_set, "7h7d", hands=100_000, seed=1)
        >>> round(result.mean, 4), round(result.stderr, 4)
        (0.1201, 0.001)
    """
    most = MAX_HANDS if hands is None else check_hands(hands, fewest=1)
    if stderr is not None:
        stderr = checked_number(stderr, "stderr", _SMALLEST, inf, SpotError, "above 0")
    if time is not None:
        time = check_bounds(None, None, time).time
    dealer = HandDealer(seats, players, board, dead, seed, evaluator)
    has_bound = not hands is stderr is time is None
    job = Estimation(ask, given, dealer, most, stderr, has_bound=has_bound)
    return run(job, count_workers(workers), seconds=time, progress=progress)


@attrs.frozen
class _Sums:
    """Sums over the answers to a question: the number of hands, the total and the spread."""

    hands: int
    total: float
    spread: float
    """The sum of the squared deviations from the mean."""
    is_proportion: bool

    def plus(self, other: _Sums) -> _Sums:
        if self.is_proportion != other.is_proportion:
            raise HoldemValueError(
                "ask must return bools for every table, or numbers for every table, not both"
            )
        if not (self.hands and other.hands):
            return self if self.hands else other
        hands = self.hands + other.hands
        apart = self.total / self.hands - other.total / other.hands
        between = apart**2 * self.hands * other.hands / hands
        spread = self.spread + other.spread + between
        return _Sums(hands, self.total + other.total, spread, self.is_proportion)

    @property
    def is_enough(self) -> bool:
        """Whether there are enough hands for a mean with an error; numbers need at least two."""
        return self.hands >= (1 if self.is_proportion else 2)

    @property
    def _counts(self) -> NDArray[np.int64]:
        return np.array([self.hands - round(self.total), round(self.total)])

    @property
    def stderr(self) -> float:
        """The standard error that decides whether a run ends; infinite while it is unknown."""
        if self.is_proportion:
            if not self.hands:
                return inf
            return float(standard_errors(self._counts[None], np.array([[0.0, 1.0]]))[0, 0])
        fewest = _FEWEST if self.spread else DEFAULT_HANDS
        return self._sample_error if self.hands >= fewest else inf

    @property
    def _sample_error(self) -> float:
        return sqrt(self.spread / (self.hands - 1) / self.hands)

    def estimate(self) -> EstimatedMean:
        """Estimate the mean; there must be enough hands for it (`is_enough`)."""
        if self.is_proportion:
            found = estimate_mean(self._counts, np.array([0.0, 1.0]))
            mean, stderr, ci95 = found.mean, found.stderr, found.ci95
        else:
            mean, stderr = self.total / self.hands, self._sample_error
            ci95 = (mean - Z95 * stderr, mean + Z95 * stderr)
        return EstimatedMean(mean, stderr, ci95, self.hands, self.is_proportion)


_Found: TypeAlias = dict[str, _Sums]


class Estimation(Job[tuple[int, _Found], EstimateResult]):
    """Job that deals hands for `estimate` and calls its functions with them."""

    unit = "hands"

    def __init__(
        self,
        ask: Ask,
        given: Given | None,
        dealer: HandDealer,
        hands: int,
        stderr: float | None,
        *,
        has_bound: bool,
    ) -> None:
        """Prepare an estimation from the validated arguments of `estimate`."""
        self.total = hands if hands < MAX_HANDS else None
        self._ask, self._given, self._dealer = ask, given, dealer
        self._most, self._wanted, self._has_bound = hands, stderr, has_bound
        self._dealt: int = 0
        self._found: tuple[int, _Found] = (0, {})
        self._stop: Literal["hands", "stderr"] = "hands"

    def prepare(self) -> None:
        """Load the evaluator, and the kernels that deal and rank."""
        self._dealer.warm_up()

    def tasks(self) -> Iterator[Task[tuple[int, _Found]]]:
        """Yield tasks that each deal a table of hands and call the functions with it."""
        for first in range(1, self._most + 1, TABLE_HANDS):
            count = min(TABLE_HANDS, self._most - first + 1)
            yield Task(partial(self._answer_table, first, count), count)

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
        named = ((str(name), _checked(own, count, f"ask, {name}")) for name, own in found.items())
        return count, {name: _sum(own, condition) for name, own in named}

    def add(self, part: tuple[int, _Found]) -> bool:
        """Add the answers for the next table; return whether the run can end."""
        (dealt, found), (count, more) = self._found, part
        if dealt and found.keys() != more.keys():
            raise HoldemValueError(
                f"ask must return the same names for every table, not {quoted(list(more))} after"
                f" {quoted(list(found))}"
            )
        if dealt:
            more = {name: own.plus(more[name]) for name, own in found.items()}
        self._found = dealt + count, more
        if not (dealt or self._has_bound):
            self._choose_bound(more)
        is_known = self._wanted is not None and self._error <= self._wanted
        self._stop = "stderr" if is_known else "hands"
        return is_known or self._found[0] >= self._most

    def _choose_bound(self, first: _Found) -> None:
        """Choose the bound of a run without one, by the answers for its first table."""
        if all(own.is_proportion for own in first.values()):
            self._wanted = DEFAULT_STDERR
        else:
            self._most = self.total = DEFAULT_HANDS

    @property
    def _error(self) -> float:
        return max((own.stderr for own in self._found[1].values()), default=nan)

    def status(self) -> str:
        """Return the largest standard error so far as text; an empty string while there is none."""
        return "" if isnan(self._error) else f"±{self._error:.2g}"

    def answer(self, end: End) -> EstimateResult:
        """Estimate the means from all tables."""
        if not self._found[0]:
            raise HoldemRuntimeError(
                f"the time was over before ask had answered its first table, of"
                f" {min(self._most, TABLE_HANDS):,} hands: give it more time, or fewer hands"
            )
        return self._make_result("time" if end == "time" else self._stop)

    def partial_answer(self) -> EstimateResult | None:
        """Estimate the means from the tables answered so far; None if there are too few hands."""
        is_enough = self._found[0] and all(own.is_enough for own in self._found[1].values())
        return self._make_result("interrupted") if is_enough else None

    def _make_result(
        self, stop: Literal["hands", "stderr", "time", "interrupted"]
    ) -> EstimateResult:
        dealt, found = self._found
        if not all(own.hands for own in found.values()):
            raise HoldemValueError(
                f"given is true for none of {counted(dealt, 'hand')}, so that there is no mean"
            )
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


def _checked(found: Any, hands: int, name: str) -> NDArray[Any]:
    """Check that a function has returned an array with a finite number for each hand.

    Raises:
        HoldemValueError: it has not.
    """
    expected = (
        f"{name} must return an array with a bool or a number for each of the {hands:,} hands"
    )
    if not isinstance(found, np.ndarray):
        raise HoldemValueError(f"{expected}, not a value of the type {type(found).__name__}")
    if found.dtype.kind not in "biuf" or found.shape != (hands,):
        raise HoldemValueError(f"{expected}, not an array of {found.dtype} and shape {found.shape}")
    is_number = np.abs(found) <= _LARGEST if found.dtype.kind == "f" else np.True_
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
        return _Sums(len(found), float(np.count_nonzero(found)), 0.0, is_proportion=True)
    numbers = found.astype(np.float64)
    total = float(numbers.sum())
    deviations = numbers - total / max(len(numbers), 1)
    return _Sums(len(found), total, float(deviations @ deviations), is_proportion=False)

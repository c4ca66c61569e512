"""Base classes of exact methods and of other jobs that enumerate boards or match-ups."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from numpy.typing import NDArray

from holdem.jobs.run import End, Job, Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.totals import ComboTotals, PlayerSums
from holdem.odds.spot import Spot

if TYPE_CHECKING:  # it reads the tables, which an answer from the table before the flop needs not
    from holdem.evaluation.builtin.lookup_tables import StrengthTable

#: The cost of ranking a hand through arrays, relative to ranking it in a kernel.
THROUGH_ARRAYS = 16

_Answer = TypeVar("_Answer")


class ExhaustiveJob(Job[Any, _Answer]):
    """Base class of jobs that enumerate every board, or every match-up, of a spot in batches.

    Task sizes are percentages of the work.
    """

    unit = "%"
    total = 100.0

    _sums: NDArray[Any]
    """The sum of the arrays that the tasks returned; created by `prepare`."""

    def batches(
        self, call: Callable[[slice, Workers], Any], count: int, together: int
    ) -> Iterator[Task[Any]]:
        """Yield one task per batch, which calls a function with the batch's slice.

        Args:
            call: the function.
            count: the number of boards or match-ups.
            together: the number in a batch; values below 1 act as 1.
        """
        together = max(1, together)
        for start in range(0, count, together):
            rows = slice(start, min(start + together, count))
            yield Task(partial(call, rows), self.total * (rows.stop - start) / count)

    def add(self, part: Any) -> bool:
        """Add the array that a task returned; return False, because every task is needed."""
        self._sums += part
        return False


class ExactMethod(ExhaustiveJob[tuple[Any, ...]]):
    """A method that computes exact wins, ties and losses over all deals of a spot.

    They are those of each combo or, if the method was created with `by_category`, of each
    category of a player's hand. The plan compares the costs of all methods without creating
    any. Kernels are imported when they are needed, so that a run loads only those of its own
    method.

    Attributes:
        spot: the spot.
        by_category: whether the method computes `category_sums` instead of `totals`.
    """

    name: ClassVar[str]
    """The name that ``--explain-plan`` prints."""

    def __init__(self, spot: Spot, *, by_category: bool = False) -> None:
        self.spot = spot
        self.by_category = by_category

    @classmethod
    @abstractmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost in evaluations; None if the method does not apply.

        Evaluations are hands ranked in a kernel by tables, or in batches by an evaluator. The
        estimate never depends on timing.

        Args:
            spot: the spot.
            by_category: whether `category_sums` are wanted.
        """

    @abstractmethod
    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the wins, ties, losses and pot shares of each player's combos, once the results
        of all tasks have been added.
        """

    def player_sums(self) -> tuple[PlayerSums, ...] | None:
        """Compute each player's sums directly; None if they must be summed from `totals`."""
        return None

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Compute each player's sums by the category of the hand, the weakest category first.

        The result has a tuple for each player. Methods that cannot sum by category have no cost
        for it.
        """
        raise NotImplementedError

    def answer(self, end: End) -> tuple[Any, ...]:  # noqa: ARG002
        """Compute `category_sums` or `totals`, whichever the method was created for."""
        return self.category_sums() if self.by_category else self.totals()


def estimate_ranking(spot: Spot) -> int:
    """Estimate the cost of ranking every live combo on one board in a batch."""
    evaluator = spot.evaluator
    return len(spot.combos) * (THROUGH_ARRAYS if evaluator.has_tables else evaluator.evaluations(7))


def require_table(spot: Spot) -> StrengthTable:
    """Return the table of hands of seven cards, loading an evaluator that has tables."""
    tables = spot.evaluator.ranker.tables
    assert tables is not None, "checked by `cost`"
    return tables.seven

"""The interface of the exact methods: applicability, cost and execution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from holdem.jobs.run import Task
from holdem.odds.exact.totals import ComboTotals
from holdem.odds.spot import Spot

#: The cost of ranking a hand through arrays, relative to ranking it in a fused loop.
THROUGH_ARRAYS = 16


class ExactMethod(ABC):
    """A method that computes each combo's exact wins, ties and losses over all deals of a spot.

    The plan compares the costs of all methods without creating any. The chosen one is run by
    `holdem.odds.exact.run`: `prepare`, then `tasks`, whose results go to `add` in order, then
    `totals`. Kernels are imported when they are needed, so that a run loads only those of its
    own method.
    """

    name: ClassVar[str]
    """The name that ``--explain-plan`` prints."""

    def __init__(self, spot: Spot) -> None:
        self.spot = spot

    @classmethod
    @abstractmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:
        """Return the estimated cost in evaluations; None if the method does not apply.

        Evaluations are hands ranked in a fused loop by the default evaluator, or in batches
        by any other. The estimate never depends on timing.

        Args:
            spot: the spot.
            matchups: its number of match-ups; None if there are too many to count.
        """

    @abstractmethod
    def prepare(self) -> None:
        """Load and prepare the data that the tasks share; called once, before `tasks`."""

    @abstractmethod
    def tasks(self) -> Iterator[Task[Any]]:
        """Yield the tasks; their sizes are shares of the total work and sum to 1."""

    @abstractmethod
    def add(self, part: Any) -> None:
        """Add the result of a task."""

    @abstractmethod
    def totals(self) -> tuple[ComboTotals, ...]:
        """Return the wins, ties, losses and pot shares of each player's combos, once all results
        have been added.
        """


def cost_of_ranking(spot: Spot) -> int:
    """Return the cost of ranking every live combo on one board in a batch."""
    evaluator = spot.evaluator
    return len(spot.combos) * (THROUGH_ARRAYS if evaluator.is_fused else evaluator.evaluations(7))

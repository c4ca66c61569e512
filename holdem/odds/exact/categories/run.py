"""Exact runs by category: the job that finds each player's outcomes by the category of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

import numpy as np

from holdem.jobs.run import End, Job, Task, run
from holdem.jobs.workers import Workers
from holdem.odds.breakdown.category_table import CategoryTable
from holdem.odds.exact.totals import PlayerSums
from holdem.odds.spot import Spot
from holdem.odds.symmetry.matchups import count_matchups


class CategoryMethod(Protocol):
    """An exact method that keeps its sums by category."""

    spot: Spot

    def prepare(self) -> None:
        """Load and prepare the data that the tasks share."""

    def tasks(self) -> Iterator[Task[Any]]:
        """Yield the tasks; their sizes are shares of the total work and sum to 1."""

    def add(self, part: Any) -> None:
        """Add the result of a task."""

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Return each player's sums by category, the weakest first, a tuple for each player."""


class _CategoryRun(Job[Any, tuple[CategoryTable, ...]]):
    unit = "%"
    total = 100.0

    def __init__(self, method: CategoryMethod) -> None:
        self._method = method

    def prepare(self) -> None:
        self._method.prepare()

    def tasks(self) -> Iterator[Task[Any]]:
        for task in self._method.tasks():
            yield Task(task.call, self.total * task.size)

    def add(self, part: Any) -> bool:
        self._method.add(part)
        return False

    def answer(self, end: End) -> tuple[CategoryTable, ...]:  # noqa: ARG002
        names = np.array(self._method.spot.evaluator.rules.categories)
        return tuple(_table(names.copy(), sums) for sums in self._method.category_sums())


def _table(
    names: np.ndarray[Any, np.dtype[np.str_]], sums: tuple[PlayerSums, ...]
) -> CategoryTable:
    wins, ties, losses, shares = np.array(sums, dtype=np.float64).T
    deals = wins + ties + losses
    exact = np.zeros(len(deals))
    with np.errstate(invalid="ignore"):
        return CategoryTable(
            category=names,
            equity=shares / deals,
            win=wins / deals,
            tie=ties / deals,
            deals=deals,
            share_stderr=exact,
            stderr=np.where(deals > 0, exact, np.nan),
        )


def exact_categories(
    spot: Spot, workers: int, *, progress: bool = False, within: Workers | None = None
) -> tuple[CategoryTable, ...]:
    """Return each player's exact result by the category of the hand at showdown.

    Args:
        spot: a spot with an exact method within its budget.
        workers: the number of threads.
        progress: show a progress bar on standard error.
        within: as in `holdem.jobs.run.run`.

    Raises:
        Interrupted: Ctrl-C was pressed.
    """
    return run(_CategoryRun(_cheapest(spot)), workers, progress=progress, within=within)


def _cheapest(spot: Spot) -> CategoryMethod:
    # Imported only when needed, as in `holdem.odds.plan`.
    from holdem.odds.exact.categories.matchup_categories import KnownCategories, RankedCategories
    from holdem.odds.exact.three_ranges.method import ThreeRanges
    from holdem.odds.exact.two_ranges.method import TwoRanges

    matchups = count_matchups(spot)
    methods: dict[Callable[[], CategoryMethod], int | None] = {
        partial(TwoRanges, spot, by_category=True): TwoRanges.cost(spot, matchups),
        partial(ThreeRanges, spot, by_category=True): ThreeRanges.cost(spot, matchups),
        partial(KnownCategories, spot): KnownCategories.cost(spot, matchups),
        partial(RankedCategories, spot): RankedCategories.cost(spot, matchups),
    }
    costs = {method: cost for method, cost in methods.items() if cost is not None}
    return min(costs, key=costs.__getitem__)()

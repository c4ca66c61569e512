"""Breakdowns of a result from the table of random opponents, which has those of one player only."""

from __future__ import annotations

from typing import Any

from holdem.jobs.run import run
from holdem.jobs.workers import Workers
from holdem.odds.bounds import check_bounds
from holdem.odds.breakdown import Breakdowns, By
from holdem.odds.exact.candidates import list_candidates
from holdem.odds.exact.exact_run import ExactBreakdowns, exact_table, sum_by_group
from holdem.odds.exact.method import ComboTotals
from holdem.odds.plan import budget_of
from holdem.odds.spot import Spot


class LateBreakdowns(Breakdowns):
    """Breakdowns from another exact method or, where that is over the budget, from a sample.

    A sample has the default bound and seed 0. The combos and classes of the range that met random
    hands are those of the table.
    """

    def __init__(self, spot: Spot, hero: int, totals: ComboTotals, workers: int) -> None:
        """Take the number of the player whose totals are known."""
        super().__init__()
        self._spot = spot
        self._hero = hero
        self._totals = totals
        self._workers = workers
        self._all_totals: tuple[ComboTotals, ...] = ()
        self._sample: Breakdowns | None = None

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_all_totals": (), "_sample": None}

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        spot, hero, is_by_category = self._spot, self._hero, by == "category"
        budget = budget_of(spot.evaluator)
        methods = [
            candidate.method
            for candidate in list_candidates(spot, by_category=is_by_category)
            if 1 < candidate.evaluations <= budget  # the table costs 1
        ]
        rest: Breakdowns
        if not methods:
            rest = self._draw(progress, within)
        elif is_by_category:
            rest = ExactBreakdowns(spot, (), self._workers)
        else:
            if not self._all_totals:
                job = methods[0](spot)
                self._all_totals = run(job, self._workers, progress=progress, within=within)
            rest = ExactBreakdowns(spot, self._all_totals, self._workers)
        tables: list[Any] = [*rest.tables(by, progress=progress, within=within)]
        if not is_by_category:
            tables[hero] = exact_table(by, spot, hero, sum_by_group(spot, hero, self._totals, by))
        return tuple(tables)

    def _draw(self, progress: bool, within: Workers | None) -> Breakdowns:
        from holdem.odds.sampling.run import SampledRun

        if self._sample is None:
            job = SampledRun(self._spot, check_bounds(None, None, None), 0, workers=self._workers)
            sampled = run(job, self._workers, progress=progress, within=within)
            self._sample = sampled.players[0]._breakdowns
            assert self._sample is not None, "set in every result"
        return self._sample

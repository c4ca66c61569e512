"""Breakdowns of a result from the table of random opponents, which does not have all of them."""

from __future__ import annotations

from typing import Any

from holdem.jobs.run import run
from holdem.jobs.workers import Workers
from holdem.odds.bounds import check_bounds
from holdem.odds.breakdown import Breakdowns, By
from holdem.odds.exact.candidates import list_candidates
from holdem.odds.exact.exact_run import ExactBreakdowns, exact_table, sum_by_group
from holdem.odds.exact.method import ComboTotals
from holdem.odds.exact.random_opponents import RandomOpponents

#: The seed of sampled breakdowns, which have the default bound.
SEED = 0


class LateBreakdowns(Breakdowns):
    """Breakdowns from the table, or another exact method within a budget, or else a sample."""

    def __init__(self, method: RandomOpponents, budget: int, workers: int) -> None:
        """Take the method of the result, and the evaluations that another one may take."""
        super().__init__()
        self._method = method
        self._budget = budget
        self._workers = workers
        self._all_totals: tuple[ComboTotals, ...] = ()
        self._sample: Breakdowns | None = None

    def player_table(self, by: By, player: int) -> Any:
        known = self._known_tables(by)
        return known[player] if player in known else super().player_table(by, player)

    def _known_tables(self, by: By) -> dict[int, Any]:
        """Return the tables that need no computation, by player."""
        if by == "category":
            return {}
        key = f"known by {by}"
        if key not in self._kept:
            spot = self._method.spot
            self._kept[key] = {
                player: exact_table(by, spot, player, sum_by_group(spot, player, totals, by))
                for player, totals in self._method.known_totals().items()
            }
        found: dict[int, Any] = self._kept[key]
        return found

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        players = range(self._method.spot.players)
        tables = self._known_tables(by)
        if len(tables) < len(players):
            rest = self._compute(by == "category", progress, within)
            found = rest.tables(by, progress=progress, within=within)
            tables = dict(enumerate(found)) | tables
        return tuple(tables[player] for player in players)

    def _compute(self, is_by_category: bool, progress: bool, within: Workers | None) -> Breakdowns:
        """Compute what the table does not have."""
        spot = self._method.spot
        methods = [
            candidate.method
            for candidate in list_candidates(spot, by_category=is_by_category)
            if candidate.method is not RandomOpponents and candidate.evaluations <= self._budget
        ]
        if not methods:
            return self._draw(progress, within)
        if not is_by_category and not self._all_totals:
            job = methods[0](spot)
            self._all_totals = run(job, self._workers, progress=progress, within=within)
        return ExactBreakdowns(spot, self._all_totals, self._workers)

    def _draw(self, progress: bool, within: Workers | None) -> Breakdowns:
        from holdem.odds.sampling.run import SampledRun

        if self._sample is None:
            bounds = check_bounds(None, None, None)
            job = SampledRun(self._method.spot, bounds, SEED, workers=self._workers)
            sampled = run(job, self._workers, progress=progress, within=within)
            self._sample = sampled.players[0]._breakdowns
            assert self._sample is not None, "set in every result"
        return self._sample

"""Breakdown of a sampled result by combo, class and category."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from holdem.jobs.run import run
from holdem.jobs.workers import Workers
from holdem.odds.breakdown.on_demand import Breakdown, By, ComputeNextCards
from holdem.odds.breakdown.result_tables import CategoryTable, ClassTable, ComboTable, live_classes
from holdem.odds.sampling.redraw import GroupSums, Redraw
from holdem.odds.sampling.sampler import Sampler
from holdem.odds.spot import Spot


class SampledBreakdown(Breakdown):
    """Draws the deals of a sample again for the results by class, by category and by combo."""

    def __init__(
        self,
        sampler: Callable[[], Sampler],
        deals: int,
        workers: int,
        next_cards: ComputeNextCards | None,
    ) -> None:
        """Create the breakdown of a sample.

        Args:
            sampler: returns the sampler of the deals.
            deals: the number of deals.
            workers: the number of threads.
            next_cards: computes the equities by next card.
        """
        super().__init__(next_cards)
        self._sampler = sampler
        self._deals = deals
        self._workers = workers

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        job = Redraw(self._sampler, self._deals, by)
        sums = run(job, self._workers, progress=progress, within=within)
        make = {"combo": _combo_table, "class": _class_table, "category": _category_table}[by]
        return tuple(make(job.spot, player, own) for player, own in enumerate(sums))


def _combo_table(spot: Spot, player: int, sums: GroupSums) -> ComboTable:
    live = spot.live[player]
    return ComboTable(
        numbers=live.copy(),
        weight=spot.weights(player).copy(),
        equity=sums.equity[live],
        win=sums.win[live],
        tie=sums.tie[live],
        deals=sums.deals[live],
        stderr=sums.equity_errors[live],
    )


def _class_table(spot: Spot, player: int, sums: GroupSums) -> ClassTable:
    numbers, combos, weight = live_classes(spot.live[player], spot.weights(player))
    return ClassTable(
        numbers=numbers,
        combos=combos,
        weight=weight,
        equity=sums.equity[numbers],
        win=sums.win[numbers],
        tie=sums.tie[numbers],
        deals=sums.deals[numbers],
        stderr=sums.equity_errors[numbers],
    )


def _category_table(spot: Spot, player: int, sums: GroupSums) -> CategoryTable:  # noqa: ARG001
    return CategoryTable(
        category=np.array(spot.evaluator.rules.categories),
        equity=sums.equity,
        win=sums.win,
        tie=sums.tie,
        deals=sums.deals.copy(),
        share_stderr=sums.share_errors,
        stderr=sums.equity_errors,
    )

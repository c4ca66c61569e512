"""Breakdown of an exact result by combo, class and category."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.workers import Workers
from holdem.odds.breakdown.class_table import ClassTable, live_classes
from holdem.odds.breakdown.on_demand import Breakdown, By, ComputeNextCards
from holdem.odds.combo_table import ComboTable
from holdem.odds.exact.categories.run import exact_categories
from holdem.odds.exact.totals import ComboTotals
from holdem.odds.spot import Spot
from holdem.ranges.combos import CLASS_COUNT, CLASS_OF_COMBO


class ExactBreakdown(Breakdown):
    """Derives the results by combo and by class from totals; runs over all deals by category."""

    def __init__(
        self,
        spot: Spot,
        totals: tuple[ComboTotals, ...],
        workers: int,
        next_cards: ComputeNextCards | None,
    ) -> None:
        """Create the breakdown of an exact result.

        Args:
            spot: the spot.
            totals: the totals of each player's combos.
            workers: the number of threads.
            next_cards: computes the equities by next card.
        """
        super().__init__(next_cards)
        self._spot = spot
        self._totals = totals
        self._workers = workers

    def _player_tables(self, by: By, progress: bool, within: Workers | None) -> tuple[Any, ...]:
        if by == "category":
            return exact_categories(self._spot, self._workers, progress=progress, within=within)
        make = _combo_table if by == "combo" else _class_table
        return tuple(make(self._spot, player, own) for player, own in enumerate(self._totals))


def _class_table(spot: Spot, player: int, totals: ComboTotals) -> ClassTable:
    """Return the results of a player's classes."""
    own = spot.weights(player)
    numbers, combos, weight = live_classes(totals.combos, own)

    def by_class(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        classes = CLASS_OF_COMBO[totals.combos]
        return np.bincount(classes, own * sums, CLASS_COUNT)[numbers].astype(np.float64)

    deals = by_class(totals.deals)
    return ClassTable(
        numbers=numbers,
        combos=combos,
        weight=weight,
        equity=by_class(totals.shares) / deals,
        win=by_class(totals.wins) / deals,
        tie=by_class(totals.ties) / deals,
        deals=deals,
        stderr=np.zeros(len(numbers)),
    )


def _combo_table(spot: Spot, player: int, totals: ComboTotals) -> ComboTable:
    deals = totals.deals
    return ComboTable(
        numbers=totals.combos,
        weight=spot.weights(player).copy(),
        equity=totals.shares / deals,
        win=totals.wins / deals,
        tie=totals.ties / deals,
        deals=deals,
        stderr=np.zeros(len(deals)),
    )

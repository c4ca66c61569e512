"""Exact method for a range against two to five random hands before the flop, from a table.

No board is dealt and nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import fsum, nan
from typing import Any

import numpy as np

from holdem.jobs.run import Task
from holdem.odds.exact.method import ComboTotals, ExactMethod, PlayerSums
from holdem.odds.spot import Spot
from holdem.ranges.combos import CLASS_OF_COMBO, COMBO_COUNT
from holdem.ranges.opponents_table import (
    OPPONENTS,
    OTHERS_KNOWN,
    SHARES,
    Counts,
    count_all_deals,
    random_opponents_table,
)
from holdem.ranges.range import Range
from holdem.rules import STANDARD


class RandomOpponents(ExactMethod):
    """Exact method that looks up the combos of a range against random hands in a table."""

    name = "from the table of random opponents"

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Return 1, the lowest possible cost; return None if the method does not apply.

        It applies before the flop, without dead cards and not by category, if all players but one
        are two to five random hands and the evaluator follows the standard rules and has tables.
        """
        if spot.board or spot.dead or by_category or spot.players - 1 not in OPPONENTS:
            return None
        if not spot.evaluator.has_tables or spot.evaluator.rules != STANDARD:
            return None
        return None if _find_hero(spot) is None else 1

    def prepare(self) -> None:
        """Check that the evaluator ranks hands by the standard rules, as the table does."""
        self.spot.evaluator.prove()

    def tasks(self) -> Iterator[Task[Any]]:
        """Return an iterator without tasks: `player_sums` reads the table."""
        return iter(())

    def player_sums(self) -> tuple[PlayerSums, ...]:
        spot, opponents = self.spot, self.spot.players - 1
        hero = _find_hero(spot)
        assert hero is not None, "checked by `cost`"
        # All combos of the range meet as many deals: those of a class count with their weights.
        weights = np.bincount(CLASS_OF_COMBO[spot.live[hero]], spot.weights(hero))
        held = weights.astype(np.int64).tolist() if spot.is_unweighted else weights.tolist()
        table, deals = random_opponents_table(opponents), count_all_deals(opponents)
        rows = [(weight, own) for weight, own in zip(held, table, strict=False) if weight]

        def total(count: Callable[[Counts], Any]) -> Any:
            parts = [weight * count(row) for weight, row in rows]
            return sum(parts) if spot.is_unweighted else fsum(parts)

        own = PlayerSums(
            total(lambda row: row.won),
            total(lambda row: row.tied),
            total(lambda row: deals - row.won - row.tied),
            total(lambda row: row.share) / SHARES,
        )
        rest = total(lambda row: SHARES * deals - row.share) / (SHARES * opponents)
        won: Any = nan
        tied: Any = nan
        lost: Any = nan
        if _is_random(spot.ranges[hero]):
            won, tied, lost, rest = own  # all hands are random
        elif opponents in OTHERS_KNOWN:
            won = total(lambda row: row.others_won)
            tied = total(lambda row: row.others_tied)
            lost = total(lambda _: deals) - won - tied
        other = PlayerSums(won, tied, lost, rest)
        return tuple(own if player == hero else other for player in range(spot.players))

    def count_deals(self) -> int:
        hero = _find_hero(self.spot)
        assert hero is not None, "checked by `cost`"
        return len(self.spot.live[hero]) * count_all_deals(self.spot.players - 1)

    def totals(self) -> tuple[ComboTotals, ...]:
        raise NotImplementedError  # the table has only `known_totals`

    def known_totals(self) -> dict[int, ComboTotals]:
        """Return the totals of the range that meets random hands; of all players if all are."""
        spot, opponents = self.spot, self.spot.players - 1
        hero = _find_hero(spot)
        assert hero is not None, "checked by `cost`"
        deals = count_all_deals(opponents)
        rows = [
            [each.won, each.tied, deals - each.won - each.tied, each.share / SHARES]
            for each in random_opponents_table(opponents)
        ]
        combos = spot.live[hero]
        sums = np.array(rows, dtype=np.float64).T[:, CLASS_OF_COMBO[combos]]
        known = range(spot.players) if _is_random(spot.ranges[hero]) else [hero]
        return dict.fromkeys(known, ComboTotals(combos, *sums))


def _is_random(hands: Range) -> bool:
    return len(hands) == COMBO_COUNT and hands.is_unweighted


def _find_hero(spot: Spot) -> int | None:
    """Find the player with the range if all others are random; the first if all are random."""
    known = [player for player, own in enumerate(spot.ranges) if not _is_random(own)]
    return None if len(known) > 1 else next(iter(known), 0)

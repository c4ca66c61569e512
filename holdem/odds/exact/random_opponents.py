"""Exact method for a known hand and two to five random hands before the flop, from a table.

No board is dealt and nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, nan
from typing import Any

from holdem.jobs.run import Task, run
from holdem.odds.exact.method import ComboTotals, ExactMethod, PlayerSums
from holdem.odds.spot import Spot
from holdem.ranges.combos import CLASS_OF_COMBO, COMBO_COUNT
from holdem.ranges.opponents_table import (
    OPPONENTS,
    OTHERS_KNOWN,
    SHARES,
    random_opponents_table,
)
from holdem.rules import STANDARD


def count_all_deals(opponents: int) -> int:
    """Count the boards and hands of random opponents that a known hand can meet."""
    deals = comb(50, 5)
    for n in range(opponents):
        deals *= comb(45 - 2 * n, 2)
    return deals


class RandomOpponents(ExactMethod):
    """Exact method that looks up a known hand against two to five random hands in a table."""

    name = "from the table of random opponents"

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Return 1, the lowest possible cost; return None if the method does not apply.

        It applies before the flop, without dead cards and not by category, to a known hand and two
        to five random hands, if the evaluator follows the standard rules and has tables.
        """
        if spot.board or spot.dead or by_category or spot.players - 1 not in OPPONENTS:
            return None
        if not spot.evaluator.has_tables or spot.evaluator.rules != STANDARD:
            return None
        if _find_known(spot) is None:
            return None
        return 1

    def prepare(self) -> None:
        """Check that the evaluator ranks hands by the standard rules, as the table does."""
        self.spot.evaluator.prove()

    def tasks(self) -> Iterator[Task[Any]]:
        """Return an iterator without tasks: `player_sums` reads the table."""
        return iter(())

    def player_sums(self) -> tuple[PlayerSums, ...]:
        spot, opponents = self.spot, self.spot.players - 1
        known = _find_known(spot)
        assert known is not None, "checked by `cost`"
        found = random_opponents_table(opponents)[CLASS_OF_COMBO[spot.live[known][0]]]
        deals = count_all_deals(opponents)
        rest = (SHARES * deals - found.share) / (SHARES * opponents)
        lost = deals - found.won - found.tied
        own = PlayerSums(found.won, found.tied, lost, found.share / SHARES)
        other = PlayerSums(nan, nan, nan, rest)
        if found.others_won is not None and found.others_tied is not None:
            won, tied = found.others_won, found.others_tied
            other = PlayerSums(won, tied, deals - won - tied, rest)
        return tuple(own if player == known else other for player in range(spot.players))

    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the totals of each player's combos, which are not in the table, by another run.

        They are asked for by reports only.
        """
        from holdem.odds.exact.board_classes import BoardClasses

        found: tuple[ComboTotals, ...] = run(BoardClasses(self.spot), 1)
        return found

    @classmethod
    def has_breakdowns(cls, spot: Spot) -> bool:
        return spot.players - 1 in OTHERS_KNOWN


def _find_known(spot: Spot) -> int | None:
    """Find the player whose hand is known, if all others are random and nothing is weighted."""
    known = [player for player, own in enumerate(spot.live) if len(own) == 1]
    is_random = [len(own) == COMBO_COUNT for own in spot.ranges]
    if len(known) != 1 or sum(is_random) != spot.players - 1 or not spot.is_unweighted:
        return None
    return known[0]

"""Exact method for two players before the flop, which reads outcomes from the precomputed table.

No board is dealt and nothing is compiled. Range against range takes two small matrix products
for each shape of hands: pairs, suited and offsuit hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from holdem.jobs.run import Task
from holdem.odds.card_removal import unblocked_weight
from holdem.odds.exact.integer_weights import IntegerWeights, integer_weights
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.preflop_table.layout import shapes
from holdem.odds.exact.preflop_table.table import BOARDS, preflop_table
from holdem.odds.exact.totals import ComboTotals, two_player_totals
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_SETS

_OPPONENTS = 1_225  # C(50, 2)
_FEW_MATCHUPS = 4096  # up to this many are as fast to add up one by one as in matrix products
# With this limit, sums counted in half boards stay below 2^53.
_MAX_WEIGHT = (1 << 53) // (2 * BOARDS * _OPPONENTS)


class PreflopTableMethod(ExactMethod):
    """Exact method that looks up two-player preflop match-ups in the precomputed table."""

    name = "from the table before the flop"

    @classmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:  # noqa: ARG003
        """Return 1, the lowest possible cost; None if the table does not cover the spot."""
        in_table = spot.players == 2 and not spot.board and not spot.dead
        return 1 if in_table and spot.evaluator.is_fused else None

    def prepare(self) -> None:
        """Do nothing, because `totals` loads the table."""

    def tasks(self) -> Iterator[Task[Any]]:
        """Yield no tasks, because `totals` looks everything up."""
        return iter(())

    def add(self, part: Any) -> None:
        """Do nothing, because there are no tasks."""

    def totals(self) -> tuple[ComboTotals, ...]:
        """Return the wins, ties, losses and pot shares of both players' combos."""
        spot = self.spot
        first, second = map(len, spot.live)
        if first == second == 1 and spot.is_unweighted:
            return self._known_hands()
        if first * second <= _FEW_MATCHUPS:
            return self._few_matchups()
        numbers = [integer_weights(weights, _MAX_WEIGHT) for weights in spot.all_weights]
        return self._player_totals(0, numbers[1]), self._player_totals(1, numbers[0])

    def _known_hands(self) -> tuple[ComboTotals, ...]:
        """Return both players' wins, ties and losses when each holds a single combo of weight 1.

        This takes 6 µs instead of 38.
        """
        first, second = self.spot.live
        won, tied = preflop_table().match_up(first.item(), second.item())
        lost = BOARDS - won - tied
        half = tied / 2
        own = np.array([won, tied, lost, won + half])[:, None]
        other = np.array([lost, tied, won, lost + half])[:, None]
        return ComboTotals(first, *own), ComboTotals(second, *other)

    def _few_matchups(self) -> tuple[ComboTotals, ...]:
        """Return both players' wins, ties and losses, added up match-up by match-up."""
        spot = self.spot
        first, second = spot.live
        won, tied = preflop_table().match_ups(first, second)
        disjoint = COMBO_SETS[first][:, None] & COMBO_SETS[second] == 0
        lost = disjoint * float(BOARDS) - won - tied
        numbers = [integer_weights(spot.weights(player), _MAX_WEIGHT) for player in range(2)]
        # Both are ``(outcome, layer, combo)``.
        own = numbers[1].numbers @ np.array([won, tied, lost]).transpose(0, 2, 1)
        other = numbers[0].numbers @ np.array([lost, tied, won])
        return (
            two_player_totals(first, numbers[1], own),
            two_player_totals(second, numbers[0], other),
        )

    def _player_totals(self, player: int, against: IntegerWeights) -> ComboTotals:
        """Compute the wins, ties and losses of a player's combos with matrix products."""
        own, opponents = self.spot.live[player], self.spot.live[1 - player]
        table, numbers = preflop_table(), against.numbers
        wins, ties = np.zeros_like(numbers), np.zeros_like(numbers)
        for shape, won, tied in zip(shapes(), table.wins, table.ties, strict=True):
            combos = own[shape.row[own] >= 0]
            if not len(combos):
                continue
            views, view = np.unique(shape.view[combos], return_inverse=True)
            rows, row = np.unique(shape.row[combos], return_inverse=True)
            size = len(shape.opponents)
            columns = (
                shape.column[views[:, None], opponents] + size * np.arange(len(views))[:, None]
            )
            for layer, weights in enumerate(numbers[:, opponents]):
                # The opponent's weight in each column of each view: (view, column).
                seen = np.bincount(
                    columns.ravel(),
                    np.broadcast_to(weights, columns.shape).ravel(),
                    len(views) * size,
                ).reshape(len(views), size)
                wins[layer, combos] = (won[rows] @ seen.T)[row, view]
                ties[layer, combos] = (tied[rows] @ seen.T)[row, view]
        deals = BOARDS * unblocked_weight(numbers)
        outcome_sums = np.array([wins, ties, deals - wins - ties])[:, :, own]
        return two_player_totals(own, against, outcome_sums)

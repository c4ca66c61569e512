"""Exact method that counts the winners of each match-up separately, with the default evaluator.

Match-ups that are equal up to suit permutations are counted once. Before the flop, match-ups
are counted by the ranks of the board; later, runout by runout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.known_hands.by_rank import count_batch, equal_rank_batches
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.totals import ComboTotals, matchup_totals
from holdem.odds.spot import Spot
from holdem.odds.symmetry.matchups import (
    MATCHUP_LIMIT,
    card_fixing_permutations,
    list_matchups,
)

# The cost of a match-up before the flop: 50 to 100 µs for two players, and 100 to 200 µs for
# each player of a larger match-up.
_TWO_PLAYERS, _PLAYER = 100_000, 150_000
_DEALS_PER_TASK = 1 << 22  # some 10 ms on a board

_Rows: TypeAlias = slice | NDArray[np.intp]
_Part: TypeAlias = tuple[_Rows, NDArray[np.int64]]


class KnownHands(ExactMethod):
    """Exact method that counts the winners of each match-up separately, with the default evaluator.

    Tasks return row indices and counts.
    """

    name = "known hands"

    @classmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:
        """Return the estimated cost, or None if the evaluator is not the default one or there are
        too many match-ups to list.
        """
        if not spot.evaluator.is_fused or matchups is None or matchups > MATCHUP_LIMIT:
            return None
        orbits = -(-matchups // len(card_fixing_permutations(spot)))
        if spot.board:
            return orbits * spot.runouts * spot.players
        return orbits * (_TWO_PLAYERS if spot.players == 2 else spot.players * _PLAYER)

    def prepare(self) -> None:
        """List the spot's match-ups."""
        matchups = list_matchups(self.spot)
        assert matchups is not None, "checked by `cost`"
        self._matchups = matchups
        self._holes = matchups.holes()
        self._counts = np.zeros((len(self._holes), 1 << self.spot.players), dtype=np.int64)
        self._boards = np.array([self.spot.board], dtype=np.uint8)
        self._gone = np.array([self.spot.gone], dtype=np.uint64)

    def tasks(self) -> Iterator[Task[_Part]]:
        """Yield tasks, each of which counts the winners in one batch of match-ups."""
        together = max(1, _DEALS_PER_TASK // self.spot.runouts)
        count: Callable[[_Rows, Workers], _Part]
        batches: Iterator[_Rows] = (
            slice(start, start + together) for start in range(0, len(self._holes), together)
        )
        if self.spot.board:
            from holdem.odds.exact.known_hands.board_kernels import count_over_runouts

            count = partial(self._count_on_board, count_over_runouts)
        else:
            batches, count = equal_rank_batches(self._holes), self._count_before_flop
        for rows in batches:
            yield Task(partial(count, rows), len(self._holes[rows]) / len(self._holes))

    def _count_before_flop(self, rows: _Rows, workers: Workers) -> _Part:  # noqa: ARG002
        return rows, count_batch(self._holes[rows], self.spot.gone)

    def _count_on_board(
        self,
        count_over_runouts: Callable[..., None],
        rows: _Rows,
        workers: Workers,  # noqa: ARG002
    ) -> _Part:
        holes = self._holes[rows]
        counts = np.zeros((len(holes), self._counts.shape[1]), dtype=np.int64)
        count_over_runouts(holes, self._boards, self._gone, counts)
        return rows, counts

    def add(self, part: _Part) -> None:
        """Add the counts of winners from one batch of match-ups."""
        rows, counts = part
        self._counts[rows] += counts

    def totals(self) -> tuple[ComboTotals, ...]:
        """Return the wins, ties, losses and pot shares of each player's combos."""
        return matchup_totals(self.spot, self._matchups, self._matchups.orbits, self._counts)

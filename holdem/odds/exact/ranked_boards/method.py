"""Exact method that ranks every live combo on each board and counts each match-up's winners.

This method works with any evaluator and any number of players. Boards that are equal up to suit
permutations are ranked once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.method import ExactMethod, cost_of_ranking
from holdem.odds.exact.ordering.ranked_combos import HANDS_PER_TASK, rank_combos
from holdem.odds.exact.totals import ComboTotals, matchup_totals
from holdem.odds.spot import Spot
from holdem.odds.symmetry.canonical_boards import canonical_boards
from holdem.odds.symmetry.matchups import (
    MATCHUP_LIMIT,
    combo_fixing_permutations,
    list_matchups,
)


class RankedBoards(ExactMethod):
    """Exact method that ranks every live combo on each board and counts each match-up's winners."""

    name = "boards ranked in batches"

    @classmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:
        """Return the estimated cost, or None if there are too many match-ups to list."""
        if matchups is None or matchups > MATCHUP_LIMIT:
            return None
        boards = spot.boards // len(combo_fixing_permutations(spot))
        # Comparing one player's hand in a match-up costs a quarter of ranking a hand.
        return boards * (cost_of_ranking(spot) + matchups * spot.players // 4)

    def prepare(self) -> None:
        """Load the evaluator and list the match-ups and the boards."""
        spot = self.spot
        spot.evaluator.load()
        matchups = list_matchups(spot)
        assert matchups is not None, "checked by `cost`"
        self._matchups = matchups
        self._boards = canonical_boards(
            spot.board, spot.board_cards, combo_fixing_permutations(spot)
        )
        self._orbit_sizes = self._boards.orbit_sizes.astype(np.int64)
        self._rows = np.searchsorted(spot.combos, matchups.combos)
        self._counts = np.zeros((len(matchups.combos), 1 << spot.players), dtype=np.int64)

    def tasks(self) -> Iterator[Task[NDArray[np.int64]]]:
        """Yield tasks, each of which counts the winners of every match-up on a batch of boards."""
        together = max(1, HANDS_PER_TASK // len(self.spot.combos))
        boards = len(self._boards.cards)
        for start in range(0, boards, together):
            rows = slice(start, min(start + together, boards))
            yield Task(partial(self._count, rows), (rows.stop - rows.start) / boards)

    def _count(self, boards: slice, workers: Workers) -> NDArray[np.int64]:
        from holdem.odds.exact.ranked_boards.kernels import count_winners_by_matchup

        spot, cards = self.spot, self._boards.cards[boards]
        strengths = rank_combos(spot.evaluator, cards, spot.combos, workers)
        counts = np.zeros(self._counts.shape, dtype=np.int64)
        count_winners_by_matchup(
            np.ascontiguousarray(strengths.T), self._rows, self._orbit_sizes[boards], counts
        )
        return counts

    def add(self, part: NDArray[np.int64]) -> None:
        """Add the counts of winners from one batch of boards."""
        self._counts += part

    def totals(self) -> tuple[ComboTotals, ...]:
        """Return the wins, ties, losses and pot shares of each player's combos."""
        rows = np.arange(len(self._counts))
        return matchup_totals(self.spot, self._matchups, rows, self._counts)

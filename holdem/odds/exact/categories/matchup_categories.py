"""Exact outcomes by category, match-up by match-up, for any number of players."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import partial
from math import fsum

import numpy as np
from numpy.typing import NDArray

from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.known_hands.by_rank import equal_rank_batches
from holdem.odds.exact.known_hands.method import KnownHands
from holdem.odds.exact.ordering.ranked_combos import HANDS_PER_TASK, rank_combos
from holdem.odds.exact.ranked_boards.method import RankedBoards
from holdem.odds.exact.totals import PlayerSums
from holdem.odds.spot import Spot
from holdem.odds.symmetry.canonical_boards import canonical_boards
from holdem.odds.symmetry.matchups import combo_fixing_permutations, list_matchups


class MatchupCategories(ABC):
    """Base class of the methods that compare match-ups and add up outcomes by category.

    Match-ups that are equal up to suit permutations are compared once, with the sum of their
    weights. Sums are ``float64 (player, category, players + 1)``, as in the kernels.
    """

    def __init__(self, spot: Spot) -> None:
        self.spot = spot

    def prepare(self) -> None:
        """Load the evaluator and list the match-ups."""
        spot = self.spot
        categories = len(spot.evaluator.scale.category_bounds) + 1
        matchups = list_matchups(spot)
        assert matchups is not None, "checked by `cost`"
        self._matchups = matchups
        weights = spot.all_weights[np.arange(spot.players), matchups.combos].prod(axis=1)
        self._weights = np.bincount(matchups.orbits, weights).astype(np.float64)
        self._sums = np.zeros((spot.players, categories, spot.players + 1))

    @abstractmethod
    def tasks(self) -> Iterator[Task[NDArray[np.float64]]]:
        """Yield the tasks; their sizes are shares of the total work and sum to 1."""

    def add(self, part: NDArray[np.float64]) -> None:
        """Add the sums of a task."""
        self._sums += part

    def category_sums(self) -> tuple[tuple[PlayerSums, ...], ...]:
        """Return each player's sums by the category of the hand, the weakest category first.

        The result has a tuple for each player.
        """
        return tuple(tuple(map(_player_sums, own)) for own in self._sums.tolist())


def _player_sums(by_winners: list[float]) -> PlayerSums:
    """Convert the weights of deals by the number of winners, 0 if the player loses."""
    lost, alone, *tied = by_winners
    shares = (weight / count for count, weight in enumerate(tied, 2))
    return PlayerSums(alone, fsum(tied), lost, fsum((alone, *shares)))


class KnownCategories(MatchupCategories):
    """Method that counts match-ups before the flop by the ranks of the board, as `KnownHands`."""

    @classmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:
        """Return the cost of `KnownHands`; None on a board, where ranking is as fast."""
        return None if spot.board else KnownHands.cost(spot, matchups)

    def tasks(self) -> Iterator[Task[NDArray[np.float64]]]:
        """Yield tasks, each of which counts the boards of a batch of match-ups."""
        scale, highest = self.spot.evaluator.scale, self.spot.evaluator.scale.strengths[-1]
        of_strength = scale.categories(np.arange(highest + 1)).astype(np.uint8)
        holes = self._matchups.holes()
        for rows in equal_rank_batches(holes):
            own, weights = np.ascontiguousarray(holes[rows]), self._weights[rows]
            yield Task(partial(self._count, own, weights, of_strength), len(rows) / len(holes))

    def _count(
        self,
        holes: NDArray[np.uint8],
        weights: NDArray[np.float64],
        of_strength: NDArray[np.uint8],
        workers: Workers,  # noqa: ARG002
    ) -> NDArray[np.float64]:
        from holdem.odds.exact.categories.kernels import count_known_hands_by_category

        sums = np.zeros(self._sums.shape)
        gone = np.uint64(self.spot.gone)
        count_known_hands_by_category(holes, gone, weights, of_strength, sums)
        return sums


class RankedCategories(MatchupCategories):
    """Method that ranks every live combo on each board, as `RankedBoards` does."""

    @classmethod
    def cost(cls, spot: Spot, matchups: int | None) -> int | None:
        """Return the cost of `RankedBoards`."""
        return RankedBoards.cost(spot, matchups)

    def prepare(self) -> None:
        """Load the evaluator and list the match-ups and the boards."""
        super().prepare()
        spot, representatives = self.spot, self._matchups.representatives
        self._rows = np.searchsorted(spot.combos, representatives).astype(np.int64)
        self._boards = canonical_boards(
            spot.board, spot.board_cards, combo_fixing_permutations(spot)
        )
        self._orbit_sizes = self._boards.orbit_sizes.astype(np.int64)

    def tasks(self) -> Iterator[Task[NDArray[np.float64]]]:
        """Yield tasks, each of which compares every match-up on a batch of boards."""
        together = max(1, HANDS_PER_TASK // len(self.spot.combos))
        boards = len(self._boards.cards)
        for start in range(0, boards, together):
            rows = slice(start, min(start + together, boards))
            yield Task(partial(self._count, rows), (rows.stop - rows.start) / boards)

    def _count(self, boards: slice, workers: Workers) -> NDArray[np.float64]:
        from holdem.odds.exact.categories.kernels import count_by_category

        evaluator, cards = self.spot.evaluator, self._boards.cards[boards]
        strengths = rank_combos(evaluator, cards, self.spot.combos, workers).T
        categories = evaluator.scale.categories(strengths).astype(np.uint8)
        sums = np.zeros(self._sums.shape)
        count_by_category(
            np.ascontiguousarray(strengths),
            np.ascontiguousarray(categories),
            self._rows,
            self._weights,
            self._orbit_sizes[boards],
            sums,
        )
        return sums

"""Exact method that ranks every live combo on each board and compares the combos of each match-up.

This method works with any evaluator and any number of players. Boards are equivalent if a suit
permutation that leaves the spot and every live combo unchanged maps one to the other; only one of
several equivalent boards is used.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdem.jit.kernels import kernel, kernel_or_numpy
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.matchup_method import (
    MatchupMethod,
    count_winners_in_numpy,
    estimate_matchups,
    find_winners,
)
from holdem.odds.exact.method import COMPARISONS, TOGETHER_IN_NUMPY, estimate_ranking
from holdem.odds.exact.ranked_combos import (
    BLOCKED,
    HANDS_PER_TASK,
    rank_combos,
)
from holdem.odds.matchups import count_listable_matchups
from holdem.odds.spot import Spot
from holdem.odds.symmetry import combo_fixing_permutations, list_canonical_boards
from holdem.odds.tally import add_weighted, update_winners


class RankedBoards(MatchupMethod):
    """Exact method that ranks all live combos on each board and counts each match-up's winners."""

    name = "boards ranked in batches"

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:  # noqa: ARG003
        matchups = count_listable_matchups(spot)
        if matchups is None:
            return None
        boards = spot.boards // len(combo_fixing_permutations(spot))
        return boards * (estimate_ranking(spot) + matchups * spot.players // COMPARISONS)

    def prepare(self) -> None:
        super().prepare()
        spot = self.spot
        self._ranker = spot.evaluator.ranker
        self._boards = list_canonical_boards(
            spot.board, spot.board_cards, combo_fixing_permutations(spot)
        )
        self._orbit_sizes = self._boards.orbit_sizes.astype(np.int64)
        self._rows = np.searchsorted(spot.live_combos, self._matchups.representatives)
        sums = self._sums.size if self.by_category else self._sums.shape[1]
        size = len(self._orbit_sizes), len(spot.live_combos), len(self._rows), spot.players
        cost = estimate_matchups(*size, sums)
        self._count_outcomes = (
            kernel_or_numpy(count_by_category, count_by_category_in_numpy, cost)
            if self.by_category
            else kernel_or_numpy(count_winners_by_matchup, count_winners_in_numpy, cost)
        )

    def tasks(self) -> Iterator[Task[NDArray[np.number]]]:
        together = HANDS_PER_TASK // len(self.spot.live_combos)
        return self.batches(self._count, len(self._boards.cards), together)

    def _count(self, boards: slice, workers: Workers) -> NDArray[np.number]:
        orbit_sizes = self._orbit_sizes[boards]
        cards = self._boards.cards[boards]
        ranked = rank_combos(self._ranker, cards, self.spot.live_combos, workers)
        strengths = np.ascontiguousarray(ranked.T)
        sums = np.zeros_like(self._sums)
        if self.by_category:
            categories = self._ranker.scale.categories(strengths).astype(np.uint8)
            self._count_outcomes(
                strengths, categories, self._rows, self._weights, orbit_sizes, sums
            )
            return sums
        self._count_outcomes(strengths, self._rows, orbit_sizes, sums)
        return sums


@kernel
def count_winners_by_matchup(
    strengths: NDArray[np.int64],
    rows: NDArray[np.int64],
    orbit_sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Add, for each match-up, the boards that each set of players wins or shares to `counts`.

    `strengths` is ``int64 (combo, board)``, `BLOCKED` for combos that share a card with the board,
    `rows` has the row of each player's combo, ``int64 (match-up, player)``, and a board counts
    `orbit_sizes` times, ``int64 (board,)``. `counts` is ``int64 (match-up, 2^players)``; a set is a
    number with a bit for each player.
    """
    for matchup in range(rows.shape[0]):
        for board in range(strengths.shape[1]):
            best = strengths[rows[matchup, 0], board]
            winners = np.uint64(1)
            blocked = best == BLOCKED
            for player in range(1, rows.shape[1]):
                value = strengths[rows[matchup, player], board]
                blocked |= value == BLOCKED
                best, winners = update_winners(
                    best, winners, value, np.uint64(1) << np.uint64(player)
                )
            if not blocked:
                counts[matchup, winners] += orbit_sizes[board]


@kernel
def count_by_category(
    strengths: NDArray[np.int64],
    categories: NDArray[np.uint8],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    orbit_sizes: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Add each player's wins, ties and losses on a batch of boards to `sums`, by category.

    `categories` has that of each combo's hand, 0 for the weakest, ``uint8 (combo, board)``, and
    `weights` those of match-ups, ``float64 (match-up,)``; the others are as for
    `count_winners_by_matchup`. `sums` is ``float64 (player, category, players + 1)``: the last
    index is 0 if the player loses, and otherwise the number of players who share the best hand.
    """
    players = rows.shape[1]
    for matchup in range(rows.shape[0]):
        counts = np.zeros(sums.shape, dtype=np.int64)
        for board in range(strengths.shape[1]):
            best, winners = strengths[rows[matchup, 0], board], 1
            blocked = best == BLOCKED
            for player in range(1, players):
                value = strengths[rows[matchup, player], board]
                blocked |= value == BLOCKED
                winners = 1 if value > best else winners + (value == best)
                best = max(best, value)
            if blocked:
                continue
            for player in range(players):
                row = rows[matchup, player]
                shared = winners if strengths[row, board] == best else 0
                counts[player, categories[row, board], shared] += orbit_sizes[board]
        add_weighted(weights[matchup], counts, sums)


def count_by_category_in_numpy(
    strengths: NDArray[np.signedinteger],
    categories: NDArray[np.uint8],
    rows: NDArray[np.int64],
    weights: NDArray[np.float64],
    orbit_sizes: NDArray[np.int64],
    sums: NDArray[np.float64],
) -> None:
    """Do the same as `count_by_category`, with the same arguments, in numpy."""
    together = max(1, TOGETHER_IN_NUMPY // max(strengths.shape[1], sums.size))
    for start in range(0, len(rows), together):
        part = slice(start, start + together)
        winners = find_winners(strengths, rows[part])
        shared = np.bitwise_count(winners)
        sizes = np.where(winners, orbit_sizes, 0).ravel()  # no winners: a combo is blocked
        firsts = np.arange(len(winners))[:, None] * sums[0].size
        terms = np.empty((len(winners), *sums.shape))
        for player, own in enumerate(rows[part].T):
            share = shared * (winners >> player & 1)
            cells = firsts + categories[own].astype(np.int64) * sums.shape[2] + share
            terms[:, player] = np.bincount(
                cells.ravel(), sizes, len(winners) * sums[0].size
            ).reshape(terms[:, player].shape)
        terms *= weights[part, None, None, None]
        for term in terms:  # in the order of the kernel, since sums of doubles depend on it
            sums += term

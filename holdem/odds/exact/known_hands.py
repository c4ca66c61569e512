"""Exact method that counts the winners of each match-up separately, with tables of strengths.

A match-up is a choice of one combo for each player. On a board, every runout is dealt. Before the
flop, boards are counted by their ranks (`boards_by_ranks`). For two players this is 50 times as
fast as dealing every board (0.06 instead of 3.2 ms for each match-up), and for three players 20
times as fast (0.4 instead of 8 ms). Match-ups of two players have a separate kernel, which is three
times as fast as the kernel for any number of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.jit.kernels import inlined, interruptible, kernel, kernel_or_numpy, popcount
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.boards_by_ranks import (
    Dealt,
    allocate_dealt,
    correct_for_flushes,
    count_by_ranks,
    deal_matchup,
    find_many_flushes,
    find_two_flushes,
    has_same_ranks,
)
from holdem.odds.exact.matchup_method import (
    MatchupMethod,
    count_over_runouts,
    count_over_runouts_in_numpy,
    estimate_matchups,
)
from holdem.odds.exact.method import require_table
from holdem.odds.matchups import count_listable_matchups
from holdem.odds.spot import Spot
from holdem.odds.symmetry import card_fixing_permutations
from holdem.odds.tally import add_weighted, update_winners
from holdem.ranges.combos import COMBO_CARDS

# The cost of a match-up before the flop: 50 to 100 µs for two players, and 100 to 200 µs for
# each player of a larger match-up.
_TWO_PLAYERS, _PLAYER = 100_000, 150_000
# The sizes of a task: some 10 ms on a board, and for two players before the flop.
_DEALS_PER_TASK, _MATCHUPS_PER_TASK = 1 << 22, 256

#: Rows of the sums, and what a task adds to them.
_Part: TypeAlias = tuple[slice | NDArray[np.intp], NDArray[np.number]]


class KnownHands(MatchupMethod):
    """Exact method that counts the winners of each match-up (one combo per player) with tables."""

    name = "known hands"

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost in evaluations; return None if the method does not apply.

        It does not apply if the evaluator has no tables, or there are too many match-ups to list.
        By category, it does not apply on a board, where `RankedBoards` is as fast. There is no
        kernel for boards of one or two cards.
        """
        if 0 < len(spot.board) < 3:
            return None
        matchups = count_listable_matchups(spot) if spot.evaluator.has_tables else None
        if matchups is None:
            return None
        orbits = -(-matchups // len(card_fixing_permutations(spot)))
        if spot.board:
            return None if by_category else orbits * spot.runouts * spot.players
        return orbits * (_TWO_PLAYERS if spot.players == 2 else spot.players * _PLAYER)

    def prepare(self) -> None:
        self._table = require_table(self.spot)
        super().prepare()
        self._holes: CardArray = COMBO_CARDS.take(self._matchups.representatives, axis=0)

    def tasks(self) -> Iterator[Task[_Part]]:
        spot, count = self.spot, len(self._holes)
        if not spot.board:
            self._order = order_by_ranks(self._holes)
            call = self._count_categories if self.by_category else self._count_before_flop
            return self.batches(call, count, _MATCHUPS_PER_TASK)
        size = spot.boards, len(spot.live_combos), count, spot.players
        cost = estimate_matchups(*size, self._sums.shape[1])
        self._count_over_runouts = kernel_or_numpy(
            count_over_runouts, count_over_runouts_in_numpy, cost
        )
        self._boards = np.array([spot.board], dtype=np.uint8)
        self._gone = np.array([spot.gone], dtype=np.uint64)
        return self.batches(self._count_on_board, count, _DEALS_PER_TASK // spot.runouts)

    def _count_before_flop(self, batch: slice, workers: Workers) -> _Part:  # noqa: ARG002
        rows = self._order[batch]
        return rows, count_known_hands(self._table, self._holes[rows], self.spot.gone)

    def _count_on_board(self, rows: slice, workers: Workers) -> _Part:  # noqa: ARG002
        holes = self._holes[rows]
        counts = np.zeros((len(holes), self._sums.shape[1]), dtype=np.int64)
        self._count_over_runouts(self._table, holes, self._boards, self._gone, counts)
        return rows, counts

    def _count_categories(self, batch: slice, workers: Workers) -> _Part:  # noqa: ARG002

        rows, scale = self._order[batch], self.spot.evaluator.ranker.scale
        of_strength = scale.categories(np.arange(scale.strengths[-1] + 1)).astype(np.uint8)
        sums = np.zeros_like(self._sums)
        holes, gone = np.ascontiguousarray(self._holes[rows]), np.uint64(self.spot.gone)
        count = interruptible(count_known_hands_by_category)
        count(self._table, holes, gone, self._weights[rows], of_strength, sums)
        return slice(None), sums

    def add(self, part: _Part) -> bool:
        rows, sums = part
        self._sums[rows] += sums
        return False


def order_by_ranks(holes: CardArray) -> NDArray[np.intp]:
    """Sort match-ups, ``uint8 (match-up, player, 2)``, so that those in which each player holds the
    same ranks are adjacent, which the kernels count faster; return the order.
    """
    return np.lexsort((holes >> 2).reshape(len(holes), -1).T)


def count_known_hands(table: StrengthTable, holes: CardArray, gone: int = 0) -> NDArray[np.int64]:
    """Count, by set of winners, the boards of each match-up before the flop.

    `holes` is ``uint8 (match-up, player, 2)``, of 2 to 10 players; all cards of a match-up are
    different. In the order of `order_by_ranks`, match-ups take half the time. `gone` is the card
    set of other cards that cannot be dealt. The counts are ``int64 (match-up, 2^players)``; a set
    of winners is a number with a bit for each player.
    """
    players = holes.shape[1]
    count = interruptible(count_two_known_hands if players == 2 else count_many_known_hands)
    counts = np.zeros((len(holes), 1 << players), dtype=np.int64)
    count(table, np.ascontiguousarray(holes), np.uint64(gone), counts)
    return counts


# --- outcomes of boards ------------------------------------------------------------------

_ONE = np.uint64(1)
_NONE = np.int64(0), np.int64(0)


@inlined
def _add_two(
    ways: np.int64, key: np.uint32, dealt: Dealt, flushes: Any, _: Any, counts: Any
) -> tuple[np.int64, np.int64]:
    """Add boards that have the same ranks to `counts`, the first player's wins and ties.

    If `flushes` is given, the boards were already counted without flushes; that outcome is
    subtracted and the true one added. The arguments are those of `add` in `count_by_ranks`.
    """
    wins, ties = counts
    mine = rank_strength(dealt.table, np.uint32(key + dealt.keys[0]))
    theirs = rank_strength(dealt.table, np.uint32(key + dealt.keys[1]))
    if flushes is not None:
        wins -= ways * np.int64(mine > theirs)
        ties -= ways * np.int64(mine == theirs)
        mine = flushes[0] if flushes[0] else mine
        theirs = flushes[1] if flushes[1] else theirs
    return wins + ways * np.int64(mine > theirs), ties + ways * np.int64(mine == theirs)


@inlined
def _add_winners(
    ways: np.int64,
    key: np.uint32,
    dealt: Dealt,
    flushes: Any,
    tally: NDArray[np.int64],
    counts: Any,
) -> Any:
    """Add boards that have the same ranks to `tally`, by the set of winners.

    `tally` is ``int64 (2^players,)``; its index is a number with a bit for each winner. If
    `flushes` is given, the boards were already counted without flushes; they are moved to their
    true winners. The arguments are those of `add` in `count_by_ranks`; `counts` is returned
    unchanged.
    """
    best, winners = np.uint16(0), np.uint64(0)
    true_best, true_winners = np.uint16(0), np.uint64(0)
    for player in range(np.uint64(len(dealt.keys))):
        value = rank_strength(dealt.table, np.uint32(key + dealt.keys[player]))
        mine = _ONE << player
        best, winners = update_winners(best, winners, value, mine)
        if flushes is not None:
            value = flushes[player] if flushes[player] else value
            true_best, true_winners = update_winners(true_best, true_winners, value, mine)
    if flushes is None:
        tally[winners] += ways
    else:
        tally[winners] -= ways
        tally[true_winners] += ways
    return counts


class _CategoryTally(NamedTuple):
    """Counts of a match-up's boards by category, and the category of each strength."""

    of_strength: NDArray[np.uint8]
    """The index of the category of each strength, ``uint8 (strength,)``."""
    boards: NDArray[np.int64]
    """The counts, ``int64 (player, category, players + 1)``. The last index is 0 if the player
    loses, and otherwise the number of players who share the best hand."""


@inlined
def _rank(key: np.uint32, dealt: Dealt, flushes: Any, player: int | np.uint64) -> Any:
    """Rank a player's hand on boards that all have the same ranks, whose keys add up to `key`.

    `flushes` has the strength of each player's flush, 0 for none; None ignores flushes.
    """
    value = rank_strength(dealt.table, np.uint32(key + dealt.keys[player]))
    if flushes is None:
        return value
    return flushes[player] if flushes[player] else value


@inlined
def _add_to_categories(
    ways: np.int64, key: np.uint32, dealt: Dealt, flushes: Any, tally: _CategoryTally
) -> None:
    """Add `ways` boards that have the same ranks to `tally`; a negative number subtracts them.

    The arguments are those of `_rank`.
    """
    best, winners = np.uint16(0), np.uint64(0)
    for player in range(np.uint64(len(dealt.keys))):
        value = _rank(key, dealt, flushes, player)
        best, winners = update_winners(best, winners, value, _ONE << player)
    for player in range(np.uint64(len(dealt.keys))):
        category = tally.of_strength[_rank(key, dealt, flushes, player)]
        shared = popcount(winners) * (winners >> player & _ONE)
        tally.boards[player, category, shared] += ways


@inlined
def _add_categories(
    ways: np.int64,
    key: np.uint32,
    dealt: Dealt,
    flushes: Any,
    tally: _CategoryTally,
    counts: Any,
) -> Any:
    """Add boards that have the same ranks to `tally`, by the category of each player's hand.

    If `flushes` is given, the boards were already counted without flushes; that outcome is
    subtracted and the true one added. The arguments are those of `add` in `count_by_ranks`;
    `counts` is returned unchanged.
    """
    if flushes is not None:
        _add_to_categories(-ways, key, dealt, None, tally)
    _add_to_categories(ways, key, dealt, flushes, tally)
    return counts


# --- called from Python ---------------------------------------------------------------------


@kernel
def count_two_known_hands(
    table: StrengthTable, holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]
) -> None:
    """Add the boards of each two-player match-up to `counts`, by the set of winners.

    Boards are first counted by their ranks, without flushes. This count is reused if the next
    match-up has the same hole-card ranks, so a list in which such match-ups are adjacent takes half
    the time.

    `holes` and `gone` are those of `count_known_hands`, for two players. `counts` is ``int64
    (match-up, 4)``: none wins (always 0), the first, the second, both.
    """
    dealt = allocate_dealt(2, table)
    by_ranks = _NONE
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            by_ranks = count_by_ranks(dealt, _add_two, None, _NONE)
        wins, ties = correct_for_flushes(dealt, find_two_flushes, _add_two, None, by_ranks)
        cards = dealt.left.sum()
        boards = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) // 120
        counts[row, 1] += wins
        counts[row, 2] += boards - wins - ties
        counts[row, 3] += ties


@kernel
def count_many_known_hands(
    table: StrengthTable, holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]
) -> None:
    """Add the boards of each match-up of 2 to 10 players to `counts`, by the set of winners.

    The arguments and the shape of `counts` are those of `count_known_hands`.
    """
    players = holes.shape[1]
    dealt = allocate_dealt(players, table)
    by_ranks = np.zeros(1 << players, dtype=np.int64)
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            by_ranks[:] = 0
            count_by_ranks(dealt, _add_winners, by_ranks, _NONE)
        tally = counts[row]
        for winners in range(len(tally)):
            tally[winners] += by_ranks[winners]
        correct_for_flushes(dealt, find_many_flushes, _add_winners, tally, _NONE)


@kernel
def count_known_hands_by_category(
    table: StrengthTable,
    holes: CardArray,
    gone: np.uint64,
    weights: NDArray[np.float64],
    of_strength: NDArray[np.uint8],
    sums: NDArray[np.float64],
) -> None:
    """Add the outcomes of match-ups before the flop to `sums`, by each player's category.

    Boards are first counted by their ranks, without flushes. This count is reused if the next
    match-up has the same hole-card ranks.

    `holes` and `gone` are those of `count_known_hands`, `weights` is ``float64 (match-up,)``, and
    `of_strength` has the index of the category of each strength, ``uint8 (strength,)``. `sums` are
    weighted numbers of boards, ``float64 (player, category, players + 1)``: the last index is 0 if
    the player loses, and otherwise the number of players who share the best hand.
    """
    dealt = allocate_dealt(holes.shape[1], table)
    by_ranks = _CategoryTally(of_strength, np.zeros(sums.shape, dtype=np.int64))  # for its type
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            by_ranks = _CategoryTally(of_strength, np.zeros(sums.shape, dtype=np.int64))
            count_by_ranks(dealt, _add_categories, by_ranks, _NONE)
        counts = _CategoryTally(of_strength, by_ranks.boards.copy())
        correct_for_flushes(dealt, find_many_flushes, _add_categories, counts, _NONE)
        add_weighted(weights[row], counts.boards, sums)

"""Exact method for small spots of two players on a board, which compares all pairs of combos.

Each combo is ranked once for each runout. All weights must be 1. Neither match-ups nor boards are
listed, so a small spot takes some microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.jit.kernels import kernel, kernel_or_numpy, unowned
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.matchup_method import NO_CARDS, complete_board, list_deck
from holdem.odds.exact.method import (
    COMBO_IN_NUMPY,
    COMPARISONS,
    ComboTotals,
    ExactMethod,
    PlayerSums,
    convert_two_players,
    require_table,
)
from holdem.odds.exact.ranked_combos import (
    BLOCKED_16,
    COMBO_KEYS,
    COMBO_MASKS,
    rank_combos_in_numpy,
    sum_cards,
)
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_SETS

#: The deals that the first player wins and ties, and all deals.
_Counts = tuple[int, int, int]


class PairedCombos(ExactMethod):
    """Exact method that compares every combo of one player with each combo of the other."""

    name = "combos compared in pairs"
    _counts: _Counts

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost in evaluations; return None if the method does not apply.

        It applies to two unweighted ranges on a board of at least three cards, if the evaluator has
        tables, and not by category.
        """
        if spot.players != 2 or len(spot.board) < 3 or by_category or not spot.evaluator.has_tables:
            return None
        if not spot.is_unweighted:
            return None
        first, second = map(len, spot.live)
        return spot.runouts * (first + second + first * second // COMPARISONS)

    def prepare(self) -> None:
        self._table = require_table(self.spot)

    def tasks(self) -> Iterator[Task[_Counts]]:
        yield Task(self._compare, self.total)

    def _compare(self, workers: Workers) -> _Counts:  # noqa: ARG002
        spot = self.spot
        count, rivals = map(len, spot.live)
        ranked = spot.runouts * rivals  # hands, each compared with every combo
        cost = ranked + count * (COMBO_IN_NUMPY + ranked // COMPARISONS)
        compare: Callable[..., _Counts] = kernel_or_numpy(
            compare_combos, compare_combos_in_numpy, cost
        )
        self._sums = np.zeros((3, count + rivals), dtype=np.int64)
        boards = np.array([spot.board], dtype=np.uint8)
        combos = np.concatenate(spot.live)
        return compare(
            self._table, combos, count, boards, np.uint64(spot.gone), spot.runouts, self._sums
        )

    def add(self, part: _Counts) -> bool:
        self._counts = part
        return False

    def player_sums(self) -> tuple[PlayerSums, ...]:
        return convert_two_players(*self._counts)

    def totals(self) -> tuple[ComboTotals, ...]:
        first, second = self.spot.live
        split = np.split(self._sums.astype(np.float64), [len(first)], axis=1)
        return _make_totals(first, split[0]), _make_totals(second, split[1])


def _make_totals(combos: NDArray[np.intp], sums: NDArray[np.float64]) -> ComboTotals:
    wins, ties, deals = sums
    return ComboTotals(combos, wins, ties, deals - wins - ties, wins + ties / 2)


@kernel
def compare_combos(
    table: StrengthTable,
    combos: NDArray[np.intp],
    count: int,
    boards: CardArray,
    gone: np.uint64,
    runouts: int,
    sums: NDArray[np.int64],
) -> tuple[Any, Any, Any]:
    """Count the deals that the first player wins, that are ties, and all, over a board's runouts.

    Each combo is ranked once for each runout. LLVM vectorizes the innermost loop.

    `combos` are the first player's `count` combos, then the second player's, ``intp (combo,)``;
    none shares a card with the board. `boards` is a single board of 3, 4 or 5 known cards, ``uint8
    (1, card)``, and `gone` the card set of these and of all other cards that cannot be dealt. A
    pair of combos has `runouts` runouts. The deals that each combo wins, those that it ties, and
    all with it are written to `sums`, zeros of ``int64 (3, combo)``.
    """
    known, by_key = boards.shape[1], unowned(table)
    _, key, mask = sum_cards(boards, 0, known)
    deck = np.zeros((52, 2), dtype=np.uint64)
    # On a river, the only card is a null card, which changes no strength.
    size = np.int64(1) if known == 5 else list_deck(gone, deck)
    first, second = combos[:count], combos[count:]
    rivals = len(second)
    wins, ties, deals = sums[0], sums[1], sums[2]
    strengths = np.empty(rivals, dtype=np.int64)
    held, used = np.empty(rivals, dtype=np.uint64), np.empty(rivals, dtype=np.uint64)
    for j in range(rivals):
        held[j] = COMBO_MASKS[second[j]]
    for i in range(count):
        own, met = COMBO_MASKS[first[i]], np.int64(0)
        for j in range(rivals):
            is_free = held[j] & own == NO_CARDS
            met += is_free
            deals[count + j] += is_free * runouts
        deals[i] = met * runouts
    # Only on a flop does the first loop run over cards.
    for turn in range(size if known == 3 else np.int64(1)):
        key_4, mask_4, rivers = key, mask, size
        if known == 3:
            key_4, mask_4, rivers = key + deck[turn, 0], mask | deck[turn, 1], np.int64(turn)
        for river in range(rivers):
            key_5, mask_5 = key_4 + deck[river, 0], mask_4 | deck[river, 1]
            for j in range(rivals):
                combo = second[j]
                key_7, mask_7 = key_5 + COMBO_KEYS[combo], mask_5 | COMBO_MASKS[combo]
                strengths[j] = strength(by_key, key_7, mask_7)
                # A combo that the runout blocks shares a card with every other.
                used[j] = held[j] if held[j] & mask_5 == NO_CARDS else ~NO_CARDS
            for i in range(count):
                combo = first[i]
                own = COMBO_MASKS[combo]
                if own & mask_5:
                    continue
                value = np.int64(strength(by_key, key_5 + COMBO_KEYS[combo], mask_5 | own))
                lost = tied = np.int64(0)
                for j in range(rivals):
                    is_free = used[j] & own == NO_CARDS
                    is_lost = is_free & (strengths[j] > value)
                    is_tied = is_free & (strengths[j] == value)
                    lost += is_lost
                    tied += is_tied
                    wins[count + j] += is_lost
                    ties[count + j] += is_tied
                wins[i] -= lost + tied
                ties[i] += tied
    won = tied = played = np.int64(0)
    for i in range(count):
        wins[i] += deals[i]
        won += wins[i]
        tied += ties[i]
        played += deals[i]
    return won, tied, played


def compare_combos_in_numpy(
    table: StrengthTable,
    combos: NDArray[np.intp],
    count: int,
    boards: CardArray,
    gone: np.uint64,
    runouts: int,
    sums: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Do the same as `compare_combos`, in numpy."""
    complete = complete_board(boards, gone)
    strengths, sets = rank_combos_in_numpy(table, complete.cards, combos), COMBO_SETS[combos]
    wins, ties, deals = sums
    for combo, own in enumerate(strengths[:, :count].T):
        met = np.flatnonzero(sets[count:] & sets[combo] == 0) + count
        on_board = own != BLOCKED_16
        # A blocked rival is below every hand, and counts as a win for now.
        rivals, own = strengths[on_board][:, met], own[on_board, None]
        lost, tied = (rivals > own).sum(axis=0), (rivals == own).sum(axis=0)
        wins[met] += lost
        ties[met] += tied
        deals[met] += runouts
        ties[combo], deals[combo] = tied.sum(), len(met) * runouts
        wins[combo] = deals[combo] - lost.sum() - ties[combo]
    won, tied, played = sums[:, :count].sum(axis=1).tolist()
    return won, tied, played

"""Exact method for small spots on a board: every combo of one player against each of the other.

Each combo is ranked once for each runout. There are no weights, and neither match-ups nor boards
are listed, so that a small spot takes some microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import card_set
from holdem.evaluation.builtin.lookup import strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS, SUIT_COUNT_START
from holdem.jit.decorators import kernel
from holdem.jit.numpy_first import kernel_or_numpy
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.counting_in_numpy import compare_combos_in_numpy, estimate_pairs
from holdem.odds.exact.method import ExactMethod
from holdem.odds.exact.ranked_combos import COMBO_KEYS, COMBO_MASKS
from holdem.odds.exact.totals import ComboTotals, PlayerSums, convert_two_players
from holdem.odds.spot import Spot
from holdem.ranges.combos import COMBO_SETS

_COMPARISONS = 4  # that take the time of an evaluation
_START = np.uint64(SUIT_COUNT_START)
_ONE, _NONE = np.uint64(1), np.uint64(0)

#: The deals that the first player wins and ties, and all deals.
_Counts = tuple[int, int, int]


class PairedCombos(ExactMethod):
    """Exact method that compares every combo of one player with each of the other."""

    name = "combos compared in pairs"
    _counts: _Counts

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost; None unless there are two players without weights, on a board and
        with the default evaluator, or for categories.
        """
        if spot.players != 2 or not spot.board or by_category or not spot.evaluator.is_fused:
            return None
        if not spot.is_unweighted:
            return None
        first, second = map(len, spot.live)
        return spot.runouts * (first + second + first * second // _COMPARISONS)

    def tasks(self) -> Iterator[Task[_Counts]]:
        """Make a single task, which compares all combos."""
        yield Task(self._compare, self.total)

    def _compare(self, workers: Workers) -> _Counts:  # noqa: ARG002
        spot = self.spot
        count, rivals = map(len, spot.live)
        cost = estimate_pairs(spot.runouts, count, rivals)
        compare: Callable[..., _Counts] = kernel_or_numpy(
            compare_combos, compare_combos_in_numpy, cost
        )
        self._sums = np.zeros((3, count + rivals), dtype=np.int64)
        board, gone = np.uint64(card_set(spot.board)), np.uint64(spot.gone)
        combos = np.concatenate(spot.live)
        return compare(combos, count, board, gone, spot.runouts, self._sums)

    def add(self, part: _Counts) -> bool:
        """Keep the counts; return False, because every task is needed."""
        self._counts = part
        return False

    def player_sums(self) -> tuple[PlayerSums, ...]:
        """Convert the counts to both players' sums."""
        return convert_two_players(*self._counts)

    def totals(self) -> tuple[ComboTotals, ...]:
        """Compute the wins, ties, losses and pot shares of each player's combos."""
        first, second = self.spot.live
        split = np.split(self._sums.astype(np.float64), [len(first)], axis=1)
        return _make_totals(first, split[0]), _make_totals(second, split[1])


def _make_totals(combos: NDArray[np.intp], sums: NDArray[np.float64]) -> ComboTotals:
    wins, ties, deals = sums
    return ComboTotals(combos, wins, ties, deals - wins - ties, wins + ties / 2)


@kernel
def compare_combos(
    combos: NDArray[np.intp],
    count: int,
    board: np.uint64,
    gone: np.uint64,
    runouts: int,
    sums: NDArray[np.int64],
) -> tuple[Any, Any, Any]:
    """Count the deals that each combo wins and ties over all runouts of a board.

    Each combo is ranked once for each runout. LLVM makes vector code of the innermost loop.

    Args:
        combos: the first player's combos, then the second's, ``intp (combo,)``; none shares a
            card with the board.
        count: the number of the first player's combos.
        board: the set of the 3 to 5 known cards of the board.
        gone: the set of all cards that cannot be dealt, with those of the board.
        runouts: the number of runouts of a match-up.
        sums: zeros, ``int64 (3, combo)``; receives the deals that each combo wins, ties and plays.

    Returns:
        The deals that the first player wins and ties, and all deals.
    """
    key, mask, to_come = _START, _NONE, 5
    for card in range(np.uint64(52)):
        if board >> card & _ONE:
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
            to_come -= 1
    keys, masks = np.empty(1326, dtype=np.uint64), np.empty(1326, dtype=np.uint64)
    sets = np.empty(1326, dtype=np.uint64)
    dealt = 0
    if to_come == 0:
        keys[0], masks[0], sets[0], dealt = key, mask, _NONE, 1
    for card in range(np.uint64(52 if to_come == 1 else 0)):
        if not gone >> card & _ONE:
            keys[dealt], masks[dealt] = key + CARD_KEYS[card], mask | CARD_MASKS[card]
            sets[dealt] = _ONE << card
            dealt += 1
    for combo in range(1326 if to_come == 2 else 0):
        if not COMBO_SETS[combo] & gone:
            keys[dealt], masks[dealt] = key + COMBO_KEYS[combo], mask | COMBO_MASKS[combo]
            sets[dealt] = COMBO_SETS[combo]
            dealt += 1
    first, second = combos[:count], combos[count:]
    rivals = len(second)
    wins, ties, deals = sums[0], sums[1], sums[2]
    strengths = np.empty(rivals, dtype=np.int64)
    held, used = np.empty(rivals, dtype=np.uint64), np.empty(rivals, dtype=np.uint64)
    for j in range(rivals):
        held[j] = COMBO_SETS[second[j]]
    for i in range(count):
        own, met = COMBO_SETS[first[i]], np.int64(0)
        for j in range(rivals):
            is_free = held[j] & own == _NONE
            met += is_free
            deals[count + j] += is_free * runouts
        deals[i] = met * runouts
    for n in range(dealt):
        for j in range(rivals):
            combo = second[j]
            strengths[j] = strength(keys[n] + COMBO_KEYS[combo], masks[n] | COMBO_MASKS[combo])
            # A combo that the runout blocks shares a card with every other.
            used[j] = held[j] if held[j] & sets[n] == _NONE else ~_NONE
        for i in range(count):
            combo = first[i]
            own = COMBO_SETS[combo]
            if own & sets[n]:
                continue
            value = np.int64(strength(keys[n] + COMBO_KEYS[combo], masks[n] | COMBO_MASKS[combo]))
            lost = tied = np.int64(0)
            for j in range(rivals):
                is_free = used[j] & own == _NONE
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

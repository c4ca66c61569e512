"""Exact method that counts the winners of each match-up separately, by tables of strengths.

On a board, every runout is dealt. Before the flop, match-ups are counted by the ranks of the
board. For two players this is 50 times as fast as dealing every board (0.06 instead of 3.2 ms
for each match-up), and for three players 20 times as fast (0.4 instead of 8 ms).

Unless a player makes a flush, only the ranks of a board matter. So all multisets of five ranks
(6,175 at most) are first counted without flushes, each weighted by the number of boards that
have these ranks. Then, suit by suit, the outcome of each board that makes a flush is subtracted
and the true one is added. A flush needs three board cards of its suit, so no two suits overlap.
Seven cards with a flush contain neither a full house nor four of a kind, so the flush is the
best hand. AcAs and KdKh take 41,000 evaluations, instead of 3.4 million over 1,712,304 boards.
Two players have counts of their own, which are three times as fast as those for any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_tables import RANK_KEYS, StrengthTable
from holdem.jit.kernels import inlined, interruptible, kernel, kernel_or_numpy, popcount, unowned
from holdem.jobs.run import Task
from holdem.jobs.workers import Workers
from holdem.odds.exact.matchup_method import MatchupMethod, estimate_matchups
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
    """Exact method that counts the winners of each match-up separately, by tables of strengths."""

    name = "known hands"

    @classmethod
    def cost(cls, spot: Spot, *, by_category: bool = False) -> int | None:
        """Estimate the cost; return None if the evaluator has no tables, if there are too many
        match-ups to list, or by category on a board, where `RankedBoards` is as fast.
        """
        matchups = count_listable_matchups(spot) if spot.evaluator.has_tables else None
        if matchups is None:
            return None
        orbits = -(-matchups // len(card_fixing_permutations(spot)))
        if spot.board:
            return None if by_category else orbits * spot.runouts * spot.players
        return orbits * (_TWO_PLAYERS if spot.players == 2 else spot.players * _PLAYER)

    def prepare(self) -> None:
        """Load the tables and list the match-ups."""
        self._table = require_table(self.spot)
        super().prepare()
        self._holes: CardArray = COMBO_CARDS.take(self._matchups.representatives, axis=0)

    def tasks(self) -> Iterator[Task[_Part]]:
        """Yield tasks that each count the winners of one batch of match-ups."""
        spot, count = self.spot, len(self._holes)
        if not spot.board:
            self._order = sort_by_ranks(self._holes)
            call = self._count_categories if self.by_category else self._count_before_flop
            return self.batches(call, count, _MATCHUPS_PER_TASK)
        from holdem.odds.exact.matchup_method import (
            count_over_runouts,
            count_over_runouts_in_numpy,
        )

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
        """Add the counts of a batch of match-ups; return False, because every task is needed."""
        rows, sums = part
        self._sums[rows] += sums
        return False


def sort_by_ranks(holes: CardArray) -> NDArray[np.intp]:
    """Sort match-ups so that those with the same hole-card ranks are adjacent.

    The kernels count by ranks only once for adjacent match-ups of equal ranks.

    Args:
        holes: ``uint8 (match-up, player, 2)``.

    Returns:
        The indices of the match-ups in order, ``intp (match-up,)``.
    """
    return np.lexsort((holes >> 2).reshape(len(holes), -1).T)


def count_known_hands(table: StrengthTable, holes: CardArray, gone: int = 0) -> NDArray[np.int64]:
    """Count the winners of each match-up over all boards, before the flop.

    Args:
        table: the table of hands of seven cards.
        holes: ``uint8 (match-up, player, 2)``, 2 to 10 players, all cards of a match-up
            different. In the order of `sort_by_ranks` they take half the time.
        gone: the set of other cards that cannot be dealt.

    Returns:
        How often each set of players (bits) shared the best hand, ``int64 (match-up,
        2^players)``.
    """
    players = holes.shape[1]
    count = interruptible(count_two_known_hands if players == 2 else count_many_known_hands)
    counts = np.zeros((len(holes), 1 << players), dtype=np.int64)
    count(table, np.ascontiguousarray(holes), np.uint64(gone), counts)
    return counts


# --- kernels -----------------------------------------------------------------------------

# The key of each rank, ``uint32 (rank,)``.
_KEYS: NDArray[np.uint32] = np.array(RANK_KEYS, dtype=np.uint32)

_SETS = np.arange(1 << 13, dtype=np.uint64)
_IN_SET = (_SETS[:, None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)).astype(np.uint32)

# The sum of the keys of each set of ranks, ``uint32 (set of ranks,)``.
_KEY_SUMS: NDArray[np.uint32] = (_IN_SET * _KEYS).sum(axis=1).astype(np.uint32)

# The sets of 0 to 5 ranks, by size, ``uint64 (set,)``.
_SETS_BY_SIZE: NDArray[np.uint64] = np.concatenate(
    [_SETS[np.bitwise_count(_SETS) == size] for size in range(6)]
)
# The index of the first set of each size, and the end, ``int64 (7,)``.
_SIZE_STARTS: NDArray[np.int64] = np.searchsorted(
    np.bitwise_count(_SETS_BY_SIZE), np.arange(7)
).astype(np.int64)

_ALL_RANKS = np.uint64(0x1FFF)
_ONE = np.uint64(1)
_NONE = np.int64(0), np.int64(0)


# --- the cards of a match-up --------------------------------------------------------------


class Dealt(NamedTuple):
    """The players' hole cards in a match-up and the cards left in the deck.

    Created by `allocate_dealt`.
    """

    left: NDArray[np.int64]
    """The number of cards of each rank left in the deck, ``int64 (rank,)``."""
    free: NDArray[np.uint64]
    """The set of ranks of each suit left in the deck, ``uint64 (suit,)``."""
    held: NDArray[np.uint64]
    """The set of ranks of each suit in a player's hole cards, ``uint64 (player, suit)``."""
    keys: NDArray[np.uint32]
    """The key sum of each player's hole cards, ``uint32 (player,)``."""
    table: StrengthTable
    """The table of hands of seven cards."""


@inlined
def allocate_dealt(players: int, table: StrengthTable) -> Dealt:
    """Allocate a `Dealt` of uninitialized arrays for `deal_matchup` to fill."""
    return Dealt(
        np.empty(13, dtype=np.int64),
        np.empty(4, dtype=np.uint64),
        np.empty((players, 4), dtype=np.uint64),
        np.empty(players, dtype=np.uint32),
        unowned(table),
    )


@inlined
def deal_matchup(holes: CardArray, row: int, gone: np.uint64, dealt: Dealt) -> None:
    """Fill `dealt` with a match-up's hole cards and the rest of the deck, without the cards in
    `gone`.
    """
    left, free, held, keys = dealt.left, dealt.free, dealt.held, dealt.keys
    left[:], free[:], held[:], keys[:] = 4, _ALL_RANKS, np.uint64(0), np.uint32(0)
    for card in range(np.uint64(52)):
        if gone >> card & _ONE:
            left[card >> np.uint64(2)] -= 1
            free[card & np.uint64(3)] &= ~(_ONE << (card >> np.uint64(2)))
    for player in range(np.uint64(holes.shape[1])):
        for n in range(np.uint64(2)):
            rank = np.uint64(holes[row, player, n] >> 2)
            suit = np.uint64(holes[row, player, n] & 3)
            left[rank] -= 1
            free[suit] &= ~(_ONE << rank)
            held[player, suit] |= _ONE << rank
            keys[player] = np.uint32(keys[player] + _KEYS[rank])


@inlined
def has_same_ranks(holes: CardArray, row: int) -> bool:
    """Check whether every player holds the same ranks as in the previous match-up."""
    if row == 0:
        return False
    for player in range(holes.shape[1]):
        for card in range(2):
            if holes[row, player, card] >> 2 != holes[row - 1, player, card] >> 2:
                return False
    return True


@inlined
def count_equivalent_suits(suit: int, dealt: Dealt) -> int:
    """Count the suits equivalent to `suit`, itself included; return 0 if a lower one is among them.

    In equivalent suits, every player and the deck have the same ranks. The lowest suit represents
    all of them.
    """
    free, held, count = dealt.free, dealt.held, 1
    for other in range(4):
        same = other != suit and free[other] == free[suit]
        for player in range(held.shape[0]):
            same = same and held[player, other] == held[player, suit]
        if same and other < suit:
            return 0
        count += same
    return count


@inlined
def count_most_held(suit: int, dealt: Dealt) -> int:
    """Find the largest number of hole cards that any player has in a suit: 0, 1 or 2."""
    most = 0
    for player in range(len(dealt.held)):
        ranks = dealt.held[player, suit]
        if ranks:
            most = max(most, 2 if ranks & (ranks - _ONE) else 1)
    return most


@inlined
def list_others(
    size: int, suit: int, dealt: Dealt, keys: NDArray[np.uint32], ways: NDArray[np.int64]
) -> np.uint64:
    """List the multisets of `size` ranks (0 to 2) that the deck's cards outside `suit` can form.

    Fills `keys` with key sums and `ways` with the number of choices of cards; returns the
    number of multisets. Multisets that the deck cannot form are left out, because their key
    sums may lie outside the table.
    """
    left, free = dealt.left, dealt.free[suit]
    if size == 0:
        keys[0], ways[0] = np.uint32(0), 1
        return _ONE
    count = np.uint64(0)
    for rank in range(np.uint64(13)):
        here = left[rank] - np.int64(free >> rank & _ONE)
        if here == 0:
            continue
        if size == 1:
            keys[count], ways[count] = _KEYS[rank], here
            count += _ONE
            continue
        if here > 1:
            keys[count], ways[count] = np.uint32(_KEYS[rank] + _KEYS[rank]), here * (here - 1) // 2
            count += _ONE
        for lower in range(rank):
            there = left[lower] - np.int64(free >> lower & _ONE)
            if there:
                keys[count], ways[count] = np.uint32(_KEYS[rank] + _KEYS[lower]), here * there
                count += _ONE
    return count


# --- boards and their winners ---------------------------------------------------------------


@inlined
def find_two_flushes(
    ranks: np.uint64,
    suit: int,
    dealt: Dealt,
    flushes: NDArray[np.uint16],  # noqa: ARG001
) -> tuple[np.uint16, Any]:
    """Find the strength of each of two players' flushes; see `find_many_flushes`."""
    held, strengths = dealt.held, dealt.table
    first, second = strengths[ranks | held[0, suit]], strengths[ranks | held[1, suit]]
    return first | second, (first, second)


@inlined
def find_many_flushes(
    ranks: np.uint64, suit: int, dealt: Dealt, flushes: NDArray[np.uint16]
) -> tuple[np.uint16, Any]:
    """Find the strength of each player's flush in a suit, given the board's ranks; 0 if none.

    Args:
        ranks: the set of the board's ranks of the suit.
        suit: the suit.
        dealt: the match-up.
        flushes: written, ``uint16 (player,)``.

    Returns:
        A number that is 0 if no player has a flush, and the strengths.
    """
    some = np.uint16(0)
    for player in range(np.uint64(len(flushes))):
        flushes[player] = dealt.table[ranks | dealt.held[player, suit]]
        some |= flushes[player]
    return some, flushes


@inlined
def _add_two(
    ways: np.int64, key: np.uint32, dealt: Dealt, flushes: Any, _: Any, counts: Any
) -> tuple[np.int64, np.int64]:
    """Add boards to the first player's wins and ties, `counts`; return the new counts.

    With flushes, boards already counted without them are moved to their true outcome.
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
    """Add boards to the tally, ``int64 (2^players,)``, by set of winners; return `counts` as given.

    With flushes, boards already counted without them are moved to their true winners.
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
    """Counts of a match-up's boards, and the category of each strength."""

    of_strength: NDArray[np.uint8]
    """The category of each strength, ``uint8 (strength,)``."""
    boards: NDArray[np.int64]
    """The counts, in the form of the sums of `MatchupMethod`, ``int64 (player, category, players
    + 1)``."""


@inlined
def _rank(key: np.uint32, dealt: Dealt, flushes: Any, player: int | np.uint64) -> Any:
    """Rank a player's hand, given the key sum of the board and the players' flushes, if any."""
    value = rank_strength(dealt.table, np.uint32(key + dealt.keys[player]))
    if flushes is None:
        return value
    return flushes[player] if flushes[player] else value


@inlined
def _add_to_categories(
    ways: np.int64, key: np.uint32, dealt: Dealt, flushes: Any, tally: _CategoryTally
) -> None:
    """Add boards to the tally, by each player's category and the number of winners."""
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
    """Add boards to the tally by category, and return `counts` as given.

    With flushes, boards already counted without them are moved to their true outcome.
    """
    if flushes is not None:
        _add_to_categories(-ways, key, dealt, None, tally)
    _add_to_categories(ways, key, dealt, flushes, tally)
    return counts


@inlined
def count_by_ranks(dealt: Dealt, add: Callable[..., Any], tally: Any, counts: Any) -> Any:
    """Count a match-up's outcomes over all boards by their ranks, as if there were no flushes.

    The ranks of a board are in descending order. `ways` counts the choices of cards so far:
    one more card of a rank already taken t times multiplies it by (left - t) / (t + 1).

    Args:
        dealt: the match-up.
        add: `_add_two`, `_add_winners` or `_add_categories`. Its arguments are the number of
            boards, the key sum of the board, the match-up, the players' flushes or None, the
            tally, and the counts so far. It changes the tally in place, and returns the new
            counts: for two players, numbers in registers are the fastest.
        tally: the tally; None for two players.
        counts: the counts so far.
    """
    left = dealt.left
    for a in range(np.uint64(13)):
        ways_a, key_a = left[a], _KEYS[a]
        for b in range(a + _ONE):
            taken_b = np.int64(b == a)
            ways_b = ways_a * (left[b] - taken_b) // (taken_b + 1)
            key_b = np.uint32(key_a + _KEYS[b])
            if ways_b == 0:
                continue
            for c in range(b + _ONE):
                taken_c = taken_b + 1 if c == b else np.int64(0)
                ways_c = ways_b * (left[c] - taken_c) // (taken_c + 1)
                key_c = np.uint32(key_b + _KEYS[c])
                if ways_c == 0:
                    continue
                for d in range(c + _ONE):
                    taken_d = taken_c + 1 if d == c else np.int64(0)
                    ways_d = ways_c * (left[d] - taken_d) // (taken_d + 1)
                    key_d = np.uint32(key_c + _KEYS[d])
                    if ways_d == 0:
                        continue
                    for e in range(d + _ONE):
                        taken_e = taken_d + 1 if e == d else np.int64(0)
                        ways = ways_d * (left[e] - taken_e) // (taken_e + 1)
                        if ways:
                            key = np.uint32(key_d + _KEYS[e])
                            counts = add(ways, key, dealt, None, tally, counts)
    return counts


@inlined
def correct_for_flushes(
    dealt: Dealt, find: Callable[..., Any], add: Callable[..., Any], tally: Any, counts: Any
) -> Any:
    """Correct the counts of `count_by_ranks` for the boards on which a player makes a flush.

    The arguments are those of `count_by_ranks`, and `find`, which is `find_two_flushes` or
    `find_many_flushes`.
    """
    other_keys, other_ways = np.empty(91, dtype=np.uint32), np.empty(91, dtype=np.int64)
    room = np.empty(len(dealt.keys), dtype=np.uint16)
    for suit in range(4):
        suits = count_equivalent_suits(suit, dealt)
        if suits == 0:
            continue
        for size in range(5 - count_most_held(suit, dealt), 6):
            others = list_others(5 - size, suit, dealt, other_keys, other_ways)
            for other in range(others):
                other_ways[other] *= suits
            for n in range(np.uint64(_SIZE_STARTS[size]), np.uint64(_SIZE_STARTS[size + 1])):
                ranks = _SETS_BY_SIZE[n]
                if ranks & ~dealt.free[suit]:
                    continue
                some, flushes = find(ranks, suit, dealt, room)
                if some == 0:
                    continue
                for other in range(others):
                    key = np.uint32(_KEY_SUMS[ranks] + other_keys[other])
                    counts = add(other_ways[other], key, dealt, flushes, tally, counts)
    return counts


# --- called from Python ---------------------------------------------------------------------


@kernel
def count_two_known_hands(
    table: StrengthTable, holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]
) -> None:
    """Count the winners of each two-player match-up over all boards.

    The count by ranks is reused if the next match-up has the same ranks, so a list in which
    such match-ups are adjacent takes half the time.

    Args:
        table: the table of hands of seven cards.
        holes: ``uint8 (match-up, 2, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            4)``, updated in place.
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
    """Count the winners of each match-up of 2 to 10 players over all boards.

    Args:
        table: the table of hands of seven cards.
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            2^players)``, updated in place.
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
    """Sum each player's outcomes by category over all boards, for match-ups before the flop.

    The count by ranks is reused if the next match-up has the same ranks.

    Args:
        table: the table of hands of seven cards.
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        weights: the weight of each match-up, ``float64 (match-up,)``.
        of_strength: the category of each strength, ``uint8 (strength,)``.
        sums: ``float64 (player, category, players + 1)``, as in `MatchupMethod`; updated in
            place.
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

"""Kernels that count the winners of preflop match-ups by the ranks on the board.

Unless a player makes a flush, only the ranks of a board matter. So all multisets of five ranks
(6,175 at most) are first counted without flushes, each weighted by the number of boards that
have these ranks. Then, suit by suit, the outcome of each board that makes a flush is subtracted
and the true one is added. A flush needs three board cards of its suit, so no two suits overlap.
Seven cards with a flush contain neither a full house nor four of a kind, so the flush is the
best hand. AcAs and KdKh take 41,000 evaluations, instead of 3.4 million over 1,712,304 boards.

The separate loops for two players are three times as fast as those for any number of players.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_keys import RANK_KEYS
from holdem.evaluation.builtin.lookup_tables import FLUSH_STRENGTHS
from holdem.jit.decorators import inlined, kernel, popcount
from holdem.odds.tally import add_weighted, update_winners

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


@inlined
def allocate_dealt(players: int) -> Dealt:
    """Allocate a `Dealt` of uninitialized arrays for `deal_matchup` to fill."""
    return Dealt(
        np.empty(13, dtype=np.int64),
        np.empty(4, dtype=np.uint64),
        np.empty((players, 4), dtype=np.uint64),
        np.empty(players, dtype=np.uint32),
    )


@inlined
def deal_matchup(holes: CardArray, row: int, gone: np.uint64, dealt: Dealt) -> None:
    """Fill `dealt` with a match-up's hole cards and the rest of the deck, without the cards in
    `gone`.
    """
    left, free, held, keys = dealt
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
    """Count the suits equivalent to `suit`; return 0 if a lower suit is one of them.

    In equivalent suits, every player and the deck have the same ranks. The first suit represents
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


# --- two players --------------------------------------------------------------------------


@inlined
def _count_two_by_ranks(dealt: Dealt) -> tuple[np.int64, np.int64]:
    """Count the boards that the first of two hands wins, and the boards it ties, ignoring flushes.

    The ranks of a board are in descending order. `ways` counts the choices of cards so far:
    one more card of a rank already taken t times multiplies it by (left - t) / (t + 1).
    """
    left, first, second = dealt.left, dealt.keys[0], dealt.keys[1]
    wins, ties = np.int64(0), np.int64(0)
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
                        if ways == 0:
                            continue
                        key = np.uint32(key_d + _KEYS[e])
                        mine = rank_strength(np.uint32(key + first))
                        theirs = rank_strength(np.uint32(key + second))
                        wins += ways * np.int64(mine > theirs)
                        ties += ways * np.int64(mine == theirs)
    return wins, ties


@inlined
def _correct_two_for_flushes(
    dealt: Dealt, other_keys: NDArray[np.uint32], other_ways: NDArray[np.int64]
) -> tuple[np.int64, np.int64]:
    """Count the changes that flushes make to the first hand's wins and to the ties.

    `other_keys` and `other_ways` are scratch arrays of length 91.
    """
    held, keys = dealt.held, dealt.keys
    all_wins, all_ties = np.int64(0), np.int64(0)
    for suit in range(4):
        suits = count_equivalent_suits(suit, dealt)
        if suits == 0:
            continue
        wins, ties = np.int64(0), np.int64(0)
        for size in range(5 - count_most_held(suit, dealt), 6):
            others = list_others(5 - size, suit, dealt, other_keys, other_ways)
            for n in range(np.uint64(_SIZE_STARTS[size]), np.uint64(_SIZE_STARTS[size + 1])):
                ranks = _SETS_BY_SIZE[n]
                if ranks & ~dealt.free[suit]:
                    continue
                flush_a = FLUSH_STRENGTHS[ranks | held[0, suit]]
                flush_b = FLUSH_STRENGTHS[ranks | held[1, suit]]
                if flush_a == 0 and flush_b == 0:
                    continue
                key = _KEY_SUMS[ranks]
                key_a, key_b = np.uint32(key + keys[0]), np.uint32(key + keys[1])
                for other in range(others):
                    ways = other_ways[other]
                    a = rank_strength(np.uint32(key_a + other_keys[other]))
                    b = rank_strength(np.uint32(key_b + other_keys[other]))
                    wins -= ways * np.int64(a > b)
                    ties -= ways * np.int64(a == b)
                    # A hand without a flush keeps its strength by ranks.
                    a, b = flush_a if flush_a else a, flush_b if flush_b else b
                    wins += ways * np.int64(a > b)
                    ties += ways * np.int64(a == b)
        all_wins += suits * wins
        all_ties += suits * ties
    return all_wins, all_ties


@kernel
def count_two_known_hands(holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]) -> None:
    """Count the winners of each two-player match-up over all boards.

    The count by ranks is reused if the next match-up has the same ranks, so a list in which
    such match-ups are adjacent takes half the time.

    Args:
        holes: ``uint8 (match-up, 2, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            4)``, updated in place.
    """
    dealt = allocate_dealt(2)
    other_keys, other_ways = np.empty(91, dtype=np.uint32), np.empty(91, dtype=np.int64)
    rank_wins, rank_ties = np.int64(0), np.int64(0)
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            rank_wins, rank_ties = _count_two_by_ranks(dealt)
        wins, ties = _correct_two_for_flushes(dealt, other_keys, other_ways)
        cards = dealt.left.sum()
        boards = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) // 120
        counts[row, 1] += rank_wins + wins
        counts[row, 2] += boards - rank_wins - wins - rank_ties - ties
        counts[row, 3] += rank_ties + ties


# --- any number of players ----------------------------------------------------------------


@inlined
def _add_winners(
    ways: np.int64,
    winners: np.uint64,
    key: np.uint32,  # noqa: ARG001
    keys: NDArray[np.uint32],  # noqa: ARG001
    flushes: NDArray[np.uint16],  # noqa: ARG001
    counts: NDArray[np.int64],
) -> None:
    """Add boards to the count for their set of winners."""
    counts[winners] += ways


@inlined
def count_many_by_ranks(
    dealt: Dealt, no_flushes: NDArray[np.uint16], add: Callable[..., None], counts: Any
) -> None:
    """Enumerate a match-up's boards by rank and count them with `add`, ignoring flushes.

    This is `_count_two_by_ranks` as one loop: `ranks[n]` is the n-th rank of the board.

    Args:
        dealt: the match-up.
        no_flushes: zeros, ``uint16 (player,)``.
        add: counts boards, as `_add_winners` does. Its arguments are the number of boards, the
            set of winners, the key sums of the board and of each player's hole cards, the
            strength of each player's flush, 0 without one, and `counts`.
        counts: the last argument of `add`.
    """
    left, keys = dealt.left, dealt.keys
    ranks, taken = np.zeros(6, dtype=np.int64), np.zeros(6, dtype=np.int64)
    ways, sums = np.zeros(6, dtype=np.int64), np.zeros(6, dtype=np.uint32)
    ranks[0], ways[0] = 12, 1
    ranks[1], n = -1, 1
    while n > 0:
        ranks[n] += 1
        rank = ranks[n]
        if rank > ranks[n - 1]:
            n -= 1
            continue
        again = n > 1 and rank == ranks[n - 1]
        taken[n] = taken[n - 1] + 1 if again else 0
        ways[n] = ways[n - 1] * (left[rank] - taken[n]) // (taken[n] + 1)
        if ways[n] == 0:
            continue
        sums[n] = np.uint32(sums[n - 1] + _KEYS[rank])
        if n < 5:
            n += 1
            ranks[n] = -1
            continue
        best, winners = np.uint16(0), np.uint64(0)
        for player in range(np.uint64(len(keys))):
            value = rank_strength(np.uint32(sums[5] + keys[player]))
            best, winners = update_winners(best, winners, value, _ONE << player)
        add(ways[5], winners, sums[5], keys, no_flushes, counts)


@inlined
def correct_many_for_flushes(
    dealt: Dealt, no_flushes: NDArray[np.uint16], add: Callable[..., None], counts: Any
) -> None:
    """Correct the counts of `count_many_by_ranks` for the boards on which a player makes a flush.

    The arguments are those of `count_many_by_ranks`.
    """
    other_keys, other_ways = np.empty(91, dtype=np.uint32), np.empty(91, dtype=np.int64)
    flushes = np.empty_like(no_flushes)
    held, keys = dealt.held, dealt.keys
    players = np.uint64(len(keys))
    for suit in range(4):
        suits = count_equivalent_suits(suit, dealt)
        if suits == 0:
            continue
        for size in range(5 - count_most_held(suit, dealt), 6):
            others = list_others(5 - size, suit, dealt, other_keys, other_ways)
            for n in range(np.uint64(_SIZE_STARTS[size]), np.uint64(_SIZE_STARTS[size + 1])):
                ranks = _SETS_BY_SIZE[n]
                if ranks & ~dealt.free[suit]:
                    continue
                some = np.uint16(0)
                for player in range(players):
                    flushes[player] = FLUSH_STRENGTHS[ranks | held[player, suit]]
                    some |= flushes[player]
                if some == 0:
                    continue
                for other in range(others):
                    key = np.uint32(_KEY_SUMS[ranks] + other_keys[other])
                    ways = suits * other_ways[other]
                    best, winners = np.uint16(0), np.uint64(0)  # by ranks
                    true_best, true_winners = np.uint16(0), np.uint64(0)
                    for player in range(players):
                        mine, value = _ONE << player, rank_strength(np.uint32(key + keys[player]))
                        best, winners = update_winners(best, winners, value, mine)
                        value = flushes[player] if flushes[player] else value
                        true_best, true_winners = update_winners(
                            true_best, true_winners, value, mine
                        )
                    add(-ways, winners, key, keys, no_flushes, counts)
                    add(ways, true_winners, key, keys, flushes, counts)


@kernel
def count_many_known_hands(holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]) -> None:
    """Count the winners of each match-up of 2 to 10 players over all boards.

    Args:
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        counts: how often each set of players (bits) shared the best hand, ``int64 (match-up,
            2^players)``, updated in place.
    """
    players = holes.shape[1]
    dealt = allocate_dealt(players)
    no_flushes = np.zeros(players, dtype=np.uint16)
    by_ranks = np.zeros(1 << players, dtype=np.int64)
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            by_ranks[:] = 0
            count_many_by_ranks(dealt, no_flushes, _add_winners, by_ranks)
        tally = counts[row]
        for winners in range(len(tally)):
            tally[winners] += by_ranks[winners]
        correct_many_for_flushes(dealt, no_flushes, _add_winners, tally)


# --- by category --------------------------------------------------------------------------


class _CategoryCounts(NamedTuple):
    """Counts of a match-up's boards, and the category of each strength."""

    of_strength: NDArray[np.uint8]
    """``uint8 (strength,)``."""
    boards: NDArray[np.int64]
    """As the sums of `MatchupMethod`, ``int64 (player, category, players + 1)``."""


@inlined
def _add_categories(
    ways: np.int64,
    winners: np.uint64,
    key: np.uint32,
    keys: NDArray[np.uint32],
    flushes: NDArray[np.uint16],
    counts: _CategoryCounts,
) -> None:
    """Add boards to the counts by each player's category and the number of winners.

    This is an argument of `count_many_by_ranks`.
    """
    for player in range(np.uint64(len(keys))):
        flush = flushes[player]
        value = flush if flush else rank_strength(np.uint32(key + keys[player]))
        shared = popcount(winners) * (winners >> player & _ONE)
        counts.boards[player, counts.of_strength[value], shared] += ways


@kernel
def count_known_hands_by_category(
    holes: CardArray,
    gone: np.uint64,
    weights: NDArray[np.float64],
    of_strength: NDArray[np.uint8],
    sums: NDArray[np.float64],
) -> None:
    """Sum each player's outcomes by category over all boards, for match-ups before the flop.

    The count by ranks is reused if the next match-up has the same ranks.

    Args:
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        gone: the set of other cards that cannot be dealt.
        weights: the weight of each match-up, ``float64 (match-up,)``.
        of_strength: the category of each strength of the default evaluator, ``uint8
            (strength,)``.
        sums: ``float64 (player, category, players + 1)``, as in `MatchupMethod`; updated in
            place.
    """
    dealt = allocate_dealt(holes.shape[1])
    no_flushes = np.zeros(holes.shape[1], dtype=np.uint16)
    by_ranks = _CategoryCounts(of_strength, np.zeros(sums.shape, dtype=np.int64))  # for its type
    for row in range(len(holes)):
        deal_matchup(holes, row, gone, dealt)
        if not has_same_ranks(holes, row):
            by_ranks = _CategoryCounts(of_strength, np.zeros(sums.shape, dtype=np.int64))
            count_many_by_ranks(dealt, no_flushes, _add_categories, by_ranks)
        counts = _CategoryCounts(of_strength, by_ranks.boards.copy())
        correct_many_for_flushes(dealt, no_flushes, _add_categories, counts)
        add_weighted(weights[row], counts.boards, sums)

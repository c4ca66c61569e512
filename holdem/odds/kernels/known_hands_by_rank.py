"""Known hands before the flop, counted by the ranks of the board and not by its cards.

A board counts by its ranks alone unless it gives somebody a flush. So first all multisets
of five ranks (6,175 at most) decide, flushes left aside, each as often as the deck has it.
Then, suit by suit, the boards that make a flush in that suit take back the outcome by ranks
and put down the real one. A flush needs three board cards of its suit, so no two suits
overlap; and with a flush in seven cards there is neither a full house nor four of a kind,
so the flush is the best hand. Two hands take some 35,000 evaluations in this way; run over
1,712,304 boards they take 3.4 million.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.compilation import inlined, kernel
from holdem.evaluation.lookup.kernels import rank_strength
from holdem.evaluation.lookup.keys import RANK_KEYS
from holdem.evaluation.lookup.tables import FLUSH_STRENGTHS

_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_SETS = np.arange(1 << 13, dtype=np.uint64)
_SIZES = np.bitwise_count(_SETS)
_IN_SET = (_SETS[:, None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)).astype(np.uint32)
# The sum of the keys of a set of ranks, uint32 (set of ranks,).
_KEY_SUMS = (_IN_SET * _KEYS).sum(axis=1).astype(np.uint32)
# The sets of 0 to 5 ranks, one size after the other, and where each size begins.
_SETS_BY_SIZE = np.concatenate([_SETS[_SIZES == size] for size in range(6)])
_STARTS = np.searchsorted(_SIZES[_SETS_BY_SIZE], np.arange(7)).astype(np.int64)
_ALL_RANKS = np.uint64(0x1FFF)
_ONE = np.uint64(1)


@inlined
def _take_cards(
    holes: CardArray,
    row: int,
    gone: np.uint64,
    left: NDArray[np.int64],
    free: NDArray[np.uint64],
    held: NDArray[np.uint64],
    keys: NDArray[np.uint32],
) -> int:
    """Fill in what the players of a match-up hold and the deck has left.

    `left` is ``int64 (rank,)``, the cards left; `free` ``uint64 (suit,)`` the sets of ranks
    left; `held` ``uint64 (player, suit)`` the sets of ranks in each hole; `keys` ``uint32
    (player,)`` the key sums of the holes. Returns the number of cards left.
    """
    left[:], free[:], held[:], keys[:] = 4, _ALL_RANKS, np.uint64(0), np.uint32(0)
    size = 52
    for card in range(np.uint64(52)):
        if gone >> card & _ONE:
            left[card >> np.uint64(2)] -= 1
            free[card & np.uint64(3)] &= ~(_ONE << (card >> np.uint64(2)))
            size -= 1
    for player in range(np.uint64(holes.shape[1])):
        for place in range(np.uint64(2)):
            rank, suit = (
                np.uint64(holes[row, player, place] >> 2),
                np.uint64(holes[row, player, place] & 3),
            )
            left[rank] -= 1
            free[suit] &= ~(_ONE << rank)
            held[player, suit] |= _ONE << rank
            keys[player] = np.uint32(keys[player] + _KEYS[rank])
            size -= 1
    return size


@inlined
def _same_ranks(holes: CardArray, row: int) -> bool:
    """Whether all players of a match-up have the ranks they had in the one before it."""
    if row == 0:
        return False
    for player in range(holes.shape[1]):
        for place in range(2):
            if holes[row, player, place] >> 2 != holes[row - 1, player, place] >> 2:
                return False
    return True


@inlined
def _alike_suits(suit: int, free: NDArray[np.uint64], held: NDArray[np.uint64]) -> int:
    """Return how many suits are like `suit` for everybody, 0 if an earlier one stands for it."""
    times = 1
    for other in range(4):
        same = other != suit and free[other] == free[suit]
        for player in range(held.shape[0]):
            same = same and held[player, other] == held[player, suit]
        if same and other < suit:
            return 0
        times += same
    return times


@inlined
def _most_held(suit: int, held: NDArray[np.uint64]) -> int:
    """Return the most cards of a suit that a player holds: 0, 1 or 2."""
    most = 0
    for player in range(held.shape[0]):
        ranks = held[player, suit]
        if ranks:
            most = max(most, 2 if ranks & (ranks - _ONE) else 1)
    return most


@inlined
def _list_others(
    size: int,
    left: NDArray[np.int64],
    free: np.uint64,
    keys: NDArray[np.uint32],
    ways: NDArray[np.int64],
) -> np.uint64:
    """List the multisets of `size` (0 to 2) ranks that cards of the other suits can have.

    `free` is the set of ranks left in the suit of the flush. Fills `keys` with key sums and
    `ways` with the number of choices of cards; returns how many multisets there are. Those
    without a choice are left out: their key sums may lie outside the table.
    """
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
def _two_by_ranks(first: np.uint32, second: np.uint32, left: NDArray[np.int64]) -> tuple[int, int]:
    """Count the boards that the first of two hands wins, and the ties, flushes left aside.

    `first` and `second` are the key sums of the holes, `left` as in `_take_cards`. Ranks go
    down along the board; `ways` counts the choices of cards so far, and a rank that has
    been taken t times already has (left - t) / (t + 1) times as many with one more.
    """
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
def _two_by_flushes(
    left: NDArray[np.int64],
    free: NDArray[np.uint64],
    held: NDArray[np.uint64],
    keys: NDArray[np.uint32],
    other_keys: NDArray[np.uint32],
    other_ways: NDArray[np.int64],
) -> tuple[int, int]:
    """Return what flushes add to the wins of the first of two hands, and to the ties.

    Arguments as filled by `_take_cards`; `other_keys` and `other_ways` are scratch of 91.
    """
    all_wins, all_ties = np.int64(0), np.int64(0)
    for suit in range(4):
        times = _alike_suits(suit, free, held)
        if times == 0:
            continue
        wins, ties = np.int64(0), np.int64(0)
        for size in range(5 - _most_held(suit, held), 6):
            others = _list_others(5 - size, left, free[suit], other_keys, other_ways)
            for place in range(np.uint64(_STARTS[size]), np.uint64(_STARTS[size + 1])):
                ranks = _SETS_BY_SIZE[place]
                if ranks & ~free[suit]:
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
                    # Where only one has a flush, the other has what the ranks say.
                    a, b = flush_a if flush_a else a, flush_b if flush_b else b
                    wins += ways * np.int64(a > b)
                    ties += ways * np.int64(a == b)
        all_wins += times * wins
        all_ties += times * ties
    return all_wins, all_ties


@kernel
def count_two_known_hands(holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]) -> None:
    """Count who wins over all boards, for each of a list of match-ups of two.

    The part by ranks is remembered from one match-up to the next: a list in which match-ups
    of equal ranks follow one another takes half the time.

    Args:
        holes: ``uint8 (match-up, 2, 2)``, all cards of a match-up different.
        gone: index set of the cards that cannot be dealt; none of `holes`.
        counts: ``int64 (match-up, 4)``, added to: how often each set of players (bits)
            shared the top.
    """
    left, free = np.empty(13, dtype=np.int64), np.empty(4, dtype=np.uint64)
    held, keys = np.empty((2, 4), dtype=np.uint64), np.empty(2, dtype=np.uint32)
    other_keys, other_ways = np.empty(91, dtype=np.uint32), np.empty(91, dtype=np.int64)
    rank_wins, rank_ties = np.int64(0), np.int64(0)
    for row in range(len(holes)):
        cards = _take_cards(holes, row, gone, left, free, held, keys)
        if not _same_ranks(holes, row):
            rank_wins, rank_ties = _two_by_ranks(keys[0], keys[1], left)
        wins, ties = _two_by_flushes(left, free, held, keys, other_keys, other_ways)
        boards = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) // 120
        counts[row, 1] += rank_wins + wins
        counts[row, 2] += boards - rank_wins - wins - rank_ties - ties
        counts[row, 3] += rank_ties + ties


# --- any number of players ----------------------------------------------------------------


@inlined
def _join(strength: np.uint16, mine: np.uint64, best: np.uint16, winners: np.uint64) -> np.uint64:
    """Return who shares the top once a player (one bit) of some strength has come in."""
    return mine if strength > best else winners | mine if strength == best else winners


@inlined
def _many_by_ranks(
    keys: NDArray[np.uint32], left: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    """Count the winners over all boards into `counts`, flushes left aside.

    Goes as `_two_by_ranks`, one rank after the other: `ranks[n]` is the n-th of the board.
    """
    ranks, taken = np.zeros(6, dtype=np.int64), np.zeros(6, dtype=np.int64)
    ways, sums = np.zeros(6, dtype=np.int64), np.zeros(6, dtype=np.uint32)
    ranks[0], ways[0] = 12, 1
    ranks[1], place = -1, 1
    while place > 0:
        ranks[place] += 1
        rank = ranks[place]
        if rank > ranks[place - 1]:
            place -= 1
            continue
        again = place > 1 and rank == ranks[place - 1]
        taken[place] = taken[place - 1] + 1 if again else 0
        ways[place] = ways[place - 1] * (left[rank] - taken[place]) // (taken[place] + 1)
        if ways[place] == 0:
            continue
        sums[place] = np.uint32(sums[place - 1] + _KEYS[rank])
        if place < 5:
            place += 1
            ranks[place] = -1
            continue
        best, winners = np.uint16(0), np.uint64(0)
        for player in range(np.uint64(len(keys))):
            value = rank_strength(np.uint32(sums[5] + keys[player]))
            winners = _join(value, _ONE << player, best, winners)
            best = max(best, value)
        counts[winners] += ways[5]


@inlined
def _many_by_flushes(
    left: NDArray[np.int64],
    free: NDArray[np.uint64],
    held: NDArray[np.uint64],
    keys: NDArray[np.uint32],
    other_keys: NDArray[np.uint32],
    other_ways: NDArray[np.int64],
    flushes: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """Add what flushes change to `counts`; arguments as in `_two_by_flushes`."""
    players = np.uint64(len(keys))
    for suit in range(4):
        times = _alike_suits(suit, free, held)
        if times == 0:
            continue
        for size in range(5 - _most_held(suit, held), 6):
            others = _list_others(5 - size, left, free[suit], other_keys, other_ways)
            for place in range(np.uint64(_STARTS[size]), np.uint64(_STARTS[size + 1])):
                ranks = _SETS_BY_SIZE[place]
                if ranks & ~free[suit]:
                    continue
                some = np.uint16(0)
                for player in range(players):
                    flushes[player] = FLUSH_STRENGTHS[ranks | held[player, suit]]
                    some |= flushes[player]
                if some == 0:
                    continue
                for other in range(others):
                    key = np.uint32(_KEY_SUMS[ranks] + other_keys[other])
                    ways = times * other_ways[other]
                    best, winners = np.uint16(0), np.uint64(0)  # by ranks
                    true_best, true_winners = np.uint16(0), np.uint64(0)
                    for player in range(players):
                        mine, value = _ONE << player, rank_strength(np.uint32(key + keys[player]))
                        winners = _join(value, mine, best, winners)
                        best = max(best, value)
                        value = flushes[player] if flushes[player] else value
                        true_winners = _join(value, mine, true_best, true_winners)
                        true_best = max(true_best, value)
                    counts[winners] -= ways
                    counts[true_winners] += ways


@kernel
def count_many_known_hands(holes: CardArray, gone: np.uint64, counts: NDArray[np.int64]) -> None:
    """Count who wins over all boards, for each of a list of match-ups of 2 to 10 players.

    Args:
        holes: ``uint8 (match-up, player, 2)``, all cards of a match-up different.
        gone: index set of the cards that cannot be dealt; none of `holes`.
        counts: ``int64 (match-up, 2^players)``, added to: how often each set of players
            (bits) shared the top.
    """
    players = holes.shape[1]
    left, free = np.empty(13, dtype=np.int64), np.empty(4, dtype=np.uint64)
    held, keys = np.empty((players, 4), dtype=np.uint64), np.empty(players, dtype=np.uint32)
    other_keys, other_ways = np.empty(91, dtype=np.uint32), np.empty(91, dtype=np.int64)
    flushes = np.empty(players, dtype=np.uint16)
    by_ranks = np.zeros(1 << players, dtype=np.int64)
    for row in range(len(holes)):
        _take_cards(holes, row, gone, left, free, held, keys)
        if not _same_ranks(holes, row):
            by_ranks[:] = 0
            _many_by_ranks(keys, left, by_ranks)
        tally = counts[row]
        for winners in range(len(tally)):
            tally[winners] += by_ranks[winners]
        _many_by_flushes(left, free, held, keys, other_keys, other_ways, flushes, tally)

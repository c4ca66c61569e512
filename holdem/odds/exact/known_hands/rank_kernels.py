"""Known hands before the flop, counted by the ranks of the board and not by its cards.

A board counts by its ranks alone unless it gives somebody a flush. So first all multisets
of five ranks (6,175 at most) decide, flushes left aside, each as often as the deck has it.
Then, suit by suit, the boards that make a flush in that suit take back the outcome by ranks
and put down the real one. A flush needs three board cards of its suit, so no two suits
overlap; and with a flush in seven cards there is neither a full house nor four of a kind,
so the flush is the best hand. AcAs and KdKh take 41,000 evaluations in this way; run over
1,712,304 boards they take 3.4 million.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup.kernels import rank_strength
from holdem.evaluation.builtin.lookup.tables import FLUSH_STRENGTHS
from holdem.jit.decorators import inlined, kernel
from holdem.odds.exact.known_hands.free_cards import (
    KEY_SUMS,
    KEYS,
    SETS_BY_SIZE,
    SIZE_STARTS,
    alike_suits,
    list_others,
    most_held,
    same_ranks,
    take_cards,
)

_ONE = np.uint64(1)


# --- two players --------------------------------------------------------------------------


@inlined
def _two_by_ranks(
    first: np.uint32, second: np.uint32, left: NDArray[np.int64]
) -> tuple[np.int64, np.int64]:
    """Count the boards that the first of two hands wins, and the ties, flushes left aside.

    `first` and `second` are the key sums of the holes, `left` as in `take_cards`. Ranks go
    down along the board; `ways` counts the choices of cards so far, and a rank that has
    been taken t times already has (left - t) / (t + 1) times as many with one more.
    """
    wins, ties = np.int64(0), np.int64(0)
    for a in range(np.uint64(13)):
        ways_a, key_a = left[a], KEYS[a]
        for b in range(a + _ONE):
            taken_b = np.int64(b == a)
            ways_b = ways_a * (left[b] - taken_b) // (taken_b + 1)
            key_b = np.uint32(key_a + KEYS[b])
            if ways_b == 0:
                continue
            for c in range(b + _ONE):
                taken_c = taken_b + 1 if c == b else np.int64(0)
                ways_c = ways_b * (left[c] - taken_c) // (taken_c + 1)
                key_c = np.uint32(key_b + KEYS[c])
                if ways_c == 0:
                    continue
                for d in range(c + _ONE):
                    taken_d = taken_c + 1 if d == c else np.int64(0)
                    ways_d = ways_c * (left[d] - taken_d) // (taken_d + 1)
                    key_d = np.uint32(key_c + KEYS[d])
                    if ways_d == 0:
                        continue
                    for e in range(d + _ONE):
                        taken_e = taken_d + 1 if e == d else np.int64(0)
                        ways = ways_d * (left[e] - taken_e) // (taken_e + 1)
                        if ways == 0:
                            continue
                        key = np.uint32(key_d + KEYS[e])
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
) -> tuple[np.int64, np.int64]:
    """Return what flushes add to the wins of the first of two hands, and to the ties.

    Arguments as filled by `take_cards`; `other_keys` and `other_ways` are scratch of 91.
    """
    all_wins, all_ties = np.int64(0), np.int64(0)
    for suit in range(4):
        times = alike_suits(suit, free, held)
        if times == 0:
            continue
        wins, ties = np.int64(0), np.int64(0)
        for size in range(5 - most_held(suit, held), 6):
            others = list_others(5 - size, left, free[suit], other_keys, other_ways)
            for place in range(np.uint64(SIZE_STARTS[size]), np.uint64(SIZE_STARTS[size + 1])):
                ranks = SETS_BY_SIZE[place]
                if ranks & ~free[suit]:
                    continue
                flush_a = FLUSH_STRENGTHS[ranks | held[0, suit]]
                flush_b = FLUSH_STRENGTHS[ranks | held[1, suit]]
                if flush_a == 0 and flush_b == 0:
                    continue
                key = KEY_SUMS[ranks]
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
        gone: card set of the cards that cannot be dealt; none of `holes`.
        counts: ``int64 (match-up, 4)``, added to: how often each set of players (bits)
            shared the top.
    """
    left, free = np.empty(13, dtype=np.int64), np.empty(4, dtype=np.uint64)
    held, keys = np.empty((2, 4), dtype=np.uint64), np.empty(2, dtype=np.uint32)
    other_keys, other_ways = np.empty(91, dtype=np.uint32), np.empty(91, dtype=np.int64)
    rank_wins, rank_ties = np.int64(0), np.int64(0)
    for row in range(len(holes)):
        cards = take_cards(holes, row, gone, left, free, held, keys)
        if not same_ranks(holes, row):
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
        sums[place] = np.uint32(sums[place - 1] + KEYS[rank])
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
        times = alike_suits(suit, free, held)
        if times == 0:
            continue
        for size in range(5 - most_held(suit, held), 6):
            others = list_others(5 - size, left, free[suit], other_keys, other_ways)
            for place in range(np.uint64(SIZE_STARTS[size]), np.uint64(SIZE_STARTS[size + 1])):
                ranks = SETS_BY_SIZE[place]
                if ranks & ~free[suit]:
                    continue
                some = np.uint16(0)
                for player in range(players):
                    flushes[player] = FLUSH_STRENGTHS[ranks | held[player, suit]]
                    some |= flushes[player]
                if some == 0:
                    continue
                for other in range(others):
                    key = np.uint32(KEY_SUMS[ranks] + other_keys[other])
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
        gone: card set of the cards that cannot be dealt; none of `holes`.
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
        take_cards(holes, row, gone, left, free, held, keys)
        if not same_ranks(holes, row):
            by_ranks[:] = 0
            _many_by_ranks(keys, left, by_ranks)
        tally = counts[row]
        for winners in range(len(tally)):
            tally[winners] += by_ranks[winners]
        _many_by_flushes(left, free, held, keys, other_keys, other_ways, flushes, tally)

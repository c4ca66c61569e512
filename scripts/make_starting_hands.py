"""Make the list of starting hands: ``holdem/ranges/starting_hands.tsv``.

Each of the 169 classes is played against a random hand, exactly: over the 1,225 hands an
opponent can hold and the 1,712,304 boards, 2,097,572,400 deals for one combo of the class.
Up to suits there are only 47,008 match-ups of two holes, so those are counted once each and
summed up. The list is ordered by equity, strongest first; the counts in it are those of a
single combo, so that every line has the same number of deals.

    python scripts/make_starting_hands.py
"""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.compilation import inlined, kernel
from holdem.evaluation.lookup.kernels import rank_strength
from holdem.evaluation.lookup.keys import RANK_KEYS
from holdem.evaluation.lookup.tables import FLUSH_STRENGTHS
from holdem.ranges.combos import (
    CLASS_COUNT,
    CLASS_NAMES,
    CLASS_OF_COMBO,
    COMBO_CARDS,
    COMBO_COUNT,
    COMBO_SETS,
)

BOARDS = 1_712_304  # C(48, 5)
OPPONENTS = 1_225  # C(50, 2)
OUTPUT = Path(__file__).parents[1] / "holdem" / "ranges" / "starting_hands.tsv"

# --- the kernel: two known hands before the flop ----------------------------------------
#
# A board counts by its ranks alone unless somebody makes a flush. So first all multisets of
# five ranks decide, flushes left aside, each as often as the deck allows; then, suit by
# suit, the boards that give somebody a flush in that suit take back the outcome by ranks and
# put down the real one. A flush needs three board cards of its suit: no two suits overlap.

_KEYS = np.array(RANK_KEYS, dtype=np.uint32)
_SETS = np.arange(1 << 13, dtype=np.uint64)
_KEY_SUMS = np.array(
    [
        sum(key for rank, key in enumerate(RANK_KEYS) if ranks >> rank & 1)
        for ranks in range(1 << 13)
    ],
    dtype=np.uint32,
)
_CHOICES = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]],
    dtype=np.int64,
)
_THREES = _SETS[np.bitwise_count(_SETS) == 3]
_FOURS = _SETS[np.bitwise_count(_SETS) == 4]
_FIVES = _SETS[np.bitwise_count(_SETS) == 5]
_ALL_RANKS = np.uint64(0x1FFF)


@inlined
def _by_ranks(first: np.uint32, second: np.uint32, left: NDArray[np.int64]) -> tuple[int, int]:
    """Count the boards that the first hand wins, and those that tie, flushes left aside.

    `first` and `second` are the key sums of the holes, `left` int64 (rank,) the cards left.
    Goes through the multisets of ranks depth first: `taken[r]` cards of rank r.
    """
    wins = ties = 0
    taken = np.zeros(13, dtype=np.int64)
    wanted = np.zeros(13, dtype=np.int64)
    ways = np.zeros(13, dtype=np.int64)
    keys = np.zeros(13, dtype=np.uint32)
    rank = 0
    wanted[0], ways[0], taken[0] = 5, 1, -1
    while rank >= 0:
        taken[rank] += 1
        if taken[rank] > wanted[rank] or taken[rank] > left[rank]:
            rank -= 1
            continue
        still = wanted[rank] - taken[rank]
        times = ways[rank] * _CHOICES[left[rank], taken[rank]]
        key = np.uint32(keys[rank] + _KEYS[rank] * np.uint32(taken[rank]))
        if still == 0:
            mine, theirs = (
                rank_strength(np.uint32(key + first)),
                rank_strength(np.uint32(key + second)),
            )
            wins += times * np.int64(mine > theirs)
            ties += times * np.int64(mine == theirs)
        elif rank < 12:
            rank += 1
            wanted[rank], ways[rank], keys[rank], taken[rank] = still, times, key, -1
    return wins, ties


@inlined
def _others(
    size: int,
    left: NDArray[np.int64],
    free: np.uint64,
    keys: NDArray[np.uint32],
    ways: NDArray[np.int64],
) -> int:
    """List the multisets of `size` (0 to 2) ranks that cards of the other suits can have.

    `free` is the set of ranks still in the deck in the suit of the flush. Fills `keys` with
    key sums and `ways` with how many choices of cards there are; returns how many multisets.
    One without a choice is left out: its key sum may lie outside the table.
    """
    if size == 0:
        keys[0], ways[0] = np.uint32(0), 1
        return 1
    count = 0
    for rank in range(13):
        here = left[rank] - np.int64(free >> np.uint64(rank) & np.uint64(1))
        if here == 0:
            continue
        if size == 1:
            keys[count], ways[count] = _KEYS[rank], here
            count += 1
            continue
        if here > 1:
            keys[count], ways[count] = np.uint32(_KEYS[rank] * np.uint32(2)), here * (here - 1) // 2
            count += 1
        for lower in range(rank):
            there = left[lower] - np.int64(free >> np.uint64(lower) & np.uint64(1))
            if there:
                keys[count], ways[count] = np.uint32(_KEYS[rank] + _KEYS[lower]), here * there
                count += 1
    return count


@inlined
def _by_flushes(
    first: np.uint32,
    second: np.uint32,
    held: NDArray[np.uint64],
    left: NDArray[np.int64],
    free: NDArray[np.uint64],
    keys: NDArray[np.uint32],
    ways: NDArray[np.int64],
) -> tuple[int, int]:
    """Count what flushes change: (wins, ties) to add to those by ranks.

    `held` is uint64 (player, suit), the ranks of the holes; `free` uint64 (suit,) the ranks
    in the deck; `keys` and `ways` are scratch of 91 entries.
    """
    wins = ties = 0
    for suit in range(4):
        mine, theirs = held[0, suit], held[1, suit]
        most = 0
        for hole in (mine, theirs):
            cards = 0
            for rank in range(13):
                cards += int(hole >> np.uint64(rank) & np.uint64(1))
            most = max(most, cards)
        for suited in range(5 - most, 6):
            boards = _THREES if suited == 3 else _FOURS if suited == 4 else _FIVES
            others = _others(5 - suited, left, free[suit], keys, ways)
            for ranks in boards:
                if ranks & ~free[suit] & _ALL_RANKS:
                    continue
                my_flush = FLUSH_STRENGTHS[ranks | mine]
                their_flush = FLUSH_STRENGTHS[ranks | theirs]
                if my_flush == 0 and their_flush == 0:
                    continue
                key = _KEY_SUMS[ranks]
                for other in range(others):
                    a = rank_strength(np.uint32(key + keys[other] + first))
                    b = rank_strength(np.uint32(key + keys[other] + second))
                    wins -= ways[other] * np.int64(a > b)
                    ties -= ways[other] * np.int64(a == b)
                    # A flush of seven cards is the best hand in them, whatever the ranks say.
                    a, b = my_flush if my_flush else a, their_flush if their_flush else b
                    wins += ways[other] * np.int64(a > b)
                    ties += ways[other] * np.int64(a == b)
    return wins, ties


@kernel
def play(holes: CardArray, counts: NDArray[np.int64]) -> None:
    """Count all boards of every match-up: ``uint8 (n, 4)``, two holes, -> ``int64 (n, 2)``.

    `counts` takes the boards that the first hole wins and those that tie. The part by ranks
    is remembered by the two pairs of ranks: there are 4,186 of them (in one order), and it
    is most of the work.
    """
    known = np.full((CLASS_COUNT, CLASS_COUNT, 2), -1, dtype=np.int64)
    left = np.empty(13, dtype=np.int64)
    free = np.empty(4, dtype=np.uint64)
    held = np.empty((2, 4), dtype=np.uint64)
    keys = np.empty(91, dtype=np.uint32)
    ways = np.empty(91, dtype=np.int64)
    for n in range(len(holes)):
        left[:], free[:], held[:] = 4, _ALL_RANKS, 0
        for place in range(4):
            rank, suit = np.int64(holes[n, place] >> 2), np.int64(holes[n, place] & 3)
            left[rank] -= 1
            free[suit] &= ~(np.uint64(1) << np.uint64(rank))
            held[place >> 1, suit] |= np.uint64(1) << np.uint64(rank)
        a, b, c, d = holes[n, 0] >> 2, holes[n, 1] >> 2, holes[n, 2] >> 2, holes[n, 3] >> 2
        first, second = np.uint32(_KEYS[a] + _KEYS[b]), np.uint32(_KEYS[c] + _KEYS[d])
        by_ranks = known[13 * np.int64(a) + np.int64(b), 13 * np.int64(c) + np.int64(d)]
        if by_ranks[0] < 0:
            by_ranks[0], by_ranks[1] = _by_ranks(first, second, left)
        wins, ties = _by_flushes(first, second, held, left, free, keys, ways)
        counts[n, 0], counts[n, 1] = by_ranks[0] + wins, by_ranks[1] + ties


# --- match-ups up to suits --------------------------------------------------------------


def renamed_combos() -> NDArray[np.int64]:
    """Return the number of each combo after each renaming of suits, int64 (renaming, combo)."""
    numbers = []
    for suits in permutations(range(4)):
        cards = (COMBO_CARDS & 0xFC) | np.array(suits, dtype=np.uint8)[COMBO_CARDS & 3]
        high, low = cards.max(axis=1).astype(np.int64), cards.min(axis=1).astype(np.int64)
        numbers.append(high * (high - 1) // 2 + low)
    return np.array(numbers)


def class_match_ups() -> tuple[
    NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]
]:
    """Return the match-ups of one combo of each class with every combo, up to suits and order.

    Returns:
        The codes ``first * 1326 + second`` of the different match-ups, int64 (match-up,);
        for each class and opponent its place among them, int64 (class, combo); whether the
        two are the other way round there, bool (class, combo); whether the two share no
        card, bool (class, combo), without which the former mean nothing.
    """
    renamed = renamed_combos()
    heroes = np.array(
        [np.flatnonzero(number == CLASS_OF_COMBO)[-1] for number in range(CLASS_COUNT)]
    )
    mine, theirs = renamed[:, heroes, None], renamed[:, None, :]
    straight = (mine * COMBO_COUNT + theirs).min(axis=0)
    turned = (theirs * COMBO_COUNT + mine).min(axis=0)
    apart = (COMBO_SETS[heroes][:, None] & COMBO_SETS[None, :]) == 0
    codes = np.where(apart, np.minimum(straight, turned), -1)
    different, places = np.unique(codes, return_inverse=True)
    return different[1:], places.reshape(codes.shape) - 1, turned < straight, apart


def starting_hands() -> list[tuple[str, int, int, int]]:
    """Return (class, wins, ties, deals) against a random hand, strongest first."""
    codes, places, is_turned, apart = class_match_ups()
    holes = np.concatenate(
        (COMBO_CARDS[codes // COMBO_COUNT], COMBO_CARDS[codes % COMBO_COUNT]), axis=1
    )
    counts = np.empty((len(codes), 2), dtype=np.int64)
    play(np.ascontiguousarray(holes), counts)
    wins, ties = counts[places, 0], counts[places, 1]
    wins = np.where(is_turned, BOARDS - wins - ties, wins)
    all_wins = (wins * apart).sum(axis=1)
    all_ties = (ties * apart).sum(axis=1)
    order = np.argsort(-(2 * all_wins + all_ties), kind="stable")
    print(f"{len(codes):,} match-ups")
    return [(CLASS_NAMES[i], int(all_wins[i]), int(all_ties[i]), BOARDS * OPPONENTS) for i in order]


def main() -> None:
    """Make the file."""
    lines = ["class\twins\tties\tdeals"]
    lines += ["\t".join(str(field) for field in line) for line in starting_hands()]
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{OUTPUT}: {len(lines) - 1} classes")


if __name__ == "__main__":
    main()

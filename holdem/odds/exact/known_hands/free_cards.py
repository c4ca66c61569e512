"""The players' cards in a match-up and the rest of the deck, arranged by rank and by suit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup_keys import RANK_KEYS
from holdem.jit.decorators import inlined

#: The key of each rank, ``uint32 (rank,)``.
KEYS: NDArray[np.uint32] = np.array(RANK_KEYS, dtype=np.uint32)

_SETS = np.arange(1 << 13, dtype=np.uint64)
_IN_SET = (_SETS[:, None] >> np.arange(13, dtype=np.uint64) & np.uint64(1)).astype(np.uint32)

#: The sum of the keys of each set of ranks, ``uint32 (set of ranks,)``.
KEY_SUMS: NDArray[np.uint32] = (_IN_SET * KEYS).sum(axis=1).astype(np.uint32)

#: The sets of 0 to 5 ranks, by size, ``uint64 (set,)``.
SETS_BY_SIZE: NDArray[np.uint64] = np.concatenate(
    [_SETS[np.bitwise_count(_SETS) == size] for size in range(6)]
)
#: The index of the first set of each size, and the end, ``int64 (7,)``.
SIZE_STARTS: NDArray[np.int64] = np.searchsorted(
    np.bitwise_count(SETS_BY_SIZE), np.arange(7)
).astype(np.int64)

_ALL_RANKS = np.uint64(0x1FFF)
_ONE = np.uint64(1)


class Dealt(NamedTuple):
    """The players' hole cards in a match-up and the cards left in the deck.

    Created by `nothing_dealt`.
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
def nothing_dealt(players: int) -> Dealt:
    """Return a `Dealt` of uninitialized arrays for `deal_matchup` to fill."""
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
            keys[player] = np.uint32(keys[player] + KEYS[rank])


@inlined
def same_ranks(holes: CardArray, row: int) -> bool:
    """Return whether every player holds the same ranks as in the previous match-up."""
    if row == 0:
        return False
    for player in range(holes.shape[1]):
        for card in range(2):
            if holes[row, player, card] >> 2 != holes[row - 1, player, card] >> 2:
                return False
    return True


@inlined
def equivalent_suits(suit: int, dealt: Dealt) -> int:
    """Return the number of suits equivalent to `suit`, or 0 if a lower suit is equivalent.

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
def most_held(suit: int, dealt: Dealt) -> int:
    """Return the largest number of hole cards that any player has in a suit: 0, 1 or 2."""
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
            keys[count], ways[count] = KEYS[rank], here
            count += _ONE
            continue
        if here > 1:
            keys[count], ways[count] = np.uint32(KEYS[rank] + KEYS[rank]), here * (here - 1) // 2
            count += _ONE
        for lower in range(rank):
            there = left[lower] - np.int64(free >> lower & _ONE)
            if there:
                keys[count], ways[count] = np.uint32(KEYS[rank] + KEYS[lower]), here * there
                count += _ONE
    return count

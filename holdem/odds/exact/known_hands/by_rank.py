"""Counting of the winners of preflop match-ups in batches, by the ranks on the board.

For a match-up of two players this is 50 times as fast as dealing every board (0.06 instead of
3.2 ms), and for three players 20 times as fast (0.4 instead of 8 ms).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray

_MATCHUPS_PER_BATCH = 256  # some 10 ms for two players


def equal_rank_batches(holes: CardArray) -> Iterator[NDArray[np.intp]]:
    """Yield the indices of match-ups in batches, with match-ups of the same hole-card ranks
    adjacent.

    The kernels count by ranks only once for adjacent match-ups of equal ranks.

    Args:
        holes: ``uint8 (match-up, player, 2)``.
    """
    order = np.lexsort((holes >> 2).reshape(len(holes), -1).T)
    for start in range(0, len(order), _MATCHUPS_PER_BATCH):
        yield order[start : start + _MATCHUPS_PER_BATCH]


def count_batch(holes: CardArray, gone: int = 0) -> NDArray[np.int64]:
    """Count the winners of each match-up in a batch over all boards."""
    from holdem.odds.exact.known_hands.rank_kernels import (
        count_many_known_hands,
        count_two_known_hands,
    )

    players = holes.shape[1]
    count = count_two_known_hands if players == 2 else count_many_known_hands
    counts = np.zeros((len(holes), 1 << players), dtype=np.int64)
    count(np.ascontiguousarray(holes), np.uint64(gone), counts)
    return counts


def count_known_hands(holes: CardArray, gone: int = 0) -> NDArray[np.int64]:
    """Count the winners of each match-up over all boards.

    Args:
        holes: ``uint8 (match-up, player, 2)``, 2 to 10 players, all cards of a match-up
            different.
        gone: the set of other cards that cannot be dealt.

    Returns:
        How often each set of players (bits) shared the best hand, ``int64 (match-up,
        2^players)``.
    """
    counts = np.zeros((len(holes), 1 << holes.shape[1]), dtype=np.int64)
    for rows in equal_rank_batches(holes):
        counts[rows] = count_batch(holes[rows], gone)
    return counts

"""Who wins the deals put together from pieces: from where their rows stand to counts.

The loops are short, and but for that over flushes they have no branch: `holdem.odds.kernels.pieces`
says why. They take the tables of `PieceTables` one by one, for reading an array out of
a tuple costs a reference count.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.compilation import inlined
from holdem.evaluation.lookup.kernels import rank_strength, strength
from holdem.evaluation.lookup.keys import FLUSH_BITS

# A pick, 16 bits each: where the two rows of the board begin in `boards`, and the numbers of the
# rows of the second list of holes and of the first.
ROW_1, SECOND_LIST, FIRST_LIST = np.uint64(16), np.uint64(32), np.uint64(48)
LOW_16 = np.uint64(0xFFFF)

#: How far a pick is shifted for the row of each list of holes.
LIST_SHIFTS = (48, 32)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_FLUSH = np.uint64(FLUSH_BITS)
_16_BITS = np.uint32(16)


@inlined
def keys_of_two(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    start: Any,
    other_start: Any,
    shift: Any,
    other_shift: Any,
    picks: NDArray[np.uint64],
    kept: Any,
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    flushes: NDArray[np.uint64],
) -> Any:
    """Sum up the rank keys of two players' hands in the deals without a flush.

    The shifts may be constants: that saves a twelfth of the time.
    The picks of the others are written to `flushes`. Returns how many have none.
    """
    plain = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        board = boards[pick & LOW_16] + boards[pick >> ROW_1 & LOW_16]
        one = board + holes[held[start + (pick >> shift & LOW_16)]]
        other = board + holes[held[other_start + (pick >> other_shift & LOW_16)]]
        flush = np.uint64((one | other) & _FLUSH != _ZERO)
        first[plain], second[plain] = np.uint32(one), np.uint32(other)
        plain += _ONE - flush
        flushes[rare] = pick
        rare += flush
    return plain


@inlined
def compare(first: NDArray[np.uint32], second: NDArray[np.uint32], plain: Any) -> Any:
    """Return how often the first of two players wins, and how often they tie."""
    wins = ties = _ZERO
    for i in range(plain):
        mine, theirs = rank_strength(first[i]), rank_strength(second[i])
        wins += np.uint64(mine > theirs)
        ties += np.uint64(mine == theirs)
    return wins, ties


@inlined
def keys_of_many(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    starts: NDArray[np.uint64],
    shifts: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    keys: NDArray[np.uint32],
    flushes: NDArray[np.uint64],
) -> Any:
    """Do what `keys_of_two` does for any number of players."""
    players = np.uint64(len(keys))
    plain = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        board = boards[pick & LOW_16] + boards[pick >> ROW_1 & LOW_16]
        every = _ZERO
        for player in range(players):
            row = pick >> shifts[player] & LOW_16
            key = board + holes[held[starts[player] + row]]
            keys[player, plain] = np.uint32(key)
            every |= key
        flush = np.uint64(every & _FLUSH != _ZERO)
        plain += _ONE - flush
        flushes[rare] = pick
        rare += flush
    return plain


@inlined
def best_of_many(keys: NDArray[np.uint32], plain: Any, best: NDArray[np.uint32]) -> None:
    """Find the best strength of each deal, in the high half, and who has it."""
    for i in range(plain):
        best[i] = 0
    for player in range(np.uint64(len(keys))):
        own = keys[player]
        for i in range(plain):
            mine = np.uint32(rank_strength(own[i])) << _16_BITS | np.uint32(1) << np.uint32(player)
            so_far = best[i]
            alike = (so_far ^ mine) >> _16_BITS == np.uint32(0)
            best[i] = so_far | mine if alike else max(so_far, mine)


@inlined
def count_each(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    starts: NDArray[np.uint64],
    shifts: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of any number of players, flushes among them, deal by deal."""
    for i in range(kept):
        begin_0, begin_1 = picks[i] & LOW_16, picks[i] >> ROW_1 & LOW_16
        key = boards[begin_0] + boards[begin_1]
        mask = boards[begin_0 + _ONE] | boards[begin_1 + _ONE]
        best, winners = np.int64(0), _ZERO
        for player in range(np.uint64(len(shifts))):
            row = picks[i] >> shifts[player] & LOW_16
            hole = np.uint64(held[starts[player] + row])
            value = np.int64(strength(key + holes[hole], mask | holes[hole + _ONE]))
            mine = _ONE << player
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        counts[winners] += 1

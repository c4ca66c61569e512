"""Who wins the deals put together from pieces: from where their rows stand to counts.

The loops are short and have no branch: `holdem.odds.sampling.row_tables.kernels` says why. They take
the tables of `PieceTables` one by one, for reading an array out of a tuple costs a
reference count.

A key here has the sum of rank keys in its lowest 23 bits, for a second player another such sum
above that, and from bit 46 on how many cards of each suit there are: seven cards of two players
are summed up and asked for a flush together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.evaluation.builtin.lookup.kernels import rank_strength
from holdem.evaluation.builtin.lookup.keys import FLUSH_BITS
from holdem.evaluation.builtin.lookup.tables import FLUSH_STRENGTHS
from holdem.jit.decorators import inlined
from holdem.odds.sampling.row_tables.tables import LIST_SHIFTS, RANK_BITS, SUITS_FROM

# A pick, 16 bits each: where the two rows of the board begin in `boards`, and the numbers of the
# rows of the second list of holes and of the first.
FIRST_LIST, SECOND_LIST = (np.uint64(shift) for shift in LIST_SHIFTS)
ROW_1 = np.uint64(16)
LOW_16 = np.uint64(0xFFFF)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_RANKS, _LOW_RANKS = np.uint64(RANK_BITS), np.uint64((1 << RANK_BITS) - 1)
_FLUSH = np.uint64(FLUSH_BITS >> 32 << SUITS_FROM)
# The bit that says flush, of each suit but clubs; and the bits of a suit mask that are a suit.
_DIAMONDS, _HEARTS, _SPADES = (np.uint64(SUITS_FROM + 3 + 4 * suit) for suit in (1, 2, 3))
_16_BITS, _32_BITS, _48_BITS = np.uint64(16), np.uint64(32), np.uint64(48)
_13_BITS = np.uint64(0x1FFF)
_16_OF_32 = np.uint32(16)


@inlined
def sums_of_one_list(
    boards: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    plain: NDArray[np.uint64],
    flushes: NDArray[np.uint64],
) -> Any:
    """Sum up the keys of two players' hands whose holes are a row of one list.

    Those without a flush are written to `plain`, the picks of the others to `flushes`. Returns how
    many have none.
    """
    ready = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        both = boards[pick & LOW_16] + boards[pick >> ROW_1 & LOW_16] + sums[pick >> FIRST_LIST]
        flush = np.uint64(both & _FLUSH != _ZERO)
        plain[ready] = both
        ready += _ONE - flush
        flushes[rare] = pick
        rare += flush
    return ready


@inlined
def sums_of_two_lists(
    boards: NDArray[np.uint64],
    sums: NDArray[np.uint64],
    second: Any,
    picks: NDArray[np.uint64],
    kept: Any,
    plain: NDArray[np.uint64],
    flushes: NDArray[np.uint64],
) -> Any:
    """Do the same where each player has a list; the rows of the other begin at `second`."""
    ready = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        board = boards[pick & LOW_16] + boards[pick >> ROW_1 & LOW_16]
        one, other = sums[pick >> FIRST_LIST], sums[second + (pick >> SECOND_LIST & LOW_16)]
        flush = np.uint64((board + one | board + other) & _FLUSH != _ZERO)
        plain[ready] = board + one + other
        ready += _ONE - flush
        flushes[rare] = pick
        rare += flush
    return ready


@inlined
def compare(keys: NDArray[np.uint64], plain: Any) -> Any:
    """Return how often the first of two players wins, and how often they tie."""
    wins = ties = _ZERO
    for i in range(plain):
        mine = rank_strength(np.uint32(keys[i] & _LOW_RANKS))
        theirs = rank_strength(np.uint32(keys[i] >> _RANKS & _LOW_RANKS))
        wins += np.uint64(mine > theirs)
        ties += np.uint64(mine == theirs)
    return wins, ties


@inlined
def _strength(key: Any, mask: Any) -> Any:
    """Return the strength of seven cards, looked up both ways.

    Whose hand is the flush, and in which suit, nobody can foretell: with branches the tenth of the
    deals that have one took a fifth of the time.
    """
    flush = key & _FLUSH
    shift = (flush >> _DIAMONDS & _ONE) * _16_BITS
    shift += (flush >> _HEARTS & _ONE) * _32_BITS
    shift += (flush >> _SPADES & _ONE) * _48_BITS
    suited = FLUSH_STRENGTHS[mask >> shift & _13_BITS]
    ranked = rank_strength(np.uint32(key & _LOW_RANKS))
    return suited if flush != _ZERO else ranked


@inlined
def compare_flushes(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    starts: NDArray[np.uint64],
    shifts: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
) -> Any:
    """Do what `compare` does, for deals with a flush."""
    wins = ties = _ZERO
    start, other_start, shift, other_shift = starts[0], starts[1], shifts[0], shifts[1]
    for i in range(kept):
        pick = picks[i]
        begin_0, begin_1 = pick & LOW_16, pick >> ROW_1 & LOW_16
        key = boards[begin_0] + boards[begin_1]
        mask = boards[begin_0 + _ONE] | boards[begin_1 + _ONE]
        hole = np.uint64(held[start + (pick >> shift & LOW_16)])
        mine = _strength(key + holes[hole], mask | holes[hole + _ONE])
        hole = np.uint64(held[other_start + (pick >> other_shift & LOW_16)])
        theirs = _strength(key + holes[hole], mask | holes[hole + _ONE])
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
    """Sum up each hand's rank keys for any number of players; else as `sums_of_one_list`."""
    players = np.uint64(len(keys))
    plain = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        board = boards[pick & LOW_16] + boards[pick >> ROW_1 & LOW_16]
        every = _ZERO
        for player in range(players):
            row = pick >> shifts[player] & LOW_16
            key = board + holes[held[starts[player] + row]]
            keys[player, plain] = np.uint32(key & _LOW_RANKS)
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
            mine = np.uint32(rank_strength(own[i])) << _16_OF_32 | np.uint32(1) << np.uint32(player)
            so_far = best[i]
            alike = (so_far ^ mine) >> _16_OF_32 == np.uint32(0)
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
            value = np.int64(_strength(key + holes[hole], mask | holes[hole + _ONE]))
            mine = _ONE << player
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        counts[winners] += 1

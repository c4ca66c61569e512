"""Kernels that rank deals of packed row indices with the default evaluator.

The loops are short and have no branches; `holdem.odds.sampling.row_tables.kernels` says why. They
take the fields of `RowTables` one by one, since reading an array out of a tuple costs a
reference count.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import Words
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_keys import FLUSH_BITS
from holdem.evaluation.builtin.lookup_tables import FLUSH_STRENGTHS
from holdem.jit.decorators import inlined
from holdem.odds.sampling.row_tables.tables import LIST_SHIFTS, RANK_BITS, SUITS_FROM
from holdem.odds.winners import update_winners

# Packed row indices have 16 bits each: the positions in `boards` of the rows of the two board
# tables, then the rows of the second and of the first list of holes.
FIRST_LIST, SECOND_LIST = (np.uint64(shift) for shift in LIST_SHIFTS)
ROW_1 = np.uint64(16)
LOW_16 = np.uint64(0xFFFF)

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_RANKS, _LOW_RANKS = np.uint64(RANK_BITS), np.uint64((1 << RANK_BITS) - 1)
_FLUSH = np.uint64(FLUSH_BITS >> 32 << SUITS_FROM)
# The flush bit of each suit but clubs, and the bits of a suit mask that are one suit.
_DIAMONDS, _HEARTS, _SPADES = (np.uint64(SUITS_FROM + 3 + 4 * suit) for suit in (1, 2, 3))
_16_BITS, _32_BITS, _48_BITS = np.uint64(16), np.uint64(32), np.uint64(48)
_13_BITS = np.uint64(0x1FFF)
_16_OF_32 = np.uint32(16)


@inlined
def keys_of_one_list(
    boards: Words, hole_keys: Words, deals: Words, count: Any, keys: Words, flushes: Words
) -> Any:
    """Sum each deal's card keys for two players whose hole cards come from one joint list.

    The keys of deals without a flush are written to `keys`, the row indices of the other deals to
    `flushes`. Returns how many have no flush.
    """
    plain = rare = _ZERO
    for i in range(count):
        rows = deals[i]
        key = boards[rows & LOW_16] + boards[rows >> ROW_1 & LOW_16] + hole_keys[rows >> FIRST_LIST]
        flush = np.uint64(key & _FLUSH != _ZERO)
        keys[plain] = key
        plain += _ONE - flush
        flushes[rare] = rows
        rare += flush
    return plain


@inlined
def keys_of_two_lists(
    boards: Words,
    hole_keys: Words,
    second: Any,
    deals: Words,
    count: Any,
    keys: Words,
    flushes: Words,
) -> Any:
    """Sum each deal's card keys for two players whose hole cards come from separate lists.

    The output is that of `keys_of_one_list`.

    The second list begins at `second`.
    """
    plain = rare = _ZERO
    for i in range(count):
        rows = deals[i]
        board = boards[rows & LOW_16] + boards[rows >> ROW_1 & LOW_16]
        one = hole_keys[rows >> FIRST_LIST]
        other = hole_keys[second + (rows >> SECOND_LIST & LOW_16)]
        flush = np.uint64((board + one | board + other) & _FLUSH != _ZERO)
        keys[plain] = board + one + other
        plain += _ONE - flush
        flushes[rare] = rows
        rare += flush
    return plain


@inlined
def compare_two(keys: Words, count: Any) -> Any:
    """Count the first player's wins and the ties in two-player deals without a flush."""
    wins = ties = _ZERO
    for i in range(count):
        mine = rank_strength(np.uint32(keys[i] & _LOW_RANKS))
        theirs = rank_strength(np.uint32(keys[i] >> _RANKS & _LOW_RANKS))
        wins += np.uint64(mine > theirs)
        ties += np.uint64(mine == theirs)
    return wins, ties


@inlined
def compare_flushes(
    boards: Words,
    held: NDArray[np.uint16],
    combos: Words,
    starts: Words,
    shifts: Words,
    deals: Words,
    count: Any,
) -> Any:
    """Count the first player's wins and the ties in two-player deals with a flush."""
    wins = ties = _ZERO
    for i in range(count):
        rows = deals[i]
        board_key, board_mask = _board_of(boards, rows)
        hole = np.uint64(held[starts[0] + (rows >> shifts[0] & LOW_16)])
        mine = _strength(board_key + combos[hole], board_mask | combos[hole + _ONE])
        hole = np.uint64(held[starts[1] + (rows >> shifts[1] & LOW_16)])
        theirs = _strength(board_key + combos[hole], board_mask | combos[hole + _ONE])
        wins += np.uint64(mine > theirs)
        ties += np.uint64(mine == theirs)
    return wins, ties


@inlined
def keys_of_players(
    boards: Words,
    held: NDArray[np.uint16],
    combos: Words,
    starts: Words,
    shifts: Words,
    deals: Words,
    count: Any,
    keys: NDArray[np.uint32],
    flushes: Words,
) -> Any:
    """Sum each deal's card keys for any number of players.

    The output is that of `keys_of_one_list`, except for `keys`.

    The rank keys of each player are written to a row of `keys`.
    """
    players = np.uint64(len(keys))
    plain = rare = _ZERO
    for i in range(count):
        rows = deals[i]
        board = boards[rows & LOW_16] + boards[rows >> ROW_1 & LOW_16]
        every = _ZERO
        for player in range(players):
            row = rows >> shifts[player] & LOW_16
            key = board + combos[held[starts[player] + row]]
            keys[player, plain] = np.uint32(key & _LOW_RANKS)
            every |= key
        flush = np.uint64(every & _FLUSH != _ZERO)
        plain += _ONE - flush
        flushes[rare] = rows
        rare += flush
    return plain


@inlined
def best_players(keys: NDArray[np.uint32], count: Any, best: NDArray[np.uint32]) -> None:
    """Write the winners of each deal and their strength to `best`.

    The strength is in the high half of each element.
    """
    for i in range(count):
        best[i] = 0
    for player in range(np.uint64(len(keys))):
        own = keys[player]
        for i in range(count):
            mine = np.uint32(rank_strength(own[i])) << _16_OF_32 | np.uint32(1) << np.uint32(player)
            so_far = best[i]
            is_tie = (so_far ^ mine) >> _16_OF_32 == np.uint32(0)
            best[i] = so_far | mine if is_tie else max(so_far, mine)


@inlined
def count_flushes(
    boards: Words,
    held: NDArray[np.uint16],
    combos: Words,
    starts: Words,
    shifts: Words,
    deals: Words,
    count: Any,
    tally: NDArray[np.int64],
) -> None:
    """Tally the winners of deals with a flush, for any number of players."""
    for i in range(count):
        rows = deals[i]
        board_key, board_mask = _board_of(boards, rows)
        best, winners = np.int64(0), _ZERO
        for player in range(np.uint64(len(shifts))):
            hole = np.uint64(held[starts[player] + (rows >> shifts[player] & LOW_16)])
            strength = np.int64(
                _strength(board_key + combos[hole], board_mask | combos[hole + _ONE])
            )
            best, winners = update_winners(best, winners, strength, _ONE << player)
        tally[winners] += 1


@inlined
def _board_of(boards: Words, rows: Any) -> Any:
    """Return the sum of card keys and the suit bit mask of a deal's board."""
    begin_0, begin_1 = rows & LOW_16, rows >> ROW_1 & LOW_16
    return boards[begin_0] + boards[begin_1], boards[begin_0 + _ONE] | boards[begin_1 + _ONE]


@inlined
def _strength(key: Any, mask: Any) -> Any:
    """Return the strength of seven cards, given the sum of their keys and their suit bit mask.

    Which player has the flush, and in which suit, is unpredictable: with branches, the tenth of
    the deals that have one took a fifth of the time.
    """
    flush = key & _FLUSH
    shift = (flush >> _DIAMONDS & _ONE) * _16_BITS
    shift += (flush >> _HEARTS & _ONE) * _32_BITS
    shift += (flush >> _SPADES & _ONE) * _48_BITS
    suited = FLUSH_STRENGTHS[mask >> shift & _13_BITS]
    ranked = rank_strength(np.uint32(key & _LOW_RANKS))
    return suited if flush != _ZERO else ranked

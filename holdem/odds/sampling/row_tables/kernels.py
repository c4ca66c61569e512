"""Kernels that assemble deals from independently drawn rows and reject those with duplicate cards.

A deal has one row from each of two tables of partial boards, and one from a list of all unknown
hole cards. A table that is not needed has one row without cards. One random word gives all three
rows. If one list would be too long, some players have a second one, from which rows are drawn for
the deals without duplicate cards so far. Accepted deals are distributed by the product of the
rows' weights over all deals without duplicate cards. If the second list is every hole at one
weight, the rest of any deal leaves the same number of its rows, and only the row of the second list
is redrawn. With one known hole against a random one 71 % are accepted. The tables contain sums of
keys.

A group of words passes through several short loops without branches. In one long loop a deal would
wait for four dependent look-ups, a processor would overlap only two or three deals, and the
branches would be unpredictable. Tables are flat because numba would multiply to find a row of a
matrix. A key and its mask are adjacent, so that the test for duplicate cards also fetches the key.
With all this, 160 instead of 85 million deals a second are counted for one known hole against a
random one, and 125 instead of 54 for two ranges of 202 combos.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.random_words import BLOCK_STEP, GOLDEN, Words, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.row_tables.ranking_kernels import (
    FIRST_LIST,
    LOW_16,
    ROW_1,
    SECOND_LIST,
    best_players,
    compare_flushes,
    compare_two,
    count_flushes,
    keys_of_one_list,
    keys_of_players,
    keys_of_two_lists,
)
from holdem.odds.sampling.row_tables.tables import ROW_BITS, RowTables

#: Words drawn at a time. The buffers between two loops stay in the L1 cache.
GROUP = 512

# Constants: shifts by variables make the loop a fifth slower.
_BITS_0, _BITS_1, _BITS_2 = (np.uint64(bits) for bits in ROW_BITS[:3])
_LOW_0, _LOW_1, _LOW_2 = (np.uint64((1 << bits) - 1) for bits in ROW_BITS[:3])
_SHIFT_1, _SHIFT_2 = np.uint64(ROW_BITS[0]), np.uint64(ROW_BITS[0] + ROW_BITS[1])
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_STEPS = np.arange(2 * GROUP, dtype=np.uint64) * GOLDEN
_GROUP_STEP = np.uint64(GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_TWO_GROUP_STEPS = np.uint64(2 * GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_BEGIN_1 = ROW_1 + _ONE  # a row of `boards` begins at twice its number


@inlined
def _draw_words(counter: Any, words: Words, count: Any) -> None:
    for i in range(count):
        words[i] = random_word(counter + _STEPS[i])


@inlined
def _draw_rows(layout: Words, clashing: Any, words: Words) -> None:
    """Convert random words in place to packed row indices of the board tables and the first list of
    hole cards.

    A biased draw becomes `clashing`, the last row of `boards`, which is rejected later.
    """
    # Processors multiply 32 bits in one step, 64 in three.
    size_0, size_1, size_2 = layout[0, 0] & _LOW_32, layout[1, 0] & _LOW_32, layout[2, 0] & _LOW_32
    least_0, least_1, least_2 = layout[0, 2], layout[1, 2], layout[2, 2]
    first_1 = layout[1, 1] << _BEGIN_1
    for i in range(np.uint64(GROUP)):
        word = words[i]
        part_0 = (word & _LOW_0) * size_0
        part_1 = (word >> _SHIFT_1 & _LOW_1) * size_1
        part_2 = (word >> _SHIFT_2) * size_2
        fair = (
            (part_0 & _LOW_0 >= least_0)
            & (part_1 & _LOW_1 >= least_1)
            & (part_2 & _LOW_2 >= least_2)
        )
        begin_0 = part_0 >> _BITS_0 << _ONE if fair else clashing
        begin_1 = first_1 + (part_1 >> _BITS_1 << _BEGIN_1)
        words[i] = begin_0 | begin_1 | part_2 >> _BITS_2 << FIRST_LIST


@inlined
def _draw_second_rows(size: Any, least: Any, words: Words, count: Any) -> None:
    """Convert random words in place to packed row indices of the second list of hole cards.

    A biased draw becomes the row after the last, which is rejected later.
    """
    for i in range(count):
        part = (words[i] >> _32) * (size & _LOW_32)
        row = part >> _32 if part & _LOW_32 >= least else size
        words[i] = row << SECOND_LIST


@inlined
def _apply_aliases(
    keep: Words, alias: Words, first: Any, shift: Any, words: Words, rows: Words, count: Any
) -> None:
    """Apply the alias method to the rows drawn from one list of hole cards.

    The list begins at `first`; `words` are the random words that decide.
    """
    for i in range(count):
        row = rows[i] >> shift
        other = alias[first + row]
        rows[i] ^= (other ^ row) * np.uint64(words[i] > keep[first + row]) << shift


@inlined
def _accept(boards: Words, hole_masks: Words, drawn: Words, accepted: Words, count: Any) -> Any:
    """Append the deals without duplicate cards to `count` accepted ones; return the new count."""
    for i in range(np.uint64(GROUP)):
        rows = drawn[i]
        mask_0, mask_1 = boards[(rows & LOW_16) + _ONE], boards[(rows >> ROW_1 & LOW_16) + _ONE]
        twice = mask_0 & mask_1 | (mask_0 | mask_1) & hole_masks[rows >> FIRST_LIST]
        accepted[count] = rows
        count += np.uint64(twice == _ZERO)
    return count


@inlined
def _accept_second(
    boards: Words,
    hole_masks: Words,
    first: Any,
    drawn: Words,
    pending: Words,
    count: Any,
    accepted: Words,
) -> Any:
    """Accept the deals to which the second list of hole cards adds no duplicate card; return their
    number.

    The others move to the front of `pending`.
    """
    done = left = _ZERO
    for i in range(count):
        rows, part = pending[i], drawn[i]
        mask_0, mask_1 = boards[(rows & LOW_16) + _ONE], boards[(rows >> ROW_1 & LOW_16) + _ONE]
        mask = mask_0 | mask_1 | hole_masks[rows >> FIRST_LIST]
        fits = np.uint64(mask & hole_masks[first + (part >> SECOND_LIST)] == _ZERO)
        accepted[done] = rows | part
        pending[left] = rows
        done += fits
        left += _ONE - fits
    return done


@inlined
def _draw_group(
    layout: Words,
    redraws_second: Any,
    boards: Words,
    hole_masks: Words,
    keep: Words,
    alias: Words,
    counter: Any,
    words: Words,
    more_words: Words,
    pending: Words,
    waiting: Any,
    deals: Words,
) -> Any:
    """Draw a batch of deals, each represented by packed row indices.

    The first six arguments are fields of `RowTables`, passed one by one since reading an array out
    of a tuple costs a reference count. `counter` is the block's next one. All buffers have room
    for ``2 * GROUP``: `words` and `more_words` are overwritten, `pending` begins with the
    `waiting` deals that have no row of the second list yet, and `deals` is written.

    Returns the next counter, how many deals were written, and how many wait.
    """
    two_lists, weighted, group = layout[3, 0] > 0, len(keep) > 0, np.uint64(GROUP)
    count = waiting
    if waiting <= group:
        _draw_words(counter, words, group)
        _draw_rows(layout, np.uint64(len(boards) - 2), words)
        if weighted:
            _draw_words(counter + _GROUP_STEP, more_words, group)
            _apply_aliases(keep, alias, _ZERO, FIRST_LIST, more_words, words, group)
        counter += _TWO_GROUP_STEPS
        if not two_lists:
            return counter, _accept(boards, hole_masks, words, deals, _ZERO), _ZERO
        count = _accept(boards, hole_masks, words, pending, waiting)
    first = layout[2, 0]
    _draw_words(counter, words, count)
    _draw_second_rows(layout[3, 0], layout[3, 2], words, count)
    if weighted and not redraws_second:
        _draw_words(counter + _TWO_GROUP_STEPS, more_words, count)
        _apply_aliases(keep, alias, first, SECOND_LIST, more_words, words, count)
    done = _accept_second(boards, hole_masks, first, words, pending, count, deals)
    counter += _TWO_GROUP_STEPS + _TWO_GROUP_STEPS
    return counter, done, count - done if redraws_second else _ZERO


@inlined
def _buffers() -> Any:
    """Return four separate buffers for `_draw_group`.

    Rows of one array would be a sixth slower.
    """
    size = 2 * GROUP
    return (
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
    )


def sample_rows(
    tables: RowTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Draw and rank the deals in consecutive blocks and tally their winners.

    Args:
        tables: the tables to draw from.
        start: the counter at which block 0 begins.
        first: the number of the first block.
        sizes: ``int64 (block,)``: how many deals of each block to draw, from its first on.
        counts: ``int64 (block, size)``, added to: a tally of each.
    """
    # One kernel for both cases would take half a second longer to compile.
    sample = _sample_two if len(tables.held_starts) == 2 else _sample_many
    sample(tables, start, first, sizes, counts)


@kernel
def _sample_two(
    tables: RowTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    layout, redraws_second, combos = tables.layout, tables.redraws_second, tables.combos
    boards, hole_masks, hole_keys = tables.boards, tables.hole_masks, tables.hole_keys
    held, starts, shifts = tables.held, tables.held_starts, tables.list_shifts
    keep, alias = tables.keep, tables.alias
    words, more_words, pending, deals = _buffers()
    keys, flushes = more_words, words  # free again once a group is drawn
    for block in range(len(sizes)):
        counter, waiting = start + np.uint64(first + block) * BLOCK_STEP, _ZERO
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            counter, count, waiting = _draw_group(
                *(layout, redraws_second, boards, hole_masks, keep, alias),
                *(counter, words, more_words, pending, waiting, deals),
            )
            count = min(count, np.uint64(left))
            left -= np.int64(count)
            if layout[3, 0]:
                plain = keys_of_two_lists(
                    boards, hole_keys, layout[2, 0], deals, count, keys, flushes
                )
            else:
                plain = keys_of_one_list(boards, hole_keys, deals, count, keys, flushes)
            wins, ties = compare_two(keys, plain)
            more = compare_flushes(boards, held, combos, starts, shifts, flushes, count - plain)
            wins, ties = wins + more[0], ties + more[1]
            tally[1] += np.int64(wins)
            tally[2] += np.int64(count - wins - ties)
            tally[3] += np.int64(ties)


@kernel
def _sample_many(
    tables: RowTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    layout, redraws_second, combos = tables.layout, tables.redraws_second, tables.combos
    boards, hole_masks = tables.boards, tables.hole_masks
    held, starts, shifts = tables.held, tables.held_starts, tables.list_shifts
    keep, alias = tables.keep, tables.alias
    words, more_words, pending, deals = _buffers()
    flushes = words  # free again once a group is drawn
    keys = np.empty((len(starts), 2 * GROUP), dtype=np.uint32)
    best = np.empty(2 * GROUP, dtype=np.uint32)
    for block in range(len(sizes)):
        counter, waiting = start + np.uint64(first + block) * BLOCK_STEP, _ZERO
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            counter, count, waiting = _draw_group(
                *(layout, redraws_second, boards, hole_masks, keep, alias),
                *(counter, words, more_words, pending, waiting, deals),
            )
            count = min(count, np.uint64(left))
            left -= np.int64(count)
            plain = keys_of_players(
                boards, held, combos, starts, shifts, deals, count, keys, flushes
            )
            best_players(keys, plain, best)
            for i in range(plain):
                tally[best[i] & np.uint32(0xFFFF)] += 1
            count_flushes(boards, held, combos, starts, shifts, flushes, count - plain, tally)


@kernel
def draw_rows(tables: RowTables, counter: np.uint64, deals: CardArray) -> None:
    """Fill an array with the first deals of one block.

    Args:
        tables: the tables to draw from.
        counter: the block's first counter.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: board, then each player's hole cards.
    """
    words, more_words, pending, drawn = _buffers()
    layout, columns = tables.layout, tables.columns
    rows = np.empty(4, dtype=np.uint64)
    done = waiting = _ZERO
    while done < np.uint64(len(deals)):
        counter, count, waiting = _draw_group(
            *(layout, tables.redraws_second, tables.boards, tables.hole_masks),
            *(tables.keep, tables.alias, counter, words, more_words, pending, waiting, drawn),
        )
        for i in range(min(count, np.uint64(len(deals)) - done)):
            packed = drawn[i]
            rows[0], rows[1] = (packed & LOW_16) >> _ONE, (packed >> ROW_1 & LOW_16) >> _ONE
            rows[2] = layout[2, 1] + (packed >> FIRST_LIST)
            rows[3] = layout[3, 1] + (packed >> SECOND_LIST & LOW_16)
            for column in range(np.uint64(len(tables.template))):
                deals[done, column] = tables.template[column]
            for table in range(np.uint64(4 if layout[3, 0] else 3)):
                for place in range(np.uint64(columns.shape[1])):
                    column = columns[table, place]
                    if column >= 0:
                        deals[done, column] = tables.cards[rows[table], place]
            done += _ONE

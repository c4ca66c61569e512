"""Deals put together from pieces drawn independently, all again where two share a card.

Three pieces make a deal: two of the board, and the holes of all players whose cards are not
known, from one list. A piece that is not needed is a list of one row without cards. One random
word gives all three. Where one list would be too long, some of the players have a second, whose
rows are drawn for those deals that have no card twice so far. What is left after deals with
a card twice are dropped has the distribution of the product of the pieces' weights over all
deals without. Where the second list is all holes alike, as many of its rows fit to one deal as to
any other: there a deal waits for the next row instead of being dropped. With one known hole
against a random one 71 % are kept, and sums of keys come ready from the lists.

A group of words goes through one short loop after another, without a branch. In a long loop a
deal waits for four look-ups, each made with what the one before has found, and a processor has
room for two or three such deals at a time; and what a branch finds, here, nobody can foretell.
Flat tables, for numba would multiply to find a row of others; a key and its mask side by side,
for what is dropped by the mask brings the key of what is not. All this makes 160 of 85
million deals a second with one known hole against a random one, and 125 of 54 with two
ranges of 202 combos.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.random_words import BLOCK_STEP, GOLDEN, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.row_tables.ranking_kernels import (
    FIRST_LIST,
    LOW_16,
    ROW_1,
    SECOND_LIST,
    best_of_many,
    compare,
    compare_flushes,
    count_each,
    keys_of_many,
    sums_of_one_list,
    sums_of_two_lists,
)
from holdem.odds.sampling.row_tables.tables import PIECE_BITS, PieceTables

#: Words drawn at a time: what one loop leaves for the next stays in the first cache.
WORDS_A_GROUP = 512

# Constants: shifts by variables make the loop a fifth slower.
_BITS_0, _BITS_1, _BITS_2 = (np.uint64(bits) for bits in PIECE_BITS[:3])
_LOW_0, _LOW_1, _LOW_2 = (np.uint64((1 << bits) - 1) for bits in PIECE_BITS[:3])
_SHIFT_1, _SHIFT_2 = np.uint64(PIECE_BITS[0]), np.uint64(PIECE_BITS[0] + PIECE_BITS[1])
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_STEPS = np.arange(2 * WORDS_A_GROUP, dtype=np.uint64) * GOLDEN
_STEP = np.uint64(WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_TWO_STEPS = np.uint64(2 * WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_BEGIN_1 = ROW_1 + _ONE  # a row of `boards` begins at twice its number


@inlined
def _draw_words(counter: Any, words: NDArray[np.uint64], count: Any) -> None:
    for i in range(count):
        words[i] = random_word(counter + _STEPS[i])


@inlined
def _pick_rows(scheme: NDArray[np.uint64], lost: Any, words: NDArray[np.uint64]) -> None:
    """Turn random words into picks; `lost` begins the last row of `boards`, for an unfair one."""
    # The processor multiplies 32 bits at once, and 64 in three steps.
    size_0, size_1, size_2 = scheme[0, 0] & _LOW_32, scheme[1, 0] & _LOW_32, scheme[2, 0] & _LOW_32
    least_0, least_1, least_2 = scheme[0, 2], scheme[1, 2], scheme[2, 2]
    first_1 = scheme[1, 1] << _BEGIN_1
    for i in range(np.uint64(WORDS_A_GROUP)):
        word = words[i]
        part_0 = (word & _LOW_0) * size_0
        part_1 = (word >> _SHIFT_1 & _LOW_1) * size_1
        part_2 = (word >> _SHIFT_2) * size_2
        fair = (
            (part_0 & _LOW_0 >= least_0)
            & (part_1 & _LOW_1 >= least_1)
            & (part_2 & _LOW_2 >= least_2)
        )
        begin_0 = part_0 >> _BITS_0 << _ONE if fair else lost
        begin_1 = first_1 + (part_1 >> _BITS_1 << _BEGIN_1)
        words[i] = begin_0 | begin_1 | part_2 >> _BITS_2 << FIRST_LIST


@inlined
def _pick_second(size: Any, least: Any, words: NDArray[np.uint64], count: Any) -> None:
    """Turn random words into rows of the second list; an unfair one into that after the last."""
    for i in range(count):
        part = (words[i] >> _32) * (size & _LOW_32)
        row = part >> _32 if part & _LOW_32 >= least else size
        words[i] = row << SECOND_LIST


@inlined
def _weigh(
    keep: NDArray[np.uint64],
    alias: NDArray[np.uint64],
    first: Any,
    shift: Any,
    others: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    count: Any,
) -> None:
    """Take the other row of a list, which begins at `first`, where a second word says so."""
    for i in range(count):
        row = picks[i] >> shift
        other = alias[first + row]
        picks[i] ^= (other ^ row) * np.uint64(others[i] > keep[first + row]) << shift


@inlined
def _drop(
    boards: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    drawn: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
) -> Any:
    """Add the picks that have no card twice to those `kept`, without a branch; return how many."""
    for i in range(np.uint64(WORDS_A_GROUP)):
        pick = drawn[i]
        mask_0, mask_1 = boards[(pick & LOW_16) + _ONE], boards[(pick >> ROW_1 & LOW_16) + _ONE]
        twice = mask_0 & mask_1 | (mask_0 | mask_1) & masks[pick >> FIRST_LIST]
        picks[kept] = pick
        kept += np.uint64(twice == _ZERO)
    return kept


@inlined
def _join(
    boards: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    first: Any,
    drawn: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    joined: NDArray[np.uint64],
) -> Any:
    """Write picks with the rows of the second list that share no card with them.

    The others are moved to the front of `picks`. Returns how many were joined.
    """
    done = left = _ZERO
    for i in range(kept):
        pick, part = picks[i], drawn[i]
        mask_0, mask_1 = boards[(pick & LOW_16) + _ONE], boards[(pick >> ROW_1 & LOW_16) + _ONE]
        twice = (mask_0 | mask_1 | masks[pick >> FIRST_LIST]) & masks[first + (part >> SECOND_LIST)]
        fits = np.uint64(twice == _ZERO)
        joined[done] = pick | part
        picks[left] = pick
        done += fits
        left += _ONE - fits
    return done


@inlined
def _draw(
    scheme: NDArray[np.uint64],
    waits: Any,
    boards: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    keep: NDArray[np.uint64],
    alias: NDArray[np.uint64],
    counter: Any,
    words: NDArray[np.uint64],
    others: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    waiting: Any,
    deals: NDArray[np.uint64],
) -> Any:
    """Draw a group of deals; write the picks of those that are kept.

    The first six arguments are those of `PieceTables`; `counter` is the block's next. `words` and
    `others` are written over. `picks` begins with those of the `waiting` deals. What is kept is
    written to `deals`, for which ``2 * WORDS_A_GROUP`` are enough, as for all of them.

    Returns the next counter, how many deals are kept, and how many wait.
    """
    two_lists, weighed, group = scheme[3, 0] > 0, len(keep) > 0, np.uint64(WORDS_A_GROUP)
    kept = waiting
    if waiting <= group:
        _draw_words(counter, words, group)
        _pick_rows(scheme, np.uint64(len(boards) - 2), words)
        if weighed:
            _draw_words(counter + _STEP, others, group)
            _weigh(keep, alias, _ZERO, FIRST_LIST, others, words, group)
        counter += _TWO_STEPS
        if not two_lists:
            return counter, _drop(boards, masks, words, deals, _ZERO), _ZERO
        kept = _drop(boards, masks, words, picks, waiting)
    first = scheme[2, 0]
    _draw_words(counter, words, kept)
    _pick_second(scheme[3, 0], scheme[3, 2], words, kept)
    if weighed and not waits:
        _draw_words(counter + _TWO_STEPS, others, kept)
        _weigh(keep, alias, first, SECOND_LIST, others, words, kept)
    done = _join(boards, masks, first, words, picks, kept, deals)
    return counter + _TWO_STEPS + _TWO_STEPS, done, kept - done if waits else _ZERO


@inlined
def _empty_buffers() -> Any:
    """Return what `_draw` writes to."""
    size = 2 * WORDS_A_GROUP
    return (
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
        np.empty(size, dtype=np.uint64),
    )


def sample_pieces(
    tables: PieceTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Draw, rank and count the deals of consecutive blocks.

    Args:
        tables: what to draw from.
        start: the counter at which block 0 begins.
        first: the number of the first block.
        sizes: ``int64 (block,)``: how many deals of each block to draw, from its first on.
        counts: ``int64 (block, size)``, added to: a tally of each.
    """
    # Two kernels, of which most people need one: compiling both takes a fifth longer.
    sample = _sample_two if len(tables.starts) == 2 else _sample_many
    sample(tables, start, first, sizes, counts)


@kernel
def _sample_two(
    tables: PieceTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Do what `sample_pieces` does, for two players."""
    words, others, picks, deals = _empty_buffers()
    # Taken out of the tuple here: each time costs a reference count, half a nanosecond a deal.
    boards, sums, held, holes = tables.boards, tables.sums, tables.held, tables.holes
    starts, shifts = tables.starts, tables.shifts
    scheme, waits, masks = tables.scheme, tables.waits, tables.masks
    keep, alias = tables.keep, tables.alias
    second, two_lists = scheme[2, 0], scheme[3, 0] > 0
    keys, flushes = words, others
    for block in range(len(sizes)):
        counter, waiting = start + np.uint64(first + block) * BLOCK_STEP, _ZERO
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            counter, kept, waiting = _draw(
                *(scheme, waits, boards, masks, keep, alias),
                *(counter, words, others, picks, waiting, deals),
            )
            kept = min(kept, np.uint64(left))
            left -= np.int64(kept)
            if two_lists:
                plain = sums_of_two_lists(boards, sums, second, deals, kept, keys, flushes)
            else:
                plain = sums_of_one_list(boards, sums, deals, kept, keys, flushes)
            wins, ties = compare(keys, plain)
            more = compare_flushes(boards, held, holes, starts, shifts, flushes, kept - plain)
            wins, ties = wins + more[0], ties + more[1]
            tally[1] += np.int64(wins)
            tally[2] += np.int64(kept - wins - ties)
            tally[3] += np.int64(ties)


@kernel
def _sample_many(
    tables: PieceTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Do what `sample_pieces` does, for any number of players."""
    words, others, picks, deals = _empty_buffers()
    flushes = words
    keys = np.empty((len(tables.starts), 2 * WORDS_A_GROUP), dtype=np.uint32)
    best = np.empty(2 * WORDS_A_GROUP, dtype=np.uint32)
    boards, held, holes = tables.boards, tables.held, tables.holes
    starts, shifts = tables.starts, tables.shifts
    scheme, waits, masks = tables.scheme, tables.waits, tables.masks
    keep, alias = tables.keep, tables.alias
    for block in range(len(sizes)):
        counter, waiting = start + np.uint64(first + block) * BLOCK_STEP, _ZERO
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            counter, kept, waiting = _draw(
                *(scheme, waits, boards, masks, keep, alias),
                *(counter, words, others, picks, waiting, deals),
            )
            kept = min(kept, np.uint64(left))
            left -= np.int64(kept)
            plain = keys_of_many(boards, held, holes, starts, shifts, deals, kept, keys, flushes)
            best_of_many(keys, plain, best)
            for i in range(plain):
                tally[best[i] & np.uint32(0xFFFF)] += 1
            count_each(boards, held, holes, starts, shifts, flushes, kept - plain, tally)


@kernel
def draw_pieces(tables: PieceTables, counter: np.uint64, deals: CardArray) -> None:
    """Draw the first deals of a block.

    Args:
        tables: what to draw from.
        counter: the block's first counter.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: board, then each player's hole.
    """
    words, others, picks, drawn = _empty_buffers()
    scheme, columns = tables.scheme, tables.columns
    rows = np.empty(4, dtype=np.uint64)
    pieces = np.uint64(4 if scheme[3, 0] else 3)
    done = waiting = _ZERO
    while done < np.uint64(len(deals)):
        counter, kept, waiting = _draw(
            *(scheme, tables.waits, tables.boards, tables.masks, tables.keep, tables.alias),
            *(counter, words, others, picks, waiting, drawn),
        )
        for i in range(min(kept, np.uint64(len(deals)) - done)):
            pick = drawn[i]
            rows[0], rows[1] = (pick & LOW_16) >> _ONE, (pick >> ROW_1 & LOW_16) >> _ONE
            rows[2] = scheme[2, 1] + (pick >> FIRST_LIST)
            rows[3] = scheme[3, 1] + (pick >> SECOND_LIST & LOW_16)
            deals[done, :] = tables.template
            for piece in range(pieces):
                for place in range(np.uint64(columns.shape[1])):
                    column = columns[piece, place]
                    if column >= 0:
                        deals[done, column] = tables.cards[rows[piece], place]
            done += _ONE

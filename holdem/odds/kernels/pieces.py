"""Deals put together from pieces drawn independently, all again where two share a card.

Three pieces make a deal: two of the board, and the holes of all players whose cards are not
known, from one list. A piece that is not needed is a list of one row without cards. One random
word gives all three. Where one list would be too long, some of the players have a second, whose
rows are drawn for those deals that have no card twice so far. What is left after deals with
a card twice are dropped has the distribution of the product of the pieces' weights over all
deals without. With one known hole against a random one 71 % are kept, at 3 ns each, and sums of
keys come ready from the lists. With two lists, three ranges of 202 combos make 48 million deals a
second, and made 15 when their boards came from a deck.

A group of words goes through one short loop after another. In a long loop a deal waits for four
look-ups, each made with what the one before has found, and a processor has room for two or
three such deals at a time. Most loops have no branch, and deals with a flush, which need one,
go through a loop of their own. Flat tables, for numba would multiply to find a row of others;
a key and its mask side by side, for what is dropped by the mask brings the key of what is not.
All this makes 137 of 85 million deals a second with one known hole against a random one, and
102 of 54 with two ranges of 202 combos.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.compilation import inlined, kernel
from holdem.odds.kernels.drawing import BLOCK_STEP, GOLDEN, random_word
from holdem.odds.kernels.picks import (
    FIRST_LIST,
    LOW_16,
    ROW_1,
    SECOND_LIST,
    best_of_many,
    compare,
    count_each,
    keys_of_many,
    keys_of_two,
)

#: Words drawn at a time: what one loop leaves for the next stays in the first cache.
WORDS_A_GROUP = 512

#: The bits of a random word that choose the row of each piece: three of one word, and the fourth.
PIECE_BITS = (22, 21, 21, 32)

# Constants: shifts by variables make the loop a fifth slower.
_BITS_0, _BITS_1, _BITS_2 = (np.uint64(bits) for bits in PIECE_BITS[:3])
_LOW_0, _LOW_1, _LOW_2 = (np.uint64((1 << bits) - 1) for bits in PIECE_BITS[:3])
_SHIFT_1, _SHIFT_2 = np.uint64(PIECE_BITS[0]), np.uint64(PIECE_BITS[0] + PIECE_BITS[1])
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_STEPS = np.arange(WORDS_A_GROUP, dtype=np.uint64) * GOLDEN
_STEP = np.uint64(WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_TWO_STEPS = np.uint64(2 * WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_32, _LOW_32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_BEGIN_1 = ROW_1 + _ONE  # a row of `boards` begins at twice its number


class PieceTables(NamedTuple):
    """What the kernels need to know of a spot. Made by `holdem.odds.pieces`."""

    template: CardArray
    """``uint8 (5 + 2 * players,)``: board and holes, known cards in place."""
    scheme: NDArray[np.uint64]
    """``uint64 (4, 3)``: for each piece the number of its rows, which is the first in `cards`,
    and the fraction below which it is drawn again (Lemire). The fourth has no row where there
    is one list of holes."""
    boards: NDArray[np.uint64]
    """``uint64 (2 * row,)``: of each row of the board's pieces the sum of its cards' keys and
    their suit mask; with the first piece those of the known board. Last a row that fits to none
    of the first list of holes."""
    masks: NDArray[np.uint64]
    """``uint64 (row,)``: the suit mask of each row of both lists of holes; in the first list with
    a bit that the last row of `boards` has, and the last one here, which belongs to no list."""
    held: NDArray[np.uint16]
    """``uint16 (place,)``: where in `holes` a player's hole begins, for each row of the list
    that it comes from; player after player."""
    starts: NDArray[np.uint64]
    """``uint64 (player,)``: where in `held` a player's places begin."""
    shifts: NDArray[np.uint64]
    """``uint64 (player,)``: the one of `LIST_SHIFTS` that belongs to a player's list."""
    holes: NDArray[np.uint64]
    """``uint64 (2 * combo,)``: the key sum and the suit mask of every combo."""
    cards: CardArray
    """``uint8 (row, width)``: the cards of each row, piece after piece."""
    columns: NDArray[np.int64]
    """``int64 (3, width)``: the places in a deal that a piece's cards go to; -1 for none."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: for each row of both lists of holes, kept if a random word is not above it
    (Walker's alias). Empty where all weigh the same."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the row of the list taken instead."""


@inlined
def _draw_words(counter: Any, words: NDArray[np.uint64]) -> None:
    for i in range(np.uint64(WORDS_A_GROUP)):
        words[i] = random_word(counter + _STEPS[i])


@inlined
def _pick_rows(scheme: NDArray[np.uint64], lost: Any, words: NDArray[np.uint64]) -> None:
    """Turn random words into picks; `lost` begins the last row of `boards`, for an unfair one."""
    # The processor multiplies 32 bits at once, and 64 in three steps.
    size_0, size_1, size_2 = scheme[0, 0] & _LOW_32, scheme[1, 0] & _LOW_32, scheme[2, 0] & _LOW_32
    least_0, least_1, least_2 = scheme[0, 2], scheme[1, 2], scheme[2, 2]
    first_1 = scheme[1, 1] << _BEGIN_1
    for i in range(np.uint64(len(words))):
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
def _pick_second(size: Any, least: Any, words: NDArray[np.uint64]) -> None:
    """Turn random words into rows of the second list; an unfair one into that after the last."""
    for i in range(np.uint64(len(words))):
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
) -> None:
    """Take the other row of a list, which begins at `first`, where a second word says so."""
    for i in range(np.uint64(len(picks))):
        row = picks[i] >> shift
        other = alias[first + row]
        picks[i] ^= (other ^ row) * np.uint64(others[i] > keep[first + row]) << shift


@inlined
def _drop(
    boards: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    drawn: NDArray[np.uint64],
    picks: NDArray[np.uint64],
) -> Any:
    """Copy the picks that have no card twice, without a branch; return how many they are."""
    kept = _ZERO
    for i in range(np.uint64(len(drawn))):
        pick = drawn[i]
        mask_0, mask_1 = boards[(pick & LOW_16) + _ONE], boards[(pick >> ROW_1 & LOW_16) + _ONE]
        twice = mask_0 & mask_1 | (mask_0 | mask_1) & masks[pick >> FIRST_LIST]
        picks[kept] = pick
        kept += np.uint64(twice == _ZERO)
    return kept


@inlined
def _drop_again(
    boards: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    first: Any,
    drawn: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
) -> Any:
    """Put in the rows of the second list that share no card with their picks."""
    left = _ZERO
    for i in range(kept):
        pick, part = picks[i], drawn[i]
        mask_0, mask_1 = boards[(pick & LOW_16) + _ONE], boards[(pick >> ROW_1 & LOW_16) + _ONE]
        twice = (mask_0 | mask_1 | masks[pick >> FIRST_LIST]) & masks[first + (part >> SECOND_LIST)]
        picks[left] = pick | part
        left += np.uint64(twice == _ZERO)
    return left


@inlined
def _draw(
    tables: PieceTables, counter: Any, words: NDArray[np.uint64], picks: NDArray[np.uint64]
) -> Any:
    """Draw a group of all pieces but the second list; write the picks of the deals that are kept.

    Returns how many they are.
    """
    _draw_words(counter, words)
    _pick_rows(tables.scheme, np.uint64(len(tables.boards) - 2), words)
    if len(tables.keep):
        _draw_words(counter + _STEP, picks)
        _weigh(tables.keep, tables.alias, _ZERO, FIRST_LIST, picks, words)
    return _drop(tables.boards, tables.masks, words, picks)


@inlined
def _draw_second(
    tables: PieceTables,
    counter: Any,
    words: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
) -> Any:
    """Draw the row of the second list for the picks kept; return how many are left."""
    first, size, least = tables.scheme[2, 0], tables.scheme[3, 0], tables.scheme[3, 2]
    _draw_words(counter, words)
    _pick_second(size, least, words)
    if len(tables.keep):
        others = np.empty(WORDS_A_GROUP, dtype=np.uint64)
        _draw_words(counter + _STEP, others)
        _weigh(tables.keep, tables.alias, first, SECOND_LIST, others, words)
    return _drop_again(tables.boards, tables.masks, first, words, picks, kept)


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
    words = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    picks = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    ones = np.empty(WORDS_A_GROUP, dtype=np.uint32)
    others = np.empty(WORDS_A_GROUP, dtype=np.uint32)
    # Taken out of the tuple here: each time costs a reference count, half a nanosecond a deal.
    boards, held, holes = tables.boards, tables.held, tables.holes
    starts, shifts, two_lists = tables.starts, tables.shifts, tables.scheme[3, 0] > 0
    for block in range(len(sizes)):
        counter = start + np.uint64(first + block) * BLOCK_STEP
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            kept = _draw(tables, counter, words, picks)
            counter += _TWO_STEPS
            if two_lists:
                kept = _draw_second(tables, counter, words, picks, kept)
                counter += _TWO_STEPS
            kept = min(kept, np.uint64(left))
            left -= np.int64(kept)
            if two_lists:
                plain = keys_of_two(
                    *(boards, held, holes, starts[0], starts[1], shifts[0], shifts[1]),
                    *(picks, kept, ones, others, words),
                )
            else:
                plain = keys_of_two(
                    *(boards, held, holes, starts[0], starts[1], FIRST_LIST, FIRST_LIST),
                    *(picks, kept, ones, others, words),
                )
            wins, ties = compare(ones, others, plain)
            tally[1] += np.int64(wins)
            tally[2] += np.int64(plain - wins - ties)
            tally[3] += np.int64(ties)
            count_each(boards, held, holes, starts, shifts, words, kept - plain, tally)


@kernel
def _sample_many(
    tables: PieceTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Do what `sample_pieces` does, for any number of players."""
    words = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    picks = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    keys = np.empty((len(tables.starts), WORDS_A_GROUP), dtype=np.uint32)
    best = np.empty(WORDS_A_GROUP, dtype=np.uint32)
    boards, held, holes = tables.boards, tables.held, tables.holes
    starts, shifts, two_lists = tables.starts, tables.shifts, tables.scheme[3, 0] > 0
    for block in range(len(sizes)):
        counter = start + np.uint64(first + block) * BLOCK_STEP
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            kept = _draw(tables, counter, words, picks)
            counter += _TWO_STEPS
            if two_lists:
                kept = _draw_second(tables, counter, words, picks, kept)
                counter += _TWO_STEPS
            kept = min(kept, np.uint64(left))
            left -= np.int64(kept)
            plain = keys_of_many(boards, held, holes, starts, shifts, picks, kept, keys, words)
            best_of_many(keys, plain, best)
            for i in range(plain):
                tally[best[i] & np.uint32(0xFFFF)] += 1
            count_each(boards, held, holes, starts, shifts, words, kept - plain, tally)


@kernel
def draw_pieces(tables: PieceTables, counter: np.uint64, deals: CardArray) -> None:
    """Draw the first deals of a block.

    Args:
        tables: what to draw from.
        counter: the block's first counter.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: board, then each player's hole.
    """
    words = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    picks = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    rows = np.empty(4, dtype=np.uint64)
    pieces = np.uint64(4 if tables.scheme[3, 0] else 3)
    done = _ZERO
    while done < np.uint64(len(deals)):
        kept = _draw(tables, counter, words, picks)
        counter += _TWO_STEPS
        if tables.scheme[3, 0]:
            kept = _draw_second(tables, counter, words, picks, kept)
            counter += _TWO_STEPS
        for i in range(min(kept, np.uint64(len(deals)) - done)):
            rows[0], rows[1] = (picks[i] & LOW_16) >> _ONE, (picks[i] >> ROW_1 & LOW_16) >> _ONE
            rows[2] = tables.scheme[2, 1] + (picks[i] >> FIRST_LIST)
            rows[3] = tables.scheme[3, 1] + (picks[i] >> SECOND_LIST & LOW_16)
            deals[done, :] = tables.template
            for piece in range(pieces):
                for place in range(np.uint64(tables.columns.shape[1])):
                    column = tables.columns[piece, place]
                    if column >= 0:
                        deals[done, column] = tables.cards[rows[piece], place]
            done += _ONE

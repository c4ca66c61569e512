"""Deals put together from pieces drawn independently, all again where two share a card.

Three pieces make a deal: two of the board, and the holes of all players whose cards are not
known, from one list. A piece that is not needed is a list of one row without cards. One random
word gives all three. What is left after deals with a
card twice are dropped has the distribution of the product of the pieces' weights over all
deals without. With one known hole against a random one 71 % are kept, at a few nanoseconds
each, and sums of keys come ready from the lists: twice as fast as dealing from a deck.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.compilation import inlined, kernel
from holdem.evaluation.lookup.kernels import strength
from holdem.odds.kernels.drawing import BLOCK_STEP, GOLDEN, random_word

#: Words drawn at a time: each stage runs over all of them, so that it can be vectorised.
WORDS_A_GROUP = 512

#: The bits of a random word that choose the row of each piece; most rows of a piece.
PIECE_BITS = (22, 21, 21)

# Constants: shifts by variables make the loop a fifth slower.
_BITS_0, _BITS_1, _BITS_2 = (np.uint64(bits) for bits in PIECE_BITS)
_LOW_0, _LOW_1, _LOW_2 = (np.uint64((1 << bits) - 1) for bits in PIECE_BITS)
_SHIFT_1, _SHIFT_2 = np.uint64(PIECE_BITS[0]), np.uint64(PIECE_BITS[0] + PIECE_BITS[1])
_ONE = np.uint64(1)
_GROUP_STEP = np.uint64(2 * WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_WEIGHT_STEP = np.uint64(WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)


class PieceTables(NamedTuple):
    """What the kernels need to know of a spot. Made by `holdem.odds.drawing`."""

    template: CardArray
    """``uint8 (5 + 2 * players,)``: board and holes, known cards in place."""
    scheme: NDArray[np.uint64]
    """``uint64 (3, 3)``: for each piece the number of its rows, which is the first, and the
    fraction below which it is drawn again (Lemire)."""
    masks: NDArray[np.uint64]
    """``uint64 (row,)``: the suit mask of a row's cards. Pieces follow each other."""
    sums: NDArray[np.uint64]
    """``uint64 (row, 2)``: of the board's pieces, the sum of the keys of a row's cards, and their
    suit mask."""
    holes: NDArray[np.uint64]
    """``uint64 (row, drawn, 2)``: likewise of each hole in a row of the third piece."""
    cards: CardArray
    """``uint8 (row, width)``: the row's cards."""
    columns: NDArray[np.int64]
    """``int64 (3, width)``: the places in a deal that a piece's cards go to; -1 for none."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: for each row of the third piece, kept if a random word is not above it
    (Walker's alias). Empty where all weigh the same."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the row of the piece taken instead."""
    seats: NDArray[np.uint64]
    """``uint64 (player, 3)``: what is known of a player's key sum and suit mask, the board
    included, and which hole of a row is the player's; for known ones the number of holes."""


@inlined
def _keep_fair(
    tables: PieceTables,
    holes: NDArray[np.uint64],
    words: NDArray[np.uint64],
    picks: NDArray[np.uint64],
) -> Any:
    """Turn words into picks, those with a card twice or an unfair row left out.

    No branch in the loop, so that it is vectorised. A pick has the three rows in 22, 21 and
    21 bits, the third counted from where its piece begins. `holes` is empty, or has the row of
    each word's hole. Returns how many are kept.
    """
    masks, scheme = tables.masks, tables.scheme
    size_0, size_1, size_2 = scheme[0, 0], scheme[1, 0], scheme[2, 0]
    first_0, first_1, first_2 = scheme[0, 1], scheme[1, 1], scheme[2, 1]
    least_0, least_1, least_2 = scheme[0, 2], scheme[1, 2], scheme[2, 2]
    kept = np.uint64(0)
    if len(holes) == 0:
        for i in range(np.uint64(len(words))):
            word = words[i]
            part_0 = (word & _LOW_0) * size_0
            part_1 = (word >> _SHIFT_1 & _LOW_1) * size_1
            part_2 = (word >> _SHIFT_2) * size_2
            row_0 = first_0 + (part_0 >> _BITS_0)
            row_1 = first_1 + (part_1 >> _BITS_1)
            row_2 = part_2 >> _BITS_2
            mask_0, mask_1, mask_2 = masks[row_0], masks[row_1], masks[first_2 + row_2]
            twice = mask_0 & mask_1 | (mask_0 | mask_1) & mask_2
            fair = (
                (part_0 & _LOW_0 >= least_0)
                & (part_1 & _LOW_1 >= least_1)
                & (part_2 & _LOW_2 >= least_2)
            )
            picks[kept] = row_0 | row_1 << _SHIFT_1 | row_2 << _SHIFT_2
            kept += np.uint64(fair & (twice == np.uint64(0)))
    else:
        for i in range(np.uint64(len(words))):
            word = words[i]
            part_0 = (word & _LOW_0) * size_0
            part_1 = (word >> _SHIFT_1 & _LOW_1) * size_1
            row_0 = first_0 + (part_0 >> _BITS_0)
            row_1 = first_1 + (part_1 >> _BITS_1)
            row_2 = holes[i] >> _ONE
            mask_0, mask_1, mask_2 = masks[row_0], masks[row_1], masks[first_2 + row_2]
            twice = mask_0 & mask_1 | (mask_0 | mask_1) & mask_2
            fair = (part_0 & _LOW_0 >= least_0) & (part_1 & _LOW_1 >= least_1)
            picks[kept] = row_0 | row_1 << _SHIFT_1 | row_2 << _SHIFT_2
            kept += np.uint64(fair & (twice == np.uint64(0))) & holes[i]
    return kept


@inlined
def _draw(
    tables: PieceTables,
    counter: Any,
    words: NDArray[np.uint64],
    holes: NDArray[np.uint64],
    picks: NDArray[np.uint64],
) -> Any:
    """Draw a group; write the rows of the deals that are kept to `picks`, return how many."""
    for i in range(np.uint64(WORDS_A_GROUP)):
        words[i] = random_word(counter + i * GOLDEN)
    for i in range(np.uint64(len(holes))):  # weighted: twice the row, and one if it is fair
        part = (words[i] >> _SHIFT_2) * tables.scheme[2, 0]
        row = part >> _BITS_2
        if random_word(counter + _WEIGHT_STEP + i * GOLDEN) > tables.keep[row]:
            row = tables.alias[row]
        holes[i] = row << _ONE | np.uint64(part & _LOW_2 >= tables.scheme[2, 2])
    return _keep_fair(tables, holes, words, picks)


@inlined
def _count_two(
    sums: NDArray[np.uint64],
    holes: NDArray[np.uint64],
    seats: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of two players; see `_count_many`."""
    first, second = seats[0, 2], seats[1, 2]
    both = max(first, second) < np.uint64(holes.shape[1])
    # If one is known, that is `a`; so is one of two known players.
    a, b = np.uint64(0), np.uint64(1)
    if first < second and not both:
        a, b = b, a
    key_a, mask_a, key_b, mask_b = seats[a, 0], seats[a, 1], seats[b, 0], seats[b, 1]
    slot_a, slot_b = seats[a, 2], np.uint64(0) if seats[b, 2] > 0 and not both else seats[b, 2]
    wins = ties = np.int64(0)
    for i in range(kept):
        pick = picks[i]
        row_0, row_1, hole = pick & _LOW_0, pick >> _SHIFT_1 & _LOW_1, pick >> _SHIFT_2
        key = sums[row_0, 0] + sums[row_1, 0]
        mask = sums[row_0, 1] | sums[row_1, 1]
        mine_key, mine_mask = key + key_a, mask | mask_a
        if both:
            mine_key += holes[hole, slot_a, 0]
            mine_mask |= holes[hole, slot_a, 1]
        mine = strength(mine_key, mine_mask)
        theirs = strength(
            key + key_b + holes[hole, slot_b, 0], mask | mask_b | holes[hole, slot_b, 1]
        )
        wins += mine > theirs
        ties += mine == theirs
    counts[_ONE << a] += wins
    counts[_ONE << b] += np.int64(kept) - wins - ties
    counts[3] += ties


@inlined
def _count_many(
    sums: NDArray[np.uint64],
    holes: NDArray[np.uint64],
    seats: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of any number of players.

    Args:
        sums: as in `PieceTables`.
        holes: as in `PieceTables`.
        seats: as in `PieceTables`.
        picks: ``uint64 (deal,)``.
        kept: how many of them.
        counts: ``int64 (2^players,)``, added to.
    """
    drawn = np.uint64(holes.shape[1])
    for i in range(kept):
        pick = picks[i]
        row_0, row_1, hole = pick & _LOW_0, pick >> _SHIFT_1 & _LOW_1, pick >> _SHIFT_2
        board_key = sums[row_0, 0] + sums[row_1, 0]
        board_mask = sums[row_0, 1] | sums[row_1, 1]
        best, winners = np.int64(0), np.uint64(0)
        for player in range(np.uint64(len(seats))):
            key, mask, slot = seats[player, 0], seats[player, 1], seats[player, 2]
            if slot < drawn:
                key += holes[hole, slot, 0]
                mask |= holes[hole, slot, 1]
            value = np.int64(strength(board_key + key, board_mask | mask))
            mine = _ONE << player
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        counts[winners] += 1


@kernel
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
        counts: ``int64 (block, 2^players)``, added to.
    """
    words = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    holes = np.empty(WORDS_A_GROUP if len(tables.keep) else 0, dtype=np.uint64)
    picks = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    for block in range(len(sizes)):
        counter = start + np.uint64(first + block) * BLOCK_STEP
        left = sizes[block]
        while left > 0:
            kept = min(_draw(tables, counter, words, holes, picks), np.uint64(left))
            counter += _GROUP_STEP
            left -= np.int64(kept)
            if len(tables.seats) == 2:
                _count_two(tables.sums, tables.holes, tables.seats, picks, kept, counts[block])
            else:
                _count_many(tables.sums, tables.holes, tables.seats, picks, kept, counts[block])


@kernel
def draw_pieces(tables: PieceTables, counter: np.uint64, deals: CardArray) -> None:
    """Draw the first deals of a block.

    Args:
        tables: what to draw from.
        counter: the block's first counter.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: board, then each player's hole.
    """
    words = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    holes = np.empty(WORDS_A_GROUP if len(tables.keep) else 0, dtype=np.uint64)
    picks = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    rows = np.empty(3, dtype=np.uint64)
    done = np.uint64(0)
    while done < np.uint64(len(deals)):
        kept = min(_draw(tables, counter, words, holes, picks), np.uint64(len(deals)) - done)
        counter += _GROUP_STEP
        for i in range(kept):
            rows[0], rows[1] = picks[i] & _LOW_0, picks[i] >> _SHIFT_1 & _LOW_1
            rows[2] = tables.scheme[2, 1] + (picks[i] >> _SHIFT_2)
            deals[done, :] = tables.template
            for piece in range(np.uint64(3)):
                for place in range(np.uint64(tables.columns.shape[1])):
                    column = tables.columns[piece, place]
                    if column >= 0:
                        deals[done, column] = tables.cards[rows[piece], place]
            done += _ONE

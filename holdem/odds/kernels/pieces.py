"""Deals put together from pieces drawn independently, all again where two share a card.

Three pieces make a deal: two of the board, and the holes of all players whose cards are not
known, from one list. A piece that is not needed is a list of one row without cards. One random
word gives all three. What is left after deals with a card twice are dropped has the
distribution of the product of the pieces' weights over all deals without. With one known hole
against a random one 71 % are kept, at 3 ns each, and sums of keys come ready from the lists:
three times as fast as dealing from a deck.

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
from holdem.evaluation.lookup.kernels import rank_strength, strength
from holdem.evaluation.lookup.keys import FLUSH_BITS
from holdem.odds.kernels.drawing import BLOCK_STEP, GOLDEN, random_word

#: Words drawn at a time: what one loop leaves for the next stays in the first cache.
WORDS_A_GROUP = 512

#: The bits of a random word that choose the row of each piece; most rows of a piece.
PIECE_BITS = (22, 21, 21)

# Constants: shifts by variables make the loop a fifth slower.
_BITS_0, _BITS_1, _BITS_2 = (np.uint64(bits) for bits in PIECE_BITS)
_LOW_0, _LOW_1, _LOW_2 = (np.uint64((1 << bits) - 1) for bits in PIECE_BITS)
_SHIFT_1, _SHIFT_2 = np.uint64(PIECE_BITS[0]), np.uint64(PIECE_BITS[0] + PIECE_BITS[1])
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_STEPS = np.arange(WORDS_A_GROUP, dtype=np.uint64) * GOLDEN
_GROUP_STEP = np.uint64(2 * WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_WEIGHT_STEP = np.uint64(WORDS_A_GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)
_FLUSH = np.uint64(FLUSH_BITS)

# A pick: where the two rows of the board begin in `boards`, in 16 bits each, and then the
# number of the third row.
_16, _17, _32 = np.uint64(16), np.uint64(17), np.uint64(32)
_LOW_16, _LOW_32 = np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)
_16_BITS = np.uint32(16)


class PieceTables(NamedTuple):
    """What the kernels need to know of a spot. Made by `holdem.odds.pieces`."""

    template: CardArray
    """``uint8 (5 + 2 * players,)``: board and holes, known cards in place."""
    scheme: NDArray[np.uint64]
    """``uint64 (3, 3)``: for each piece the number of its rows, which is the first in `cards`,
    and the fraction below which it is drawn again (Lemire)."""
    boards: NDArray[np.uint64]
    """``uint64 (2 * row,)``: of each row of the board's pieces the sum of its cards' keys and
    their suit mask; with the first piece those of the known board. Last a row that fits to none
    of the third piece."""
    masks: NDArray[np.uint64]
    """``uint64 (row,)``: the suit mask of each row of the third piece, and a bit that it shares
    with the last of `boards`."""
    held: NDArray[np.uint16]
    """``uint16 (row * players,)``: where in `holes` the hole of each player begins."""
    holes: NDArray[np.uint64]
    """``uint64 (2 * combo,)``: the key sum and the suit mask of every combo."""
    cards: CardArray
    """``uint8 (row, width)``: the cards of each row, piece after piece."""
    columns: NDArray[np.int64]
    """``int64 (3, width)``: the places in a deal that a piece's cards go to; -1 for none."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: for each row of the third piece, kept if a random word is not above it
    (Walker's alias). Empty where all weigh the same."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the row of the piece taken instead."""


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
    first_1 = scheme[1, 1] << _17
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
        begin_1 = first_1 + (part_1 >> _BITS_1 << _17)
        words[i] = begin_0 | begin_1 | part_2 >> _BITS_2 << _32


@inlined
def _weigh(
    keep: NDArray[np.uint64],
    alias: NDArray[np.uint64],
    others: NDArray[np.uint64],
    picks: NDArray[np.uint64],
) -> None:
    """Take the other row of the third piece where a second random word says so."""
    for i in range(np.uint64(len(picks))):
        row = picks[i] >> _32
        picks[i] ^= (alias[row] ^ row) * np.uint64(others[i] > keep[row]) << _32


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
        mask_0, mask_1 = boards[(pick & _LOW_16) + _ONE], boards[(pick >> _16 & _LOW_16) + _ONE]
        twice = mask_0 & mask_1 | (mask_0 | mask_1) & masks[pick >> _32]
        picks[kept] = pick
        kept += np.uint64(twice == _ZERO)
    return kept


@inlined
def _draw(
    tables: PieceTables, counter: Any, words: NDArray[np.uint64], picks: NDArray[np.uint64]
) -> Any:
    """Draw a group; write the picks of the deals that are kept, return how many."""
    _draw_words(counter, words)
    _pick_rows(tables.scheme, np.uint64(len(tables.boards) - 2), words)
    if len(tables.keep):
        _draw_words(counter + _WEIGHT_STEP, picks)
        _weigh(tables.keep, tables.alias, picks, words)
    return _drop(tables.boards, tables.masks, words, picks)


@inlined
def _keys_of_two(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    first: NDArray[np.uint32],
    second: NDArray[np.uint32],
    flushes: NDArray[np.uint64],
) -> Any:
    """Sum up the rank keys of two players' hands in the deals without a flush.

    The picks of the others are written to `flushes`. Returns how many have none.
    """
    plain = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        board = boards[pick & _LOW_16] + boards[pick >> _16 & _LOW_16]
        row = pick >> _32 << _ONE
        one, other = board + holes[held[row]], board + holes[held[row + _ONE]]
        flush = np.uint64((one | other) & _FLUSH != _ZERO)
        first[plain], second[plain] = np.uint32(one), np.uint32(other)
        plain += _ONE - flush
        flushes[rare] = pick
        rare += flush
    return plain


@inlined
def _compare(first: NDArray[np.uint32], second: NDArray[np.uint32], plain: Any) -> Any:
    """Return how often the first of two players wins, and how often they tie."""
    wins = ties = _ZERO
    for i in range(plain):
        mine, theirs = rank_strength(first[i]), rank_strength(second[i])
        wins += np.uint64(mine > theirs)
        ties += np.uint64(mine == theirs)
    return wins, ties


@inlined
def _keys_of_many(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    picks: NDArray[np.uint64],
    kept: Any,
    keys: NDArray[np.uint32],
    flushes: NDArray[np.uint64],
) -> Any:
    """Do what `_keys_of_two` does for any number of players."""
    players = np.uint64(len(keys))
    plain = rare = _ZERO
    for i in range(kept):
        pick = picks[i]
        board = boards[pick & _LOW_16] + boards[pick >> _16 & _LOW_16]
        row = (pick >> _32) * players
        every = _ZERO
        for player in range(players):
            key = board + holes[held[row + player]]
            keys[player, plain] = np.uint32(key)
            every |= key
        flush = np.uint64(every & _FLUSH != _ZERO)
        plain += _ONE - flush
        flushes[rare] = pick
        rare += flush
    return plain


@inlined
def _best_of_many(keys: NDArray[np.uint32], plain: Any, best: NDArray[np.uint32]) -> None:
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
def _count_each(
    boards: NDArray[np.uint64],
    held: NDArray[np.uint16],
    holes: NDArray[np.uint64],
    players: Any,
    picks: NDArray[np.uint64],
    kept: Any,
    counts: NDArray[np.int64],
) -> None:
    """Count the winners of any number of players, flushes among them, deal by deal."""
    for i in range(kept):
        begin_0, begin_1 = picks[i] & _LOW_16, picks[i] >> _16 & _LOW_16
        seats = (picks[i] >> _32) * players
        key = boards[begin_0] + boards[begin_1]
        mask = boards[begin_0 + _ONE] | boards[begin_1 + _ONE]
        best, winners = np.int64(0), _ZERO
        for player in range(players):
            hole = np.uint64(held[seats + player])
            value = np.int64(strength(key + holes[hole], mask | holes[hole + _ONE]))
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
    picks = np.empty(WORDS_A_GROUP, dtype=np.uint64)
    players = np.uint64((len(tables.template) - 5) // 2)
    keys = np.empty((players, WORDS_A_GROUP), dtype=np.uint32)
    best = np.empty(WORDS_A_GROUP, dtype=np.uint32)
    one, other = keys[0], keys[1]
    # Taken out of the tuple here: each time costs a reference count, half a nanosecond a deal.
    boards, held, holes = tables.boards, tables.held, tables.holes
    for block in range(len(sizes)):
        counter = start + np.uint64(first + block) * BLOCK_STEP
        tally = counts[block]
        left = sizes[block]
        while left > 0:
            kept = min(_draw(tables, counter, words, picks), np.uint64(left))
            counter += _GROUP_STEP
            left -= np.int64(kept)
            if players == 2:
                plain = _keys_of_two(boards, held, holes, picks, kept, one, other, words)
                wins, ties = _compare(one, other, plain)
                tally[1] += np.int64(wins)
                tally[2] += np.int64(plain - wins - ties)
                tally[3] += np.int64(ties)
            else:
                plain = _keys_of_many(boards, held, holes, picks, kept, keys, words)
                _best_of_many(keys, plain, best)
                for i in range(plain):
                    tally[best[i] & np.uint32(0xFFFF)] += 1
            _count_each(boards, held, holes, players, words, kept - plain, tally)


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
    rows = np.empty(3, dtype=np.uint64)
    done = _ZERO
    while done < np.uint64(len(deals)):
        kept = min(_draw(tables, counter, words, picks), np.uint64(len(deals)) - done)
        counter += _GROUP_STEP
        for i in range(kept):
            rows[0], rows[1] = (picks[i] & _LOW_16) >> _ONE, (picks[i] >> _16 & _LOW_16) >> _ONE
            rows[2] = tables.scheme[2, 1] + (picks[i] >> _32)
            deals[done, :] = tables.template
            for piece in range(np.uint64(3)):
                for place in range(np.uint64(tables.columns.shape[1])):
                    column = tables.columns[piece, place]
                    if column >= 0:
                        deals[done, column] = tables.cards[rows[piece], place]
            done += _ONE

"""Tables whose rows are combined into the deals of a spot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray

#: Random bits that choose a row of each table: for the two board tables and the first list of
#: holes they come from one word, for the second list from another.
ROW_BITS = (22, 21, 21, 32)

#: First bit of the row of the first and of the second list of holes in packed row indices.
LIST_SHIFTS = (48, 32)

#: Number of bits of a sum of seven rank keys, at most four of a rank; first bit of suit counts.
RANK_BITS, SUITS_FROM = 23, 46


class RowTables(NamedTuple):
    """A spot as tables whose rows are partial boards or unknown hole cards.

    There are two tables of partial boards and one or two lists of holes. A *key* of two players
    has the sum of one player's rank keys in its lowest `RANK_BITS`, the other's above, and the
    number of cards of each suit from bit `SUITS_FROM` on.
    """

    template: CardArray
    """``uint8 (5 + 2 * players,)``: board, then hole cards, the known cards in place."""
    layout: NDArray[np.uint64]
    """``uint64 (table, 3)``: for each table its number of rows, its first row in `cards`, and
    the fraction below which a draw is rejected (Lemire). No rows without a second list."""
    redraws_second: bool
    """Whether a rejected row of the second list is drawn again alone, not with the others."""
    boards: NDArray[np.uint64]
    """``uint64 (2 * row,)``: key and suit mask of each row of the two board tables, the known
    board added to the first. The last row clashes with every row of the first list of holes."""
    hole_masks: NDArray[np.uint64]
    """``uint64 (row,)``: suit mask of each row of both lists. Those of the first list have a bit
    in common with the last row of `boards`, and so has the last one here, in neither list."""
    hole_keys: NDArray[np.uint64]
    """``uint64 (row,)``: key of each row of both lists, for two players; empty for more. With one
    list a known hole is included; suit counts are the larger of the two players' counts."""
    held: NDArray[np.uint16]
    """``uint16 (seat row,)``: where in `combos` a player's hole begins, for each row of the
    player's list; player after player."""
    held_starts: NDArray[np.uint64]
    """``uint64 (player,)``: where in `held` a player's holes begin."""
    list_shifts: NDArray[np.uint64]
    """``uint64 (player,)``: the element of `LIST_SHIFTS` for the player's list."""
    combos: NDArray[np.uint64]
    """``uint64 (2 * combo,)``: key and suit mask of every combo."""
    cards: CardArray
    """``uint8 (row, width)``: the cards of each row, table after table."""
    columns: NDArray[np.int64]
    """``int64 (table, width)``: the columns of a deal for the cards of a row; -1 for none."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: alias table of both lists, `holdem.odds.sampling.alias_table`; empty if
    no hole is weighted."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the aliases, as rows of the list."""

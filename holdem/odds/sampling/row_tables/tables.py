"""What the kernels need to know of a spot whose deals are put together from pieces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray

#: The bits of a random word that choose the row of each piece: three of one word, and the fourth.
PIECE_BITS = (22, 21, 21, 32)

#: How far a pick, see `holdem.odds.sampling.row_tables.ranking_kernels`, is shifted for the row of each list of holes.
LIST_SHIFTS = (48, 32)

#: The bits that the rank keys of seven cards have, at most four of a rank; where suits are counted.
RANK_BITS, SUITS_FROM = 23, 46


class PieceTables(NamedTuple):
    """What the kernels need to know of a spot. Made by `holdem.odds.sampling.row_tables.prepare`."""

    template: CardArray
    """``uint8 (5 + 2 * players,)``: board and holes, known cards in place."""
    scheme: NDArray[np.uint64]
    """``uint64 (4, 3)``: for each piece the number of its rows, which is the first in `cards`,
    and the fraction below which it is drawn again (Lemire). The fourth has no row where there
    is one list of holes."""
    waits: bool
    """Whether a deal without a card twice waits for a row of the second list that fits."""
    boards: NDArray[np.uint64]
    """``uint64 (2 * row,)``: of each row of the board's pieces the key, for two players, and the
    suit mask; with the first piece those of the known board. Last a row that fits to none of the
    first list of holes."""
    masks: NDArray[np.uint64]
    """``uint64 (row,)``: the suit mask of each row of both lists of holes; in the first list with
    a bit that the last row of `boards` has, and the last one here, which belongs to no list."""
    sums: NDArray[np.uint64]
    """``uint64 (row,)``: of each row of both lists of holes the key of two players; with one list
    those of a known hole, too, and of each suit as many cards as the one has who has more. Empty
    for more than two players."""
    held: NDArray[np.uint16]
    """``uint16 (place,)``: where in `holes` a player's hole begins, for each row of the list
    that it comes from; player after player."""
    starts: NDArray[np.uint64]
    """``uint64 (player,)``: where in `held` a player's places begin."""
    shifts: NDArray[np.uint64]
    """``uint64 (player,)``: the one of `LIST_SHIFTS` that belongs to a player's list."""
    holes: NDArray[np.uint64]
    """``uint64 (2 * combo,)``: the key and the suit mask of every combo."""
    cards: CardArray
    """``uint8 (row, width)``: the cards of each row, piece after piece."""
    columns: NDArray[np.int64]
    """``int64 (4, width)``: the places in a deal that a piece's cards go to; -1 for none."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: for each row of both lists of holes, kept if a random word is not above it
    (Walker's alias). Empty where all weigh the same."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the row of the list taken instead."""

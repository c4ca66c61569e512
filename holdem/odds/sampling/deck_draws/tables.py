"""Tables for drawing deals card by card, and buffers for groups of deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import inlined

#: A packed card has its id in the six highest bits and its key below, so sums need no look-up.
ID_SHIFT = np.uint64(58)

#: Deals drawn at a time: some kilobytes, which stay in the L1 cache until they are ranked.
GROUP = 128


class DrawTables(NamedTuple):
    """A spot's lists of hole cards, whose rows are drawn at random, and its deck of other cards.

    Columns of a deal are the board, then each player's hole cards.
    """

    template: NDArray[np.uint64]
    """``uint64 (5 + 2 * players,)``: a deal of packed cards, the known ones in place."""
    seat_keys: NDArray[np.uint64]
    """``uint64 (player + 1,)``: key sum of each player's known hole, 0 for none; last, the board's
    with the start of suit counts."""
    seat_masks: NDArray[np.uint64]
    """``uint64 (player + 1,)``: suit masks of the same cards."""
    seat_draws: NDArray[np.uint64]
    """``uint64 (player + 1,)``: how many cards each of them draws from the deck."""
    deck: NDArray[np.uint64]
    """``uint64 (card,)``: the packed cards that are not known."""
    columns: NDArray[np.uint64]
    """``uint64 (draw,)``: the columns that are filled from the deck."""
    ranges: NDArray[np.uint64]
    """``uint64 (8 * word,)``: the number of cards left at each draw, padded with ones."""
    thresholds: NDArray[np.uint64]
    """``uint64 (2 * word,)``: for each four draws the fraction below which they are rejected."""
    list_starts: NDArray[np.uint64]
    """``uint64 (list + 1,)``: the first row of each list of holes."""
    list_thresholds: NDArray[np.uint64]
    """``uint64 (list,)``: the fraction below which the draw of a row is rejected."""
    list_columns: NDArray[np.uint64]
    """``uint64 (list, width)``: the columns for the cards of a row."""
    list_widths: NDArray[np.uint64]
    """``uint64 (list,)``: the number of cards of a row."""
    rows: NDArray[np.uint64]
    """``uint64 (row, width)``: the packed cards of each row, list after list."""
    row_sets: NDArray[np.uint64]
    """``uint64 (row,)``: the card set of each row."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: alias tables, `holdem.odds.sampling.alias_table`."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the aliases, as rows of all lists."""
    scarce: NDArray[np.uint64]
    """``uint64 (row,)``: the scarce cards of each row, as numbered bits; empty unless acceptance
    depends on them (`holdem.odds.sampling.deck_draws.scarce_cards`)."""
    acceptance: NDArray[np.uint64]
    """``uint64 (list, 2^scarce)``: a row is accepted if a random word is below the element for the
    scarce cards taken, its own included."""
    cluster_size: int
    """How many deals share the holes that come from lists; divides `GROUP`."""


@inlined
def empty_group(tables: DrawTables) -> NDArray[np.uint64]:
    """Return an array of `GROUP` deals that contain only the known cards."""
    deals = np.empty((GROUP, len(tables.template)), dtype=np.uint64)
    # Element by element: numba takes more than a second to compile the assignment of a slice.
    for deal in range(GROUP):
        for column in range(len(tables.template)):
            deals[deal, column] = tables.template[column]
    return deals

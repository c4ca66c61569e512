"""What deals are drawn from, and into.

A spot's packed cards, its lists of holes and the numbers that keep draws fair are prepared once;
`holdem.odds.sampling.deck_draws.kernels` fills groups of deals from them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.jit.decorators import inlined

#: A packed card has its id in the six highest bits and its key below: sums need no look-up.
ID_SHIFT = np.uint64(58)

#: Deals drawn at a time: some kilobytes, which stay in the first cache until they are ranked.
DEALS_A_GROUP = 128


class DrawTables(NamedTuple):
    """What the drawing kernel needs to know of a spot. Made by `holdem.odds.sampling.deck_draws.prepare`."""

    template: NDArray[np.uint64]
    """``uint64 (5 + 2 * players,)``: board and holes as packed cards, known ones in place."""
    deck: NDArray[np.uint64]
    """``uint64 (card,)``: the packed cards that are not known."""
    columns: NDArray[np.uint64]
    """``uint64 (draw,)``: the places in a deal that are filled from the deck."""
    ranges: NDArray[np.uint64]
    """``uint64 (8 * word,)``: the number of cards left at each draw, padded with ones."""
    thresholds: NDArray[np.uint64]
    """``uint64 (2 * word,)``: fractions below it are drawn again, for each four draws."""
    group_starts: NDArray[np.uint64]
    """``uint64 (group + 1,)``: where each group's rows begin."""
    group_thresholds: NDArray[np.uint64]
    """``uint64 (group,)``: as `thresholds`, for the choice of a row."""
    group_columns: NDArray[np.uint64]
    """``uint64 (group, width)``: the places in a deal that a group's cards go to."""
    group_widths: NDArray[np.uint64]
    """``uint64 (group,)``: the number of cards of a group's rows."""
    rows: NDArray[np.uint64]
    """``uint64 (row, width)``: packed cards: holes of a group's players, a row for each choice."""
    row_sets: NDArray[np.uint64]
    """``uint64 (row,)``: the index set of each row."""
    keep: NDArray[np.uint64]
    """``uint64 (row,)``: the row is kept if a random word is not above it (Walker's alias)."""
    alias: NDArray[np.uint64]
    """``uint64 (row,)``: the row taken instead."""
    contested: NDArray[np.uint64]
    """``uint64 (row,)``: the contested cards of each row, or empty where none are kept account
    of (`holdem.odds.sampling.deck_draws.scarce_cards`)."""
    chances: NDArray[np.uint64]
    """``uint64 (group, 2^contested)``: how likely a row is kept, by the contested cards taken."""
    boards_a_draw: int
    """How many deals share the holes that come from lists; divides `DEALS_A_GROUP`."""


@inlined
def empty_group(tables: DrawTables) -> NDArray[np.uint64]:
    """Return a group of deals in which only the known cards are in place."""
    deals = np.empty((DEALS_A_GROUP, len(tables.template)), dtype=np.uint64)
    for deal in range(DEALS_A_GROUP):
        deals[deal, :] = tables.template
    return deals

"""Monte Carlo with the default evaluator fused in: draw, rank, count, block after block."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.compilation import inlined, kernel
from holdem.evaluation.lookup.kernels import flush_strength, rank_strength
from holdem.evaluation.lookup.keys import CARD_MASKS, FLUSH_BITS, SUIT_COUNT_START
from holdem.odds.kernels.drawing import (
    BLOCK_STEP,
    DEALS_A_GROUP,
    ID_SHIFT,
    DrawTables,
    draw_group,
    empty_group,
)

_START = np.uint64(SUIT_COUNT_START)
_FLUSH = np.uint64(FLUSH_BITS)


@inlined
def _mask_of(deals: NDArray[np.uint64], row: Any, first: Any, last: Any) -> np.uint64:
    mask = np.uint64(0)
    for column in range(first, last):
        mask |= CARD_MASKS[deals[row, column] >> ID_SHIFT]
    return mask


@inlined
def _winners(deals: NDArray[np.uint64], row: Any, players: Any) -> Any:
    """Return the set of players who share the top in one deal."""
    board = _START
    for place in range(np.uint64(5)):
        board += deals[row, place]
    best, winners = np.int64(0), np.uint64(0)
    for player in range(players):
        column = np.uint64(5) + np.uint64(2) * player
        key = board + deals[row, column] + deals[row, column + np.uint64(1)]
        if key & _FLUSH:  # rare: masks are looked up only here
            mask = _mask_of(deals, row, np.uint64(0), np.uint64(5))
            mask |= _mask_of(deals, row, column, column + np.uint64(2))
            value = np.int64(flush_strength(key, mask))
        else:
            value = np.int64(rank_strength(np.uint32(key)))
        mine = np.uint64(1) << player
        winners = mine if value > best else winners | mine if value == best else winners
        best = max(best, value)
    return winners


@kernel
def sample_blocks(
    tables: DrawTables,
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
    players = np.uint64((len(tables.template) - 5) // 2)
    deals = empty_group(tables)
    used = np.zeros(DEALS_A_GROUP, dtype=np.uint64)
    places = np.empty((DEALS_A_GROUP + 1, len(tables.ranges)), dtype=np.uint8)
    for block in range(len(sizes)):
        deck = tables.deck.copy()
        counter = start + np.uint64(first + block) * BLOCK_STEP
        for done in range(0, sizes[block], DEALS_A_GROUP):
            counter = draw_group(tables, deck, counter, deals, used, places)
            for deal in range(np.uint64(min(DEALS_A_GROUP, sizes[block] - done))):
                counts[block, _winners(deals, deal, players)] += 1

"""Kernels that deal cards for a group of deals at once, in vectorized steps.

Holes from lists, which `holdem.odds.sampling.hole_kernels` draws, are copied. The other holes and
the board are drawn from the deck without replacement: a number below the number of unused cards,
moved past the used cards, which are kept in ascending order. However many players there are, no
deal is rejected because of a card that it has twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import BLOCK_STEP, GOLDEN, Words
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.deal_tables import Blocks, DealTables
from holdem.odds.sampling.lanes import (
    GROUP,
    GROUP_STEP,
    draw_three,
    draw_words,
    insert_used,
    skip_used,
)

_ZERO, _ONE, _TWO, _THREE = (np.uint64(number) for number in range(4))
_8, _32, _LANES = np.uint64(8), np.uint64(32), np.uint64(GROUP)
# Holes from lists have the first half of a block's 2^32 random words, the deck the second half.
_SECOND_HALF = np.uint64((int(GOLDEN) << 31) & 0xFFFFFFFFFFFFFFFF)


class Group(NamedTuple):
    """A group of deals, and the buffers that are needed to draw the cards."""

    cards: CardArray
    """``uint8 (column, GROUP)``: numbered cards; the known ones are in place."""
    used: CardArray
    """``uint8 (slot, GROUP)``: the cards drawn so far, ascending."""
    words: Words
    """``uint64 (GROUP,)``: random words."""


@inlined
def empty_group(tables: DealTables) -> Group:
    """Create the buffers for one group of a spot's deals."""
    cards = np.empty((len(tables.template), GROUP), dtype=np.uint8)
    for column in range(len(tables.template)):
        for i in range(GROUP):
            cards[column, i] = tables.template[column]
    used = np.empty((len(tables.columns), GROUP), dtype=np.uint8)
    return Group(cards, used, np.empty(GROUP, dtype=np.uint64))


@inlined
def deck_counter(blocks: Blocks, block: Any) -> Any:
    """Compute the random counter at which a block of deals begins to draw from the deck."""
    return blocks.start + (blocks.first + block) * BLOCK_STEP + _SECOND_HALF


@inlined
def deal_group(
    tables: DealTables, holes: NDArray[np.uint16], first: Any, counter: Any, group: Group
) -> Any:
    """Deal the cards of a group of deals, and return the next random counter.

    Args:
        tables: the columns of a deal.
        holes: ``uint16 (player, deal)``: the holes from lists of a block.
        first: the number of the group's first deal in the block.
        counter: the block's next counter.
        group: the group, written.
    """
    cards, used, columns = group.cards, group.used, tables.columns
    listed = np.uint64(len(holes))
    for player in range(listed):
        codes = holes[player]
        low, high = cards[columns[_TWO * player]], cards[columns[_TWO * player + _ONE]]
        for i in range(_LANES):
            code = codes[first + i]
            low[i] = code
            high[i] = code >> _8
    counter = _draw_numbers(tables, _TWO * listed, counter, group)
    for place in range(_TWO * listed + tables.draws):
        drawn = cards[columns[place]]
        if place >= _TWO * listed:
            skip_used(used, place, drawn)
        insert_used(used, place, drawn)
    return counter


@inlined
def _draw_numbers(tables: DealTables, listed: Any, counter: Any, group: Group) -> Any:
    """Draw a random index into the unused cards for each draw; return the next random counter.

    If any draw is biased, as in one group of thirty at most, the whole group is drawn again.

    `listed` is the number of columns that come from lists.
    """
    sizes, words = tables.sizes, group.words
    biased = _ONE
    while biased:
        biased = _ZERO
        for three in range(np.uint64(len(tables.least))):
            half, draw = three & _ONE, _THREE * three
            if half == _ZERO:
                draw_words(counter, words, _LANES)
                counter += GROUP_STEP
            one, two, last = (
                group.cards[tables.columns[listed + draw]],
                group.cards[tables.columns[listed + draw + _ONE]],
                group.cards[tables.columns[listed + draw + _TWO]],
            )
            of_sizes = sizes[draw], sizes[draw + _ONE], sizes[draw + _TWO]
            biased |= draw_three(words, _32 * half, of_sizes, tables.least[three], one, two, last)
    return counter


@kernel
def write_deals(tables: DealTables, blocks: Blocks, deals: CardArray) -> None:
    """Write the cards of the deals of a single block.

    Args:
        tables: the columns of a deal.
        blocks: the block.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: card ids, the board first.
    """
    group, counter = empty_group(tables), deck_counter(blocks, _ZERO)
    for first in range(0, len(deals), GROUP):
        counter = deal_group(tables, blocks.holes[0], np.uint64(first), counter, group)
        for column in range(deals.shape[1]):
            for i in range(min(GROUP, len(deals) - first)):
                deals[first + i, column] = tables.cards[group.cards[column, i]]

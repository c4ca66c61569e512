"""Kernels that draw deals from the joint distribution of all hole cards and the board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.random_words import GOLDEN, Words, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.deck_draws.tables import GROUP, ID_SHIFT, DrawTables, empty_group
from holdem.odds.sampling.deck_draws.without_replacement import (
    draw_below,
    draw_positions,
    position_buffers,
    swap_card,
)

_LOW_32 = np.uint64(0xFFFFFFFF)
_ONE, _FOUR, _32 = np.uint64(1), np.uint64(4), np.uint64(32)
_LEAST_TRIED = np.uint64(16)  # the fewest deals tried at a time
_ALWAYS = np.uint64(0xFFFFFFFFFFFFFFFF)  # no word is above it


@inlined
def _draw_holes(tables: DrawTables, counter: np.uint64, deals: Words, used: Words) -> np.uint64:
    """Draw hole cards from every weighted list for each deal; return the next random counter.

    Rows are drawn independently, and all of them again if two share a card. So the deals
    without duplicate cards are distributed by the product of their weights. Their card sets are
    written to `used`, ``uint64 (deal,)``.

    Many deals are tried at a time, list after list. Rejected ones are dropped without a branch,
    which would be unpredictable. This is twice as fast where most deals are rejected.
    """
    lists = np.uint64(len(tables.list_widths))
    most = max(np.uint64(len(deals)), _LEAST_TRIED)
    chosen = np.empty((most, len(tables.list_widths)), dtype=np.uint64)
    alive, held = np.empty(most, dtype=np.uint64), np.empty(most, dtype=np.uint64)
    done = np.uint64(0)
    while done < np.uint64(len(deals)):
        left = max(np.uint64(len(deals)) - done, _LEAST_TRIED)
        for i in range(left):
            alive[i], held[i] = i, 0
        for number in range(lists):
            first = tables.list_starts[number]
            size = tables.list_starts[number + _ONE] - first
            least = tables.list_thresholds[number]
            kept = np.uint64(0)
            for i in range(left):
                own = alive[i]
                drawn, fraction = draw_below(size, random_word(counter) >> _32)
                row = first + drawn
                keep = tables.keep[row]
                if keep != _ALWAYS and random_word(counter + GOLDEN) > keep:
                    row = tables.alias[row]
                counter += GOLDEN + GOLDEN
                cards = tables.row_sets[row]
                fits = (held[own] & cards == 0) & (fraction >= least)
                held[own] |= cards
                chosen[own, number] = row
                alive[kept] = own
                kept += np.uint64(fits)
            left = kept
        for i in range(min(left, np.uint64(len(deals)) - done)):
            used[done] = held[alive[i]]
            _write_holes(tables, chosen[alive[i]], deals[done])
            done += _ONE
    return counter


@inlined
def _write_holes(tables: DrawTables, chosen: Words, deal: Words) -> None:
    """Write the drawn hole cards to a deal."""
    for number in range(np.uint64(len(chosen))):
        for place in range(tables.list_widths[number]):
            deal[tables.list_columns[number, place]] = tables.rows[chosen[number], place]


@inlined
def _draw_scarce_holes(
    tables: DrawTables, counter: np.uint64, deals: Words, used: Words
) -> np.uint64:
    """Draw hole cards as `_draw_holes` does, but efficiently when players compete for a few cards.

    A row with a scarce card that is taken, or that leaves later players few choices, is redrawn
    alone; all rows are redrawn if two share another card. See
    `holdem.odds.sampling.deck_draws.scarce_cards`.
    """
    chosen = np.empty(len(tables.list_widths), dtype=np.uint64)
    for deal in range(np.uint64(len(deals))):
        number, taken = np.uint64(0), np.uint64(0)
        used[deal] = 0
        while number < np.uint64(len(tables.list_widths)):
            first = tables.list_starts[number]
            size = tables.list_starts[number + _ONE] - first
            drawn, fraction = draw_below(size, random_word(counter) >> _32)
            if fraction < tables.list_thresholds[number]:
                counter += GOLDEN
                continue
            row = first + drawn
            keep = tables.keep[row]
            if keep != _ALWAYS and random_word(counter + GOLDEN) > keep:
                row = tables.alias[row]
            counter += GOLDEN + GOLDEN
            own = tables.scarce[row]
            if taken & own:
                continue
            word = random_word(counter)
            counter += GOLDEN
            if word >= tables.acceptance[number, taken | own]:
                continue
            if used[deal] & tables.row_sets[row]:
                number, taken, used[deal] = np.uint64(0), np.uint64(0), 0
                continue
            taken |= own
            used[deal] |= tables.row_sets[row]
            chosen[number] = row
            number += _ONE
        _write_holes(tables, chosen, deals[deal])
    return counter


@inlined
def _share_holes(tables: DrawTables, deals: Words, used: Words) -> None:
    """Copy the hole cards of each cluster, which one deal has, to all deals of the cluster."""
    for i in range(GROUP):
        deal = np.uint64(GROUP - 1 - i)  # backwards, so that no deal is overwritten too early
        source = deal // np.uint64(tables.cluster_size)
        used[deal] = used[source]
        for number in range(np.uint64(len(tables.list_widths))):
            for place in range(tables.list_widths[number]):
                column = tables.list_columns[number, place]
                deals[deal, column] = deals[source, column]


@inlined
def _draw_cards(
    tables: DrawTables, deck: Words, counter: np.uint64, deals: Words, used: Words
) -> np.uint64:
    """Draw each deal's remaining cards from the deck; return the next random counter.

    Cards that are held already are skipped, which leaves the others in uniformly random order.
    The deck is not restored, because a shuffle may start from any permutation.
    """
    draws = np.uint64(len(tables.columns))
    drawn = np.empty(8, dtype=np.uint64)
    for deal in range(np.uint64(len(deals))):
        place, taken = np.uint64(0), np.uint64(0)
        held = used[deal]
        while taken < draws:
            slot = place & np.uint64(7)
            if slot == 0:
                half, fair = place >> np.uint64(2), False
                while not fair:
                    word = random_word(counter)
                    counter += GOLDEN
                    high, low = word >> _32, word & _LOW_32
                    for i in range(_FOUR):
                        drawn[i], high = draw_below(tables.ranges[place + i], high)
                        drawn[i + _FOUR], low = draw_below(tables.ranges[place + i + _FOUR], low)
                    fair = high >= tables.thresholds[half] and low >= tables.thresholds[half + _ONE]
            card = swap_card(deck, place, place + drawn[slot])
            place += _ONE
            if not held >> (card >> ID_SHIFT) & _ONE:
                deals[deal, tables.columns[taken]] = card
                taken += _ONE
    return counter


@inlined
def draw_from_lists(
    tables: DrawTables, deck: Words, counter: np.uint64, deals: Words, used: Words
) -> np.uint64:
    """Draw a group as `draw_group` does, if some hole cards come from lists."""
    clusters = GROUP // tables.cluster_size
    if len(tables.scarce) == 0:
        counter = _draw_holes(tables, counter, deals[:clusters], used[:clusters])
    else:
        counter = _draw_scarce_holes(tables, counter, deals[:clusters], used[:clusters])
    if tables.cluster_size > 1:
        _share_holes(tables, deals, used)
    return _draw_cards(tables, deck, counter, deals, used)


@inlined
def draw_group(
    tables: DrawTables,
    deck: Words,
    counter: np.uint64,
    deals: Words,
    used: Words,
    fractions: Words,
    positions: NDArray[np.uint8],
) -> np.uint64:
    """Draw `GROUP` deals and return the next random counter.

    A group is always drawn whole, so that the first deals of a block do not depend on how many
    are drawn. `tables` is passed once per group rather than per deal, since passing it costs a
    reference count for each array (300 ns).

    Args:
        tables: the tables to draw from.
        deck: ``uint64 (card,)``, a copy of ``tables.deck`` that belongs to the block.
        counter: the block's next counter.
        deals: ``uint64 (GROUP, 5 + 2 * players)``, packed; the known cards are in place, the
            others are written: the board, then each player's hole cards.
        used: ``uint64 (GROUP,)``, written: the card sets of the holes from lists.
        fractions: ``uint64 (3, GROUP)``, overwritten.
        positions: ``uint8 (len(tables.ranges), GROUP)``, overwritten.
    """
    if len(tables.list_widths):
        return draw_from_lists(tables, deck, counter, deals, used)
    counter = draw_positions(tables.ranges, tables.thresholds, counter, fractions, positions)
    for deal in range(np.uint64(GROUP)):
        for place in range(np.uint64(len(tables.columns))):
            card = swap_card(deck, place, np.uint64(positions[place, deal]))
            deals[deal, tables.columns[place]] = card
    return counter


@kernel
def draw_deals(tables: DrawTables, counter: np.uint64, deals: CardArray) -> None:
    """Fill an array with the first deals of one block.

    Args:
        tables: the tables to draw from.
        counter: the block's first counter.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: board, then each player's hole cards.
    """
    group, deck = empty_group(tables), tables.deck.copy()
    used = np.zeros(GROUP, dtype=np.uint64)
    fractions, positions = position_buffers(tables.ranges)
    for first in range(0, len(deals), GROUP):
        counter = draw_group(tables, deck, counter, group, used, fractions, positions)
        for deal in range(min(GROUP, len(deals) - first)):
            for column in range(np.uint64(len(tables.template))):
                deals[first + deal, column] = group[deal, column] >> ID_SHIFT

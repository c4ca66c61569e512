"""Deals drawn at random from the joint distribution of all holes and the board.

A number below n is the high part of a random fraction times n, and the few fractions that
would favour some numbers are drawn again, so every number is exactly as likely as any other.
(Lemire: Fast random integer generation in an interval, 2019; with Brackett-Rozinsky, Batched
ranged random integer generation, 2024, for four draws from one fraction of 32 bits.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.random_words import GOLDEN, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.deck_draws.tables import DEALS_A_GROUP, ID_SHIFT, DrawTables, empty_group
from holdem.odds.sampling.deck_draws.without_replacement import draw_places, take_card

_LOW_32 = np.uint64(0xFFFFFFFF)

_ONE, _32 = np.uint64(1), np.uint64(32)
_LEAST_TRIED = np.uint64(16)  # deals tried at a time
_ALWAYS = np.uint64(0xFFFFFFFFFFFFFFFF)  # no word is above it


@inlined
def _draw_holes(
    tables: DrawTables,
    counter: np.uint64,
    deals: NDArray[np.uint64],
    used: NDArray[np.uint64],
) -> np.uint64:
    """Draw the holes of all groups for each deal; return the next counter.

    Rows are drawn independently, and all again if two share a card: what is left has the
    distribution of the product of weights over all deals with no card twice. The sets of the
    cards held go to `used`, ``uint64 (deal,)``.

    Many deals are tried at a time, group after group; those that meet leave without a branch,
    for nobody could foretell it: twice as fast where most are lost.
    """
    groups = np.uint64(len(tables.group_widths))
    most = max(np.uint64(len(deals)), _LEAST_TRIED)
    chosen = np.empty((most, len(tables.group_widths)), dtype=np.uint64)
    alive, held = np.empty(most, dtype=np.uint64), np.empty(most, dtype=np.uint64)
    done = np.uint64(0)
    while done < np.uint64(len(deals)):
        tried = max(np.uint64(len(deals)) - done, _LEAST_TRIED)
        for i in range(tried):
            alive[i], held[i] = i, 0
        left = tried
        for group in range(groups):
            first = tables.group_starts[group]
            size = tables.group_starts[group + _ONE] - first
            least = tables.group_thresholds[group]
            kept = np.uint64(0)
            for i in range(left):
                own = alive[i]
                product = (random_word(counter) >> _32) * size
                row = first + (product >> _32)
                keep = tables.keep[row]
                if keep != _ALWAYS and random_word(counter + GOLDEN) > keep:
                    row = tables.alias[row]
                counter += GOLDEN + GOLDEN
                cards = tables.row_sets[row]
                fits = (held[own] & cards == 0) & (product & _LOW_32 >= least)
                held[own] |= cards
                chosen[own, group] = row
                alive[kept] = own
                kept += np.uint64(fits)
            left = kept
        for i in range(min(left, np.uint64(len(deals)) - done)):
            used[done] = held[alive[i]]
            _write_holes(tables, chosen[alive[i]], deals[done])
            done += _ONE
    return counter


@inlined
def _write_holes(tables: DrawTables, chosen: NDArray[np.uint64], deal: NDArray[np.uint64]) -> None:
    """Write the cards of the rows chosen to a deal."""
    for group in range(np.uint64(len(chosen))):
        row = chosen[group]
        for place in range(tables.group_widths[group]):
            deal[tables.group_columns[group, place]] = tables.rows[row, place]


@inlined
def _draw_contested_holes(
    tables: DrawTables,
    counter: np.uint64,
    deals: NDArray[np.uint64],
    used: NDArray[np.uint64],
) -> np.uint64:
    """Do what `_draw_holes` does where few holes fit together: `holdem.odds.sampling.deck_draws.scarce_cards`.

    A row that meets contested cards taken before, or that leaves little room for those who
    come later, is drawn again by itself; all are drawn again when other cards meet.
    """
    chosen = np.empty(len(tables.group_widths), dtype=np.uint64)
    for deal in range(np.uint64(len(deals))):
        group, taken = np.uint64(0), np.uint64(0)
        used[deal] = 0
        while group < np.uint64(len(tables.group_widths)):
            first = tables.group_starts[group]
            product = (random_word(counter) >> _32) * (tables.group_starts[group + _ONE] - first)
            if product & _LOW_32 < tables.group_thresholds[group]:
                counter += GOLDEN
                continue
            row = first + (product >> _32)
            keep = tables.keep[row]
            if keep != _ALWAYS and random_word(counter + GOLDEN) > keep:
                row = tables.alias[row]
            counter += GOLDEN + GOLDEN
            own = tables.contested[row]
            if taken & own:
                continue
            word = random_word(counter)
            counter += GOLDEN
            if word >= tables.chances[group, taken | own]:
                continue
            if used[deal] & tables.row_sets[row]:
                group, taken, used[deal] = np.uint64(0), np.uint64(0), 0
                continue
            taken |= own
            used[deal] |= tables.row_sets[row]
            chosen[group] = row
            group += _ONE
        _write_holes(tables, chosen, deals[deal])
    return counter


@inlined
def _share_holes(tables: DrawTables, deals: NDArray[np.uint64], used: NDArray[np.uint64]) -> None:
    """Give the holes of the first deals to as many as share them, those side by side."""
    for i in range(DEALS_A_GROUP):
        deal = np.uint64(DEALS_A_GROUP - 1 - i)  # from the last on: none is needed afterwards
        source = deal // np.uint64(tables.boards_a_draw)
        used[deal] = used[source]
        for group in range(np.uint64(len(tables.group_widths))):
            for place in range(tables.group_widths[group]):
                column = tables.group_columns[group, place]
                deals[deal, column] = deals[source, column]


@inlined
def _draw_cards(
    tables: DrawTables,
    deck: NDArray[np.uint64],
    counter: np.uint64,
    deals: NDArray[np.uint64],
    used: NDArray[np.uint64],
) -> np.uint64:
    """Draw what comes from the deck for each deal; return the next counter.

    A partial Fisher-Yates shuffle from the top of the deck. Cards that are held already are
    passed over, which leaves the others in uniformly random order. The deck stays as it was
    left, a permutation of itself: that does not change what the next draws are worth.
    """
    draws = np.uint64(len(tables.columns))
    picks = np.empty(8, dtype=np.uint64)
    for deal in range(np.uint64(len(deals))):
        place, taken = np.uint64(0), np.uint64(0)
        held = used[deal]
        while taken < draws:
            slot = place & np.uint64(7)
            if slot == 0:
                half = place >> np.uint64(2)
                while True:
                    word = random_word(counter)
                    counter += GOLDEN
                    high, low = word >> _32, word & _LOW_32
                    for i in range(np.uint64(4)):
                        product = high * tables.ranges[place + i]
                        picks[i] = product >> _32
                        high = product & _LOW_32
                        product = low * tables.ranges[place + i + np.uint64(4)]
                        picks[i + np.uint64(4)] = product >> _32
                        low = product & _LOW_32
                    if high >= tables.thresholds[half] and low >= tables.thresholds[half + _ONE]:
                        break
            card = take_card(deck, place, place + picks[slot])
            place += _ONE
            if not held >> (card >> ID_SHIFT) & _ONE:
                deals[deal, tables.columns[taken]] = card
                taken += _ONE
    return counter


@inlined
def draw_group(
    tables: DrawTables,
    deck: NDArray[np.uint64],
    counter: np.uint64,
    deals: NDArray[np.uint64],
    used: NDArray[np.uint64],
    fractions: NDArray[np.uint64],
    places: NDArray[np.uint8],
) -> np.uint64:
    """Draw one group of deals and return the next counter.

    Always a whole group, so that the first deals of a block are the same however many of
    them are asked for. The tables come as one argument a group, not one a deal: handing
    them to a function costs a reference count for each array (300 ns a deal, seen).

    Args:
        tables: what to draw from.
        deck: ``uint64 (card,)``, a copy of ``tables.deck`` that belongs to the block.
        counter: the block's next counter.
        deals: ``uint64 (DEALS_A_GROUP, 5 + 2 * players)``, packed, known cards in place, the others
            written: the board, then each player's hole.
        used: ``uint64 (DEALS_A_GROUP,)``, written.
        fractions: ``uint64 (3, DEALS_A_GROUP)``, written over.
        places: ``uint8 (len(tables.ranges), DEALS_A_GROUP)``, written over.
    """
    if len(tables.group_widths) == 0:
        counter = draw_places(tables.ranges, tables.thresholds, counter, fractions, places)
        for deal in range(np.uint64(DEALS_A_GROUP)):
            for place in range(np.uint64(len(tables.columns))):
                card = take_card(deck, place, np.uint64(places[place, deal]))
                deals[deal, tables.columns[place]] = card
        return counter
    draws = DEALS_A_GROUP // tables.boards_a_draw
    if len(tables.contested) == 0:
        counter = _draw_holes(tables, counter, deals[:draws], used[:draws])
    else:
        counter = _draw_contested_holes(tables, counter, deals[:draws], used[:draws])
    if tables.boards_a_draw > 1:
        _share_holes(tables, deals, used)
    return _draw_cards(tables, deck, counter, deals, used)


@kernel
def draw_block(tables: DrawTables, counter: np.uint64, deals: CardArray) -> None:
    """Draw the first deals of a block.

    Args:
        tables: what to draw from.
        counter: the block's first counter.
        deals: ``uint8 (deal, 5 + 2 * players)``, written: board, then each player's hole.
    """
    group, deck = empty_group(tables), tables.deck.copy()
    used = np.zeros(DEALS_A_GROUP, dtype=np.uint64)
    fractions = np.empty((3, DEALS_A_GROUP), dtype=np.uint64)
    places = np.empty((len(tables.ranges), DEALS_A_GROUP), dtype=np.uint8)
    for first in range(0, len(deals), DEALS_A_GROUP):
        counter = draw_group(tables, deck, counter, group, used, fractions, places)
        for deal in range(min(DEALS_A_GROUP, len(deals) - first)):
            for column in range(np.uint64(len(tables.template))):
                deals[first + deal, column] = group[deal, column] >> ID_SHIFT

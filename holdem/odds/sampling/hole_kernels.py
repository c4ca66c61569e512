"""Kernels that draw each player's hole cards from the list of the combos in a range.

A row of each list is drawn for a group of tries at a time, list after list, and tries with a clash
are dropped before the next list. If hardly any try would be left, rows are drawn one by one, with
regard to the cards that are scarce (`holdem.odds.sampling.scarce_cards`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.seeds import BLOCK_STEP, GOLDEN, Words, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.deal_tables import Blocks
from holdem.odds.sampling.hole_lists import HoleTables
from holdem.odds.sampling.lanes import GROUP, GROUP_STEP, draw_rows, draw_words
from holdem.odds.sampling.scarce_cards import ScarceCards

_ZERO, _ONE, _8 = np.uint64(0), np.uint64(1), np.uint64(8)
_32, _LOW_8, _LOW_32 = np.uint64(32), np.uint64(0xFF), np.uint64(0xFFFFFFFF)
# Tries of a hole that are drawn together with regard to scarce cards, because hardly any of them
# fits, and the counters of the tries: each has three random words.
_TRIES = np.uint64(32)
_STEPS = np.arange(33, dtype=np.uint64) * np.uint64(3) * GOLDEN
_CLASH = np.uint64(1 << 63)  # a bit of no card, in the set of cards of tries that are dropped


@inlined
def _use_aliases(
    keep: Words, alias: NDArray[np.uint16], number: Any, words: Words, rows: Words, count: Any
) -> None:
    """Replace rows of a weighted list by their aliases where random words require it."""
    for i in range(count):
        row = rows[i]
        other = np.uint64(alias[number, row])  # in any case, since a branch is mispredicted
        rows[i] = other if words[i] > keep[number, row] else row


@inlined
def _cards_of(code: Any) -> Any:
    """Convert the code of two hole cards to a card set."""
    code = np.uint64(code)
    return _ONE << (code & _LOW_8) | _ONE << (code >> _8)


@inlined
def _take_rows(
    codes: NDArray[np.uint16],
    player: Any,
    rows: Words,
    count: Any,
    own: NDArray[np.uint16],
    used: Words,
) -> None:
    """Look up a player's hole cards by row, and mark those that clash with used cards."""
    for i in range(count):
        own[i] = codes[player, rows[i]]
    for i in range(count):
        cards = _cards_of(own[i])
        used[i] |= cards | (_CLASH if used[i] & cards else _ZERO)


@inlined
def _drop_clashes(
    tried: NDArray[np.uint16], players: Any, used: Words, fit: Words, count: Any
) -> Any:
    """Move the tries without a clash to the front, and return the number of such tries."""
    kept = _ZERO
    for i in range(count):
        fit[kept] = i
        kept += np.uint64(used[i] < _CLASH)
    for player in range(players):
        own = tried[player]
        for i in range(kept):
            own[i] = own[fit[i]]
    for i in range(kept):
        used[i] = used[fit[i]]
    return kept


@kernel
def draw_holes(tables: HoleTables, blocks: Blocks) -> None:
    """Draw hole cards from every list, and write them to the blocks of deals.

    A block whose deals share holes has fewer holes than deals.
    """
    holes = blocks.holes
    players, wanted = np.uint64(holes.shape[1]), np.uint64(holes.shape[2])
    ends, sizes, least, weighted = tables.ends, tables.sizes, tables.least, tables.weighted
    words, rows = np.empty(GROUP, dtype=np.uint64), np.empty(GROUP, dtype=np.uint64)
    used, fit = np.empty(GROUP, dtype=np.uint64), np.empty(GROUP, dtype=np.uint64)
    tried = np.empty((players, GROUP), dtype=np.uint16)
    for block in range(np.uint64(len(holes))):
        counter, done = blocks.start + (blocks.first + block) * BLOCK_STEP, _ZERO
        while done < wanted:
            count, player = np.uint64(GROUP), _ZERO
            for i in range(count):
                used[i] = _ZERO
            for number in range(np.uint64(len(ends))):
                biased = _ONE
                while biased:
                    draw_words(counter, words, count)
                    counter += GROUP_STEP
                    biased = draw_rows(words, sizes[number], least[number], rows, count)
                if weighted[number]:
                    draw_words(counter, words, count)
                    counter += GROUP_STEP
                    _use_aliases(tables.keep, tables.alias, number, words, rows, count)
                while player < ends[number]:
                    _take_rows(tables.codes, player, rows, count, tried[player], used)
                    player += _ONE
                if number:
                    count = _drop_clashes(tried, player, used, fit, count)
            count = count if count < wanted - done else wanted - done
            for other in range(players):
                own, drawn = tried[other], holes[block, other]
                for i in range(count):
                    drawn[done + i] = own[i]
            done += count


@kernel
def draw_scarce_holes(tables: HoleTables, scarce: ScarceCards, blocks: Blocks) -> None:
    """Draw hole cards like `draw_holes`, but efficiently if players compete for a few cards.

    A row with a scarce card that is taken, or that leaves later players few choices, is drawn
    again alone. All rows are drawn again if two share another card. The tries after the one that
    fits are drawn again for the next player, so that deals do not depend on their number.

    Args:
        tables: lists of one player each.
        scarce: the scarce cards of these lists.
        blocks: the blocks.
    """
    holes, bits, acceptance = blocks.holes, scarce.bits, scarce.acceptance
    rows, fits = np.empty(_TRIES, dtype=np.uint64), np.empty(_TRIES, dtype=np.uint64)
    for block in range(np.uint64(len(holes))):
        counter = blocks.start + (blocks.first + block) * BLOCK_STEP
        done, player, taken, used = _ZERO, _ZERO, _ZERO, _ZERO
        while done < np.uint64(holes.shape[2]):
            size, least = tables.sizes[player], tables.least[player]
            for i in range(_TRIES):
                part = (random_word(counter + _STEPS[i]) & _LOW_32) * size
                rows[i] = part >> _32
                fits[i] = part & _LOW_32 >= least
            if tables.weighted[player]:
                for i in range(_TRIES):
                    if random_word(counter + _STEPS[i] + GOLDEN) > tables.keep[player, rows[i]]:
                        rows[i] = tables.alias[player, rows[i]]
            for i in range(_TRIES):
                fits[i] &= np.uint64(taken & bits[player, rows[i]] == _ZERO)
            tried = _ZERO
            while tried < _TRIES:
                if fits[tried]:
                    word = random_word(counter + _STEPS[tried] + GOLDEN + GOLDEN)
                    if word < acceptance[player, taken | bits[player, rows[tried]]]:
                        break
                tried += _ONE
            if tried == _TRIES:
                counter += _STEPS[tried]
                continue
            counter += _STEPS[tried + _ONE]
            own, code = bits[player, rows[tried]], tables.codes[player, rows[tried]]
            if used & _cards_of(code):
                player, taken, used = _ZERO, _ZERO, _ZERO
                continue
            taken |= own
            used |= _cards_of(code)
            holes[block, player, done] = code
            player += _ONE
            if player == np.uint64(holes.shape[1]):
                done += _ONE
                player, taken, used = _ZERO, _ZERO, _ZERO

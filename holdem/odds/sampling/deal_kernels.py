"""Compiled functions that draw deals: some hole cards from lists, all other cards from the deck.

Deals are drawn in groups of `GROUP` deals. A group is stored card by card: the first board card of
every deal, then the second one, and so on. A loop over the deals of a group then has no branches
and no look-ups, and compilers turn it into instructions for 16 to 64 deals at once. Groups are
always drawn completely, so that the first deals of a block do not depend on how many are needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import BLOCK_STEP, GOLDEN, Words, random_word
from holdem.jit.kernels import inlined, kernel
from holdem.odds.sampling.deal_tables import Blocks, DealTables, HoleTables
from holdem.odds.sampling.scarce_cards import ScarceCards

#: The number of deals in a group. Their cards and keys fit into the L1 cache.
GROUP = 512

#: Increment of the counter from one group of random words to the next.
GROUP_STEP = np.uint64(GROUP * int(GOLDEN) & 0xFFFFFFFFFFFFFFFF)

_STEPS = np.arange(GROUP, dtype=np.uint64) * GOLDEN
_ZERO, _ONE, _TWO, _THREE = (np.uint64(number) for number in range(4))
_8, _32, _LANES = np.uint64(8), np.uint64(32), np.uint64(GROUP)
_LOW_8, _LOW_32 = np.uint64(0xFF), np.uint64(0xFFFFFFFF)
# Tries of a hole that are drawn together with regard to scarce cards, because hardly any of them
# fits, and the counters of the tries: each has three random words.
_TRIES = np.uint64(32)
_TRY_STEPS = np.arange(33, dtype=np.uint64) * np.uint64(3) * GOLDEN
_CLASH = np.uint64(1 << 63)  # a bit of no card, in the set of cards of tries that are dropped
# Holes from lists have the first half of a block's 2^32 random words, the deck the second half.
_SECOND_HALF = np.uint64((int(GOLDEN) << 31) & 0xFFFFFFFFFFFFFFFF)


# --- steps for all deals of a group ---------------------------------------------------------


@inlined
def draw_words(counter: Any, words: Words, count: Any) -> None:
    """Write `count` random 64-bit words, from the counter value `counter` on, to `words`."""
    for i in range(count):
        words[i] = random_word(counter + _STEPS[i])


@inlined
def draw_rows(words: Words, size: Any, least: Any, rows: Words, count: Any) -> Any:
    """Draw `count` row indices below `size` to `rows`; return whether any draw was biased.

    A draw is the high half of the product of `size` and a random 32-bit number, the low half of a
    word. If the low half of the product is below `least`, ``2^32 % size``, the draw is biased, and
    all rows must be drawn again; otherwise, some rows would be more likely than others. (Lemire:
    Fast random integer generation in an interval, 2019.)
    """
    size = size & _LOW_32  # processors multiply 32 bits in one step, 64 in three
    biased = np.uint64(0)
    for i in range(count):
        product = (words[i] & _LOW_32) * size
        rows[i] = product >> _32
        biased |= np.uint64(product & _LOW_32 < least)
    return biased


@inlined
def draw_three(
    words: Words,
    shift: Any,
    sizes: Any,
    least: Any,
    first: CardArray,
    second: CardArray,
    third: CardArray,
) -> Any:
    """Draw three numbers for each deal from 32 random bits; return whether any draw was biased.

    The low half of the first product, as in `draw_rows`, is the random number for the second draw,
    and so on. The three draws are biased if the low half of the last product is below `least`,
    ``2^32`` modulo the product of the three `sizes`. (Brackett-Rozinsky, Lemire: Batched ranged
    random integer generation, 2024.)

    The bits are at `shift`, 0 or 32, of ``uint64 (GROUP,)``; each output is ``uint8 (GROUP,)``.
    """
    size_1, size_2, size_3 = sizes[0] & _LOW_32, sizes[1] & _LOW_32, sizes[2] & _LOW_32
    biased = np.uint64(0)
    for i in range(GROUP):
        product = (words[i] >> shift & _LOW_32) * size_1
        first[i] = product >> _32
        product = (product & _LOW_32) * size_2
        second[i] = product >> _32
        product = (product & _LOW_32) * size_3
        third[i] = product >> _32
        biased |= np.uint64(product & _LOW_32 < least)
    return biased


@inlined
def skip_used(used: CardArray, count: Any, drawn: CardArray) -> None:
    """Convert indices among the unused cards, ``uint8 (GROUP,)``, to card numbers, in place.

    The first `count` slots of `used`, ``uint8 (slot, GROUP)``, have the used cards, ascending.
    """
    for slot in range(count):
        card = used[slot]
        for i in range(GROUP):
            drawn[i] = drawn[i] + np.uint8(1) if drawn[i] >= card[i] else drawn[i]


@inlined
def insert_used(used: CardArray, count: Any, drawn: CardArray) -> None:
    """Insert drawn cards, ``uint8 (GROUP,)``, into the used ones, which stay ascending.

    `used` is ``uint8 (slot, GROUP)``; `count` slots are filled before, one more afterwards.
    """
    last = used[count]
    for i in range(GROUP):
        last[i] = drawn[i]
    for slot in range(count):
        card = used[slot]
        for i in range(GROUP):
            one, other = card[i], last[i]
            card[i] = one if one < other else other
            last[i] = other if one < other else one


# --- holes from lists -----------------------------------------------------------------------
#
# A row of each list is drawn for a group of tries at a time, list after list, and tries with a
# clash are dropped before the next list. If hardly any try would be left, rows are drawn one by
# one, with regard to the cards that are scarce (`holdem.odds.sampling.scarce_cards`).


@inlined
def _use_aliases(
    keep: Words, alias: NDArray[np.uint16], number: Any, words: Words, rows: Words, count: Any
) -> None:
    """Replace drawn rows of a weighted list by their aliases if a random word is above ``keep``.

    `keep` and `alias` are those of `HoleTables`, for list `number`. The first `count` of `words`
    and `rows`, ``uint64 (try,)``, are used; `rows` is updated in place.
    """
    for i in range(count):
        row = rows[i]
        other = np.uint64(alias[number, row])  # in any case, since a branch is mispredicted
        rows[i] = other if words[i] > keep[number, row] else row


@inlined
def _cards_of(code: Any) -> Any:
    """Convert the code of two hole cards, as in `HoleTables.codes`, to a card set."""
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
    """Look up the hole cards in a player's drawn rows, and add them to the used cards.

    `codes` is `HoleTables.codes`, with `player` as its index; `rows` has the row drawn in each of
    `count` tries, ``uint64 (try,)``. `own` receives the codes of the hole cards, ``uint16 (try,)``,
    and `used` their cards, ``uint64 (try,)``: bit 63 is set if one of them was used before.
    """
    for i in range(count):
        own[i] = codes[player, rows[i]]
    for i in range(count):
        cards = _cards_of(own[i])
        used[i] |= cards | (_CLASH if used[i] & cards else _ZERO)


@inlined
def _drop_clashes(
    tried: NDArray[np.uint16], players: Any, used: Words, fit: Words, count: Any
) -> Any:
    """Move the tries in which no two players drew the same card to the front; return their number.

    `tried` has the codes of the holes, ``uint16 (player, try)``. `used` has the set of used cards,
    ``uint64 (try,)``; bit 63 is set if two players drew the same card. `fit` is working memory,
    ``uint64 (try,)``.
    """
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
    """Draw hole cards from all lists in `tables`, and write them to `blocks.holes`.

    If several deals share hole cards, the last axis of `blocks.holes` has one element for all of
    them.
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

    A player's hole is drawn again if it contains a scarce card that is taken, or, with a certain
    probability, if it leaves later players few choices. The holes of all players are drawn again if
    two share another card. Several tries are drawn together; those after the accepted one are
    discarded, so that deals do not depend on how many tries are drawn together.

    `tables` has lists of one player each, whose scarce cards are `scarce`.
    """
    holes, bits, acceptance = blocks.holes, scarce.bits, scarce.acceptance
    rows, fits = np.empty(_TRIES, dtype=np.uint64), np.empty(_TRIES, dtype=np.uint64)
    for block in range(np.uint64(len(holes))):
        counter = blocks.start + (blocks.first + block) * BLOCK_STEP
        done, player, taken, used = _ZERO, _ZERO, _ZERO, _ZERO
        while done < np.uint64(holes.shape[2]):
            size, least = tables.sizes[player], tables.least[player]
            for i in range(_TRIES):
                part = (random_word(counter + _TRY_STEPS[i]) & _LOW_32) * size
                rows[i] = part >> _32
                fits[i] = part & _LOW_32 >= least
            if tables.weighted[player]:
                for i in range(_TRIES):
                    if random_word(counter + _TRY_STEPS[i] + GOLDEN) > tables.keep[player, rows[i]]:
                        rows[i] = tables.alias[player, rows[i]]
            for i in range(_TRIES):
                fits[i] &= np.uint64(taken & bits[player, rows[i]] == _ZERO)
            tried = _ZERO
            while tried < _TRIES:
                if fits[tried]:
                    word = random_word(counter + _TRY_STEPS[tried] + GOLDEN + GOLDEN)
                    if word < acceptance[player, taken | bits[player, rows[tried]]]:
                        break
                tried += _ONE
            if tried == _TRIES:
                counter += _TRY_STEPS[tried]
                continue
            counter += _TRY_STEPS[tried + _ONE]
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


# --- cards from the deck --------------------------------------------------------------------
#
# Holes from lists are copied. The other holes and the board are drawn from the deck without
# replacement: a number below the number of unused cards, moved past the used cards, which are kept
# in ascending order. However many players there are, no deal is rejected because of a card that it
# has twice.


class Group(NamedTuple):
    """A group of `GROUP` deals, and the buffers in which its cards are drawn.

    Cards are numbered as by `number_cards`.
    """

    cards: CardArray
    """``uint8 (column, GROUP)``: the number of the card in each column. Those of known cards are
    set from the beginning."""
    used: CardArray
    """``uint8 (slot, GROUP)``: the numbers of the cards drawn so far, ascending."""
    words: Words
    """``uint64 (GROUP,)``: random words."""


@inlined
def empty_group(tables: DealTables) -> Group:
    """Create the buffers for one group of a spot's deals, with the known cards filled in."""
    cards = np.empty((len(tables.template), GROUP), dtype=np.uint8)
    for column in range(len(tables.template)):
        for i in range(GROUP):
            cards[column, i] = tables.template[column]
    used = np.empty((len(tables.columns), GROUP), dtype=np.uint8)
    return Group(cards, used, np.empty(GROUP, dtype=np.uint64))


@inlined
def deck_counter(blocks: Blocks, block: Any) -> Any:
    """Compute the counter of the random generator at which a block's draws from the deck begin."""
    return blocks.start + (blocks.first + block) * BLOCK_STEP + _SECOND_HALF


@inlined
def deal_group(
    tables: DealTables, holes: NDArray[np.uint16], first: Any, counter: Any, group: Group
) -> Any:
    """Write the cards of a group to its buffers; return the generator's next counter.

    `holes` are the codes drawn from lists for a block, ``uint16 (player, deal)``; `first` is the
    number of the group's first deal in the block, and `counter` the next for its draws from the
    deck.
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
    """Draw a random index among the unused cards for each card from the deck to `group.cards`.

    If any draw is biased, which happens in at most one group of thirty, all are drawn again.
    `listed` is the number of columns of hole cards from lists. Return the generator's next counter.
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
    """Write the cards of a single block's deals, ``uint8 (deal, 5 + 2 * players + burns)``.

    They are the board, the hole cards of each player, and the burnt cards. Hole cards that come
    from lists are in `blocks.holes`; the other cards are dealt here.
    """
    group, counter = empty_group(tables), deck_counter(blocks, _ZERO)
    for first in range(0, len(deals), GROUP):
        counter = deal_group(tables, blocks.holes[0], np.uint64(first), counter, group)
        for column in range(deals.shape[1]):
            for i in range(min(GROUP, len(deals) - first)):
                deals[first + i, column] = tables.cards[group.cards[column, i]]

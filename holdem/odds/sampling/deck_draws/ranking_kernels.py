"""Monte Carlo with the default evaluator fused in: draw, rank, count, block after block."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import BLOCK_STEP
from holdem.evaluation.builtin.lookup.kernels import flush_strength, rank_strength
from holdem.evaluation.builtin.lookup.keys import CARD_MASKS, FLUSH_BITS, SUIT_COUNT_START
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.counting_kernels import count_deals
from holdem.odds.sampling.deck_draws.kernels import draw_group
from holdem.odds.sampling.deck_draws.tables import DEALS_A_GROUP, ID_SHIFT, DrawTables, empty_group
from holdem.odds.sampling.deck_draws.without_replacement import draw_places, take_card

_START = np.uint64(SUIT_COUNT_START)
_FLUSH = np.uint64(FLUSH_BITS)
_KEY = np.uint64((1 << int(ID_SHIFT)) - 1)  # the bits of a packed card below its id


_ZERO, _ONE, _TWO, _FIVE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(5)


@inlined
def _mask_of(cards: NDArray[np.uint64], first: Any, last: Any) -> np.uint64:
    mask = np.uint64(0)
    for column in range(first, last):
        mask |= CARD_MASKS[cards[column] >> ID_SHIFT]
    return mask


@inlined
def winners_of(deal: NDArray[np.uint64], players: Any) -> Any:
    """Return the set of players who share the top in one deal."""
    board = _START
    for place in range(_FIVE):
        board += deal[place]
    best, winners = np.int64(0), np.uint64(0)
    for player in range(players):
        column = _FIVE + _TWO * player
        key = board + deal[column] + deal[column + _ONE]
        if key & _FLUSH:  # rare: masks are looked up only here
            mask = _mask_of(deal, _ZERO, _FIVE) | _mask_of(deal, column, column + _TWO)
            value = np.int64(flush_strength(key, mask))
        else:
            value = np.int64(rank_strength(np.uint32(key)))
        mine = _ONE << player
        winners = mine if value > best else winners | mine if value == best else winners
        best = max(best, value)
    return winners


class _Seats(NamedTuple):
    """What is known of the cards where nobody's hole comes from a list."""

    keys: NDArray[np.uint64]
    """``uint64 (player + 1,)``: the key sum of a hole, 0 if it is drawn; last, of the board."""
    masks: NDArray[np.uint64]
    """``uint64 (player + 1,)``: likewise the suit mask."""
    draws: NDArray[np.uint64]
    """``uint64 (player + 1,)``: how many cards are drawn."""


@inlined
def _known_cards(tables: DrawTables) -> _Seats:
    places = len(tables.template)
    players = (places - 5) // 2
    keys = np.zeros(players + 1, dtype=np.uint64)
    masks = np.zeros(players + 1, dtype=np.uint64)
    draws = np.zeros(players + 1, dtype=np.uint64)
    drawn = np.zeros(places, dtype=np.uint64)
    for column in tables.columns:
        drawn[column] = 1
    for column in range(places):
        seat = players if column < 5 else (column - 5) // 2
        draws[seat] += drawn[column]
        if not drawn[column]:
            card = tables.template[column]
            keys[seat] += card & _KEY
            masks[seat] |= CARD_MASKS[card >> ID_SHIFT]
    keys[players] += _START
    return _Seats(keys, masks, draws)


@inlined
def _count_from_deck(
    wanted: Any,
    places: NDArray[np.uint8],
    deck: NDArray[np.uint64],
    seats: _Seats,
    counts: NDArray[np.int64],
) -> None:
    """Take the cards of a group's deals from the deck, and count the winners.

    Each hand is ranked as it is dealt: a quarter faster than deals written down first.
    """
    keys, masks, draws = seats.keys, seats.masks, seats.draws
    players = np.uint64(len(keys) - 1)
    on_board = draws[players]
    for deal in range(wanted):
        board = keys[players]
        for place in range(on_board):
            board += take_card(deck, place, np.uint64(places[place, deal]))
        best, winners, place = np.int64(0), np.uint64(0), on_board
        for player in range(players):
            key = board + keys[player]
            if draws[player]:
                second = place + _ONE
                key += take_card(deck, place, np.uint64(places[place, deal]))
                key += take_card(deck, second, np.uint64(places[second, deal]))
                place += _TWO
            if key & _FLUSH:
                mask = masks[players] | masks[player] | _mask_of(deck, _ZERO, on_board)
                mask |= _mask_of(deck, place - draws[player], place)
                value = np.int64(flush_strength(key, mask))
            else:
                value = np.int64(rank_strength(np.uint32(key)))
            mine = _ONE << player
            winners = mine if value > best else winners | mine if value == best else winners
            best = max(best, value)
        counts[winners] += 1


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
        counts: ``int64 (block, size)``, added to: a tally of each.
    """
    players = np.uint64((len(tables.template) - 5) // 2)
    seats, from_deck = _known_cards(tables), len(tables.group_widths) == 0
    deals = empty_group(tables)
    used = np.zeros(DEALS_A_GROUP, dtype=np.uint64)
    ranges, thresholds = tables.ranges, tables.thresholds
    fractions = np.empty((3, DEALS_A_GROUP), dtype=np.uint64)
    places = np.empty((len(ranges), DEALS_A_GROUP), dtype=np.uint8)
    winners = np.empty(DEALS_A_GROUP, dtype=np.uint64)
    for block in range(len(sizes)):
        deck = tables.deck.copy()
        counter = start + np.uint64(first + block) * BLOCK_STEP
        for done in range(0, sizes[block], DEALS_A_GROUP):
            wanted = np.uint64(min(DEALS_A_GROUP, sizes[block] - done))
            if from_deck:
                counter = draw_places(ranges, thresholds, counter, fractions, places)
                _count_from_deck(wanted, places, deck, seats, counts[block])
            else:
                counter = draw_group(tables, deck, counter, deals, used, fractions, places)
                for deal in range(wanted):
                    winners[deal] = winners_of(deals[deal], players)
                count_deals(winners[:wanted], tables.boards_a_draw, players, counts[block])

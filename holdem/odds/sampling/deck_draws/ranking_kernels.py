"""Kernels that draw deals, rank them with the default evaluator and count the winners."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import BLOCK_STEP, Words
from holdem.evaluation.builtin.lookup import flush_strength, rank_strength
from holdem.evaluation.builtin.lookup_keys import CARD_MASKS, FLUSH_BITS, SUIT_COUNT_START
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.counting_kernels import count_deals
from holdem.odds.sampling.deck_draws.kernels import draw_from_lists
from holdem.odds.sampling.deck_draws.tables import GROUP, ID_SHIFT, DrawTables, empty_group
from holdem.odds.sampling.deck_draws.without_replacement import (
    draw_positions,
    position_buffers,
    swap_card,
)
from holdem.odds.winners import update_winners

_START = np.uint64(SUIT_COUNT_START)
_FLUSH = np.uint64(FLUSH_BITS)
_ZERO, _ONE, _TWO, _FIVE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(5)


@inlined
def _suit_mask(cards: Words, first: Any, last: Any) -> np.uint64:
    mask = np.uint64(0)
    for column in range(first, last):
        mask |= CARD_MASKS[cards[column] >> ID_SHIFT]
    return mask


@inlined
def winners_of(deal: Words, players: Any) -> Any:
    """Return the set of players who hold the best hand in a deal."""
    board = _START
    for place in range(_FIVE):
        board += deal[place]
    best, winners = np.int64(0), np.uint64(0)
    for player in range(players):
        column = _FIVE + _TWO * player
        key = board + deal[column] + deal[column + _ONE]
        if key & _FLUSH:  # rare: masks are looked up only here
            mask = _suit_mask(deal, _ZERO, _FIVE) | _suit_mask(deal, column, column + _TWO)
            strength = np.int64(flush_strength(key, mask))
        else:
            strength = np.int64(rank_strength(np.uint32(key)))
        best, winners = update_winners(best, winners, strength, _ONE << player)
    return winners


@inlined
def _count_from_deck(
    wanted: Any,
    positions: NDArray[np.uint8],
    deck: Words,
    seat_keys: Words,
    seat_masks: Words,
    seat_draws: Words,
    counts: NDArray[np.int64],
) -> None:
    """Draw deals from the deck and count their winners.

    Each hand is ranked as it is dealt, a quarter faster than if the deals were written first.
    """
    players = np.uint64(len(seat_keys) - 1)
    on_board = seat_draws[players]
    for deal in range(wanted):
        board = seat_keys[players]
        for place in range(on_board):
            board += swap_card(deck, place, np.uint64(positions[place, deal]))
        best, winners, place = np.int64(0), np.uint64(0), on_board
        for player in range(players):
            key = board + seat_keys[player]
            if seat_draws[player]:
                second = place + _ONE
                key += swap_card(deck, place, np.uint64(positions[place, deal]))
                key += swap_card(deck, second, np.uint64(positions[second, deal]))
                place += _TWO
            if key & _FLUSH:
                mask = seat_masks[players] | seat_masks[player] | _suit_mask(deck, _ZERO, on_board)
                mask |= _suit_mask(deck, place - seat_draws[player], place)
                strength = np.int64(flush_strength(key, mask))
            else:
                strength = np.int64(rank_strength(np.uint32(key)))
            best, winners = update_winners(best, winners, strength, _ONE << player)
        counts[winners] += 1


def sample_deals(
    tables: DrawTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    """Draw and rank the deals in consecutive blocks and tally their winners.

    Args:
        tables: the tables to draw from.
        start: the counter at which block 0 begins.
        first: the number of the first block.
        sizes: ``int64 (block,)``: how many deals of each block to draw, from its first on.
        counts: the tally of each block, ``int64 (block, size)``, added to.
    """
    # Separate kernels, because a run needs only one and each compiles in half the time.
    sample = _sample_from_lists if len(tables.list_widths) else _sample_from_deck
    sample(tables, start, first, sizes, counts)


@kernel
def _sample_from_deck(
    tables: DrawTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    ranges, thresholds = tables.ranges, tables.thresholds
    fractions, positions = position_buffers(ranges)
    # Copies, because LLVM knows that these share no memory with `counts`: a twentieth faster.
    keys, masks = tables.seat_keys.copy(), tables.seat_masks.copy()
    draws = tables.seat_draws.copy()
    for block in range(len(sizes)):
        deck = tables.deck.copy()
        counter = start + np.uint64(first + block) * BLOCK_STEP
        for done in range(0, sizes[block], GROUP):
            wanted = np.uint64(min(GROUP, sizes[block] - done))
            counter = draw_positions(ranges, thresholds, counter, fractions, positions)
            _count_from_deck(wanted, positions, deck, keys, masks, draws, counts[block])


@kernel
def _sample_from_lists(
    tables: DrawTables,
    start: np.uint64,
    first: int,
    sizes: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None:
    players = np.uint64((len(tables.template) - 5) // 2)
    deals, used = empty_group(tables), np.zeros(GROUP, dtype=np.uint64)
    winners = np.empty(GROUP, dtype=np.uint64)
    for block in range(len(sizes)):
        deck = tables.deck.copy()
        counter = start + np.uint64(first + block) * BLOCK_STEP
        for done in range(0, sizes[block], GROUP):
            wanted = np.uint64(min(GROUP, sizes[block] - done))
            counter = draw_from_lists(tables, deck, counter, deals, used)
            for deal in range(wanted):
                winners[deal] = winners_of(deals[deal], players)
            count_deals(winners[:wanted], tables.cluster_size, players, counts[block])

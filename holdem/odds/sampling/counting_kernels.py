"""Kernels that rank deals by tables of strengths, and count deals by the set of winners.

Each player's hands of a group are ranked without regard to flushes, and those with a flush, one in
thirty, again. A branch for each hand would be mispredicted too often.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.seeds import Words
from holdem.evaluation.builtin.lookup import rank_strength
from holdem.evaluation.builtin.lookup_tables import FLUSH_BITS, SUIT_COUNT_START
from holdem.jit.kernels import inlined, kernel, popcount
from holdem.odds.sampling.cluster_sampling import POT
from holdem.odds.sampling.deal_kernels import GROUP, Group, deal_group, deck_counter, empty_group
from holdem.odds.sampling.deal_tables import Blocks, DealTables
from holdem.odds.tally import update_winners

_ZERO, _ONE, _TWO, _THREE, _FOUR, _FIVE = (np.uint64(number) for number in range(6))
_16, _32, _48, _LANES = (np.uint64(number) for number in (16, 32, 48, GROUP))
_START, _FLUSH = np.uint64(SUIT_COUNT_START), np.uint64(FLUSH_BITS)
# The flush bit of each suit but clubs, and the bits of a suit mask that are one suit.
_DIAMONDS, _HEARTS, _SPADES = (np.uint64(bit) for bit in (39, 43, 47))
_13_BITS = np.uint64(0x1FFF)
_16_OF_32, _LOW_16 = np.uint32(16), np.uint32(0xFFFF)


class Keys(NamedTuple):
    """Buffers for the keys by which the hands of a group of deals are ranked."""

    cards: Words
    """``uint64 (number,)``: a copy of the cards' keys, of which LLVM knows that it overlaps no
    result."""
    boards: Words
    """``uint64 (GROUP,)``: the sum of each board's keys."""
    hands: Words
    """``uint64 (GROUP,)``: the sum of each hand's keys."""
    flushes: Words
    """``uint64 (GROUP,)``: the indices of the deals in which the hand has a flush."""


@inlined
def _empty_keys(tables: DealTables) -> Keys:
    cards = np.empty(len(tables.keys), dtype=np.uint64)
    for card in range(len(cards)):
        cards[card] = tables.keys[card]
    return Keys(
        cards,
        np.empty(GROUP, dtype=np.uint64),
        np.empty(GROUP, dtype=np.uint64),
        np.empty(GROUP, dtype=np.uint64),
    )


@inlined
def _add_boards(tables: DealTables, group: Group, keys: Keys) -> None:
    """Write the sum of the card keys of each board in a group of deals to `keys.boards`."""
    of_card, boards, cards = keys.cards, keys.boards, group.cards
    one, two, three, four, five = cards[0], cards[1], cards[2], cards[3], cards[4]
    if tables.template[0]:  # the flop is known: 0 stands for an unknown card
        flop = _START + of_card[one[0]] + of_card[two[0]] + of_card[three[0]]
        for i in range(_LANES):
            boards[i] = flop + of_card[four[i]] + of_card[five[i]]
    else:
        for i in range(_LANES):
            key = _START + of_card[one[i]] + of_card[two[i]] + of_card[three[i]]
            boards[i] = key + of_card[four[i]] + of_card[five[i]]


@inlined
def _rank_player(
    tables: DealTables, group: Group, keys: Keys, player: Any, strengths: NDArray[np.uint32]
) -> None:
    """Write the strengths of a player's hands in a group of deals, ``uint32 (GROUP,)``."""
    of_card, boards, hands, flushes = keys.cards, keys.boards, keys.hands, keys.flushes
    column, rare = _FIVE + _TWO * player, _ZERO
    low, high = group.cards[column], group.cards[column + _ONE]
    for i in range(_LANES):
        key = boards[i] + of_card[low[i]] + of_card[high[i]]
        hands[i] = key
        strengths[i] = rank_strength(tables.strengths, np.uint32(key))
        flushes[rare] = i
        rare += np.uint64(key & _FLUSH != _ZERO)
    for place in range(rare):
        i = flushes[place]
        mask = tables.masks[low[i]] | tables.masks[high[i]]
        for board in range(_FIVE):
            mask |= tables.masks[group.cards[board, i]]
        suit = hands[i] & _FLUSH
        shift = (suit >> _DIAMONDS & _ONE) * _16
        shift += (suit >> _HEARTS & _ONE) * _32
        shift += (suit >> _SPADES & _ONE) * _48
        strengths[i] = tables.strengths[mask >> shift & _13_BITS]


@kernel
def count_two(tables: DealTables, blocks: Blocks, counts: NDArray[np.int64]) -> None:
    """Deal and rank blocks of two-player deals, and tally the winners.

    Args:
        tables: the columns of a deal, and the keys of the cards.
        blocks: the blocks.
        counts: ``int64 (block, 4)``, added to: a tally of each block.
    """
    group, keys = empty_group(tables), _empty_keys(tables)
    mine, theirs = np.empty(GROUP, dtype=np.uint32), np.empty(GROUP, dtype=np.uint32)
    for block in range(np.uint64(len(blocks.sizes))):
        counter, tally, size = deck_counter(blocks, block), counts[block], blocks.sizes[block]
        for done in range(0, size, GROUP):
            counter = deal_group(tables, blocks.holes[block], np.uint64(done), counter, group)
            _add_boards(tables, group, keys)
            _rank_player(tables, group, keys, _ZERO, mine)
            _rank_player(tables, group, keys, _ONE, theirs)
            count = min(GROUP, size - done)
            wins = ties = np.uint32(0)
            for i in range(count):
                wins += np.uint32(mine[i] > theirs[i])
                ties += np.uint32(mine[i] == theirs[i])
            tally[1] += np.int64(wins)
            tally[2] += count - np.int64(wins) - np.int64(ties)
            tally[3] += np.int64(ties)


@kernel
def count_many(
    tables: DealTables,
    blocks: Blocks,
    winners: NDArray[np.uint16],
    counts: NDArray[np.int64],
) -> None:
    """Deal and rank blocks of deals with three or more players, and tally the winners.

    Two players have a kernel of their own because this one would take a sixth longer.

    Args:
        tables: the columns of a deal, and the keys of the cards.
        blocks: the blocks.
        winners: ``uint16 (block, deal)``, written: the set of the winners of each deal.
        counts: ``int64 (block, size)``, added to: a tally of each block.
    """
    group, keys = empty_group(tables), _empty_keys(tables)
    strengths, best = np.empty(GROUP, dtype=np.uint32), np.empty(GROUP, dtype=np.uint32)
    for block in range(np.uint64(len(blocks.sizes))):
        counter, tally, size = deck_counter(blocks, block), counts[block], blocks.sizes[block]
        for done in range(0, size, GROUP):
            counter = deal_group(tables, blocks.holes[block], np.uint64(done), counter, group)
            _add_boards(tables, group, keys)
            for i in range(GROUP):
                best[i] = 0  # the set of winners, and above it their strength
            for player in range(np.uint64(len(tables.template) // 2 - 3)):  # 6 + 2 * players
                _rank_player(tables, group, keys, player, strengths)
                bit = np.uint32(1) << np.uint32(player)
                for i in range(GROUP):
                    own, so_far = strengths[i] << _16_OF_32 | bit, best[i]
                    is_tie = (so_far ^ own) >> _16_OF_32 == np.uint32(0)
                    higher = own if own > so_far else so_far
                    best[i] = so_far | own if is_tie else higher
            for i in range(min(GROUP, size - done)):
                winning = best[i] & _LOW_16
                winners[block, done + i] = winning
                tally[winning] += 1


@kernel
def square_clusters(
    winners: NDArray[np.uint16], cluster_size: int, players: int, counts: NDArray[np.int64]
) -> None:
    """Compute the cluster squares of consecutive deals, and add them to a tally.

    Args:
        winners: ``uint16 (deal,)``: the set of the winners of each deal.
        cluster_size: how many consecutive deals share holes, from the first on.
        players: the number of players.
        counts: the tally, ``int64 (size,)``, whose cluster squares are added to.
    """
    squares = counts[1 << players :]
    for first in range(0, len(winners), cluster_size):
        cluster = winners[first : first + cluster_size]
        squares[0] += len(cluster) * len(cluster)
        for player in range(players):
            won = tied = share = np.int64(0)
            for winning in cluster:
                if winning >> player & 1:
                    count = np.int64(popcount(np.uint64(winning)))
                    won += count == 1
                    tied += count > 1
                    share += POT // count
            squares[1 + player] += share * share
            squares[1 + players + player] += won * won
            squares[1 + 2 * players + player] += tied * tied


@kernel
def count_ranked(
    strengths: NDArray[np.int64], winners: NDArray[np.uint16], counts: NDArray[np.int64]
) -> None:
    """Tally the winners of deals, given the players' hand strengths by any evaluator.

    Args:
        strengths: ``int64 (player, deal)``.
        winners: ``uint16 (deal,)``, written: the set of the winners of each deal.
        counts: the tally, ``int64 (size,)``, added to.
    """
    for deal in range(strengths.shape[1]):
        best, winning = strengths[0, deal], _ONE
        for player in range(_ONE, np.uint64(len(strengths))):
            best, winning = update_winners(best, winning, strengths[player, deal], _ONE << player)
        winners[deal] = winning
        counts[winning] += 1

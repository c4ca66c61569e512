"""Sampling methods that `measure_variance.py` compares with the engine's.

Deals that share cards, and stratified deals, come in clusters that are independent of each other.
Moments are those of the clusters.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import GOLDEN, Words, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.deck_draws.kernels import draw_group
from holdem.odds.sampling.deck_draws.ranking_kernels import winners_of
from holdem.odds.sampling.deck_draws.tables import GROUP, ID_SHIFT, DrawTables, empty_group
from holdem.odds.sampling.deck_draws.without_replacement import (
    draw_below,
    position_buffers,
    swap_card,
)
from holdem.odds.spot import BOARD_SIZE

#: Strata of a stratified cluster: each has one deal.
STRATA = 512

_ONE, _32 = np.uint64(1), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)


@kernel
def redraw_columns(
    tables: DrawTables,
    counter: np.uint64,
    size: int,
    redrawn: Words,
    deals: int,
    moments: NDArray[np.float64],
) -> None:
    """Sample clusters of deals that differ only in some columns.

    Args:
        tables: the tables to draw from.
        counter: the first counter.
        size: the cluster size.
        redrawn: ``uint64 (column,)``: the columns of a deal that are drawn for each deal of a
            cluster.
        deals: the number of clusters; a multiple of `GROUP`.
        moments: ``float64 (player + 1, 3)``, added to: for the pots that each player wins in a
            cluster the sum, the sum of squares, and the sum of products with the number of deals;
            last, the same for the number of deals.
    """
    players = np.uint64((len(tables.template) - BOARD_SIZE) // 2)
    won = np.zeros(players + 1)
    group, deck = empty_group(tables), tables.deck.copy()
    used = np.zeros(GROUP, dtype=np.uint64)
    fractions, positions = position_buffers(tables.ranges)
    for _ in range(deals // GROUP):
        counter = draw_group(tables, deck, counter, group, used, fractions, positions)
        for deal in range(np.uint64(GROUP)):
            _share_out(winners_of(group[deal], players), won)
            held = _others(group[deal], redrawn)
            for _ in range(size - 1):
                counter = _redraw(deck, counter, group[deal], redrawn, held)
                _share_out(winners_of(group[deal], players), won)
            _end_cluster(won, moments)


@kernel
def all_rivers(
    tables: DrawTables, counter: np.uint64, deals: int, moments: NDArray[np.float64]
) -> None:
    """Sample deals with every possible river; arguments are those of `redraw_columns`."""
    players = np.uint64((len(tables.template) - BOARD_SIZE) // 2)
    won = np.zeros(players + 1)
    group, deck = empty_group(tables), tables.deck.copy()
    river = np.array([BOARD_SIZE - 1], dtype=np.uint64)
    used = np.zeros(GROUP, dtype=np.uint64)
    fractions, positions = position_buffers(tables.ranges)
    for _ in range(deals // GROUP):
        counter = draw_group(tables, deck, counter, group, used, fractions, positions)
        for deal in range(np.uint64(GROUP)):
            held = _others(group[deal], river)
            for card in tables.deck:
                if not held >> (card >> ID_SHIFT) & _ONE:
                    group[deal, river[0]] = card
                    _share_out(winners_of(group[deal], players), won)
            _end_cluster(won, moments)


@kernel
def stratified_boards(
    tables: DrawTables,
    counter: np.uint64,
    flops: Words,
    pairs: Words,
    redrawn: Words,
    clusters: int,
    moments: NDArray[np.float64],
) -> None:
    """Sample stratified boards, in clusters of `STRATA`; boards with a repeated card are dropped.

    Args:
        tables: the tables to draw the hands from.
        counter: the first counter.
        flops: ``uint64 (flop, 3)``: packed cards, in the order in which they are stratified.
        pairs: ``uint64 (pair, 2)``: the same for turn and river.
        redrawn: ``uint64 (column,)``: the columns of the hands that are not known.
        clusters: the number of clusters.
        moments: as for `redraw_columns`.
    """
    players = np.uint64((len(tables.template) - BOARD_SIZE) // 2)
    won = np.zeros(players + 1)
    group, deck = empty_group(tables), tables.deck.copy()
    last = np.uint64(STRATA - 1)
    for _ in range(clusters):
        word = random_word(counter)
        counter += GOLDEN
        step, shift = word & last | _ONE, word >> np.uint64(9) & last
        for i in range(np.uint64(STRATA)):
            word = random_word(counter)
            counter += GOLDEN
            other = step * i + shift & last
            flop = ((i << np.uint64(23)) + (word >> np.uint64(41))) * np.uint64(len(flops)) >> _32
            half = (other << np.uint64(23)) + (word & np.uint64((1 << 23) - 1))
            pair = half * np.uint64(len(pairs)) >> _32
            deal = group[0]
            for place in range(3):
                deal[place] = flops[flop, place]
            for place in range(2):
                deal[3 + place] = pairs[pair, place]
            twice = False
            for place in range(3):
                twice |= (deal[place] == deal[3]) | (deal[place] == deal[4])
            if twice:
                continue
            counter = _redraw(deck, counter, deal, redrawn, _others(deal, redrawn))
            _share_out(winners_of(deal, players), won)
        _end_cluster(won, moments)


@inlined
def _share_out(winners: Any, won: NDArray[np.float64]) -> None:
    """Add the pot shares of a deal's winners, and one to the number of deals in the last place."""
    left, heads = winners, 0
    while left:
        left &= left - _ONE
        heads += 1
    for player in range(len(won) - 1):
        if winners >> np.uint64(player) & _ONE:
            won[player] += 1.0 / heads
    won[len(won) - 1] += 1.0


@inlined
def _end_cluster(won: NDArray[np.float64], moments: NDArray[np.float64]) -> None:
    """Add a cluster to the moments, and begin the next one."""
    deals = won[len(won) - 1]
    for player in range(len(won)):
        moments[player, 0] += won[player]
        moments[player, 1] += won[player] * won[player]
        moments[player, 2] += won[player] * deals
    won[:] = 0.0


@inlined
def _others(deal: Words, redrawn: Words) -> Any:
    """Return the set of the cards of a deal that are not drawn again."""
    held = np.uint64(0)
    for card in deal:
        held |= _ONE << (card >> ID_SHIFT)
    for place in redrawn:
        held &= ~(_ONE << (deal[place] >> ID_SHIFT))
    return held


@inlined
def _redraw(deck: Words, counter: Any, deal: Words, redrawn: Words, held: Any) -> Any:
    """Fill columns of a deal from a shuffled deck, skipping cards that are held.

    Two cards are drawn from a word, without rejection: a bias of 2^-26 does not affect what is
    measured here.
    """
    place, taken, low = np.uint64(0), np.uint64(0), np.uint64(0)
    size = np.uint64(len(deck))
    while taken < np.uint64(len(redrawn)):
        if place & _ONE:
            part = low
        else:
            word = random_word(counter)
            counter += GOLDEN
            part, low = word >> _32, word & _LOW_32
        drawn, _ = draw_below(size - place, part)
        card = swap_card(deck, place, place + drawn)
        place += _ONE
        if not held >> (card >> ID_SHIFT) & _ONE:
            deal[redrawn[taken]] = card
            taken += _ONE
    return counter

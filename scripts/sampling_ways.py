"""Ways to sample that `measure_variance.py` compares with the engine's: dealt, and summed up.

Deals that share cards, or that are spread over the possible ones on purpose, come in groups
that are independent of each other; moments are those of the groups.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.dealing.random_words import GOLDEN, random_word
from holdem.jit.decorators import inlined, kernel
from holdem.odds.sampling.deck_draws.kernels import draw_group, group_buffers
from holdem.odds.sampling.deck_draws.ranking_kernels import winners_of
from holdem.odds.sampling.deck_draws.tables import GROUP, ID_SHIFT, DrawTables, empty_group
from holdem.odds.spot import BOARD_SIZE

#: Deals that are spread together.
SPREAD = 512

_ONE, _32 = np.uint64(1), np.uint64(32)
_LOW_32 = np.uint64(0xFFFFFFFF)


@kernel
def same_holes(
    tables: DrawTables,
    counter: np.uint64,
    times: int,
    redrawn: NDArray[np.uint64],
    deals: int,
    moments: NDArray[np.float64],
) -> None:
    """Deal, then draw some of the places again, `times` deals in all of each that was dealt.

    Args:
        tables: what to draw from.
        counter: the first counter.
        times: deals a group, counting the first.
        redrawn: ``uint64 (place,)``: the places in a deal that are drawn again.
        deals: how many are dealt, each the first of a group; a multiple of `GROUP`.
        moments: ``float64 (player + 1, 3)``, added to: of each player's pots won in a group the
            sum, the sum of squares, and that of the products with the group's deals; last, the
            groups' deals, and their squares.
    """
    players = np.uint64((len(tables.template) - BOARD_SIZE) // 2)
    won = np.zeros(players + 1)
    group, deck = empty_group(tables), tables.deck.copy()
    used, fractions, positions = group_buffers(tables)
    for _ in range(deals // GROUP):
        counter = draw_group(tables, deck, counter, group, used, fractions, positions)
        for deal in range(np.uint64(GROUP)):
            _share_out(winners_of(group[deal], players), won)
            held = _others(group[deal], redrawn)
            for _ in range(times - 1):
                counter = _redraw(deck, counter, group[deal], redrawn, held)
                _share_out(winners_of(group[deal], players), won)
            _end_group(won, moments)


@kernel
def all_rivers(
    tables: DrawTables, counter: np.uint64, deals: int, moments: NDArray[np.float64]
) -> None:
    """Deal, then count every river that each deal can have; arguments as of `same_holes`."""
    players = np.uint64((len(tables.template) - BOARD_SIZE) // 2)
    won = np.zeros(players + 1)
    group, deck = empty_group(tables), tables.deck.copy()
    river = np.array([BOARD_SIZE - 1], dtype=np.uint64)
    used, fractions, positions = group_buffers(tables)
    for _ in range(deals // GROUP):
        counter = draw_group(tables, deck, counter, group, used, fractions, positions)
        for deal in range(np.uint64(GROUP)):
            held = _others(group[deal], river)
            for card in tables.deck:
                if not held >> (card >> ID_SHIFT) & _ONE:
                    group[deal, river[0]] = card
                    _share_out(winners_of(group[deal], players), won)
            _end_group(won, moments)


@kernel
def spread_boards(
    tables: DrawTables,
    counter: np.uint64,
    flops: NDArray[np.uint64],
    pairs: NDArray[np.uint64],
    redrawn: NDArray[np.uint64],
    groups: int,
    moments: NDArray[np.float64],
) -> None:
    """Deal boards that are spread evenly, in groups of `SPREAD`, those with a card twice dropped.

    Args:
        tables: what to draw the hands from.
        counter: the first counter.
        flops: ``uint64 (flop, 3)``: packed cards, in the order in which they are spread.
        pairs: ``uint64 (pair, 2)``: likewise, turn and river.
        redrawn: ``uint64 (place,)``: the places of the hands that are not known.
        groups: how many groups.
        moments: as of `same_holes`.
    """
    players = np.uint64((len(tables.template) - BOARD_SIZE) // 2)
    won = np.zeros(players + 1)
    group, deck = empty_group(tables), tables.deck.copy()
    last = np.uint64(SPREAD - 1)
    for _ in range(groups):
        word = random_word(counter)
        counter += GOLDEN
        step, shift = word & last | _ONE, word >> np.uint64(9) & last
        for i in range(np.uint64(SPREAD)):
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
        _end_group(won, moments)


@inlined
def _share_out(winners: Any, won: NDArray[np.float64]) -> None:
    """Count a deal to its winners, and to the deals of the group, which stand last."""
    left, heads = winners, 0
    while left:
        left &= left - _ONE
        heads += 1
    for player in range(len(won) - 1):
        if winners >> np.uint64(player) & _ONE:
            won[player] += 1.0 / heads
    won[len(won) - 1] += 1.0


@inlined
def _end_group(won: NDArray[np.float64], moments: NDArray[np.float64]) -> None:
    """Take what was won in a group into the moments, and begin another."""
    deals = won[len(won) - 1]
    for player in range(len(won)):
        moments[player, 0] += won[player]
        moments[player, 1] += won[player] * won[player]
        moments[player, 2] += won[player] * deals
    won[:] = 0.0


@inlined
def _others(deal: NDArray[np.uint64], redrawn: NDArray[np.uint64]) -> Any:
    """Return the set of the cards of a deal that stay."""
    held = np.uint64(0)
    for card in deal:
        held |= _ONE << (card >> ID_SHIFT)
    for place in redrawn:
        held &= ~(_ONE << (deal[place] >> ID_SHIFT))
    return held


@inlined
def _redraw(
    deck: NDArray[np.uint64],
    counter: Any,
    deal: NDArray[np.uint64],
    redrawn: NDArray[np.uint64],
    held: Any,
) -> Any:
    """Fill places of a deal anew from a shuffled deck, cards that are held passed over.

    Places of the deck are drawn two from a word, without the care for fractions that favour
    some numbers by 2^-26: that makes no difference to what is measured here.
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
        other = place + (part * (size - place) >> _32)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
        place += _ONE
        if not held >> (card >> ID_SHIFT) & _ONE:
            deal[redrawn[taken]] = card
            taken += _ONE
    return counter

"""Kernels that divide the pots of a situation on every runout, by a table of strengths.

One board decides all pots of a hand. So all seats are ranked once on each runout, and every pot is
divided between the best of its own seats. What the kernels count are integers; expectations and
variances follow from them without further rounding (see `settlement`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup import rank_strength, strength
from holdem.evaluation.builtin.lookup_keys import CARD_KEYS, CARD_MASKS
from holdem.evaluation.builtin.lookup_tables import StrengthTable
from holdem.jit.kernels import inlined, kernel, popcount, unowned
from holdem.odds.exact.known_hands import (
    Dealt,
    allocate_dealt,
    correct_for_flushes,
    count_by_ranks,
    deal_matchup,
    find_many_flushes,
)
from holdem.odds.exact.ranked_combos import sum_cards
from holdem.odds.exact.runout_kernels import list_deck
from holdem.odds.tally import SHARE_UNIT, update_winners

_ONE, _NONE = np.uint64(1), np.uint64(0)
# The share of each of a number of winners, ``int64 (winners,)``.
_UNITS: NDArray[np.int64] = np.array([0, *(SHARE_UNIT // count for count in range(1, 11))])
# The most boards of different ranks: 6,175 without flushes, and twice those with three to five
# cards of each suit, which are also taken off as boards without a flush.
_MOST_BOARDS = np.int64(6175 + 2 * 4 * (286 * 91 + 715 * 13 + 1287))


class _Boards(NamedTuple):
    """Boards on which the seats have been ranked."""

    strengths: NDArray[np.uint16]
    """The strength of each seat's hand on some boards, ``uint16 (board, seat)``."""
    ways: NDArray[np.int32]
    """How many times each board counts, ``int32 (board,)``."""


@inlined
def _divide_pots(
    boards: _Boards,
    count: Any,
    seats: NDArray[np.uint64],
    tallies: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Divide the pots of a situation on the first `count` boards, and add up the outcomes.

    The other arguments are one situation's of those of `settle_on_boards`.
    """
    winners = np.empty(len(seats), dtype=np.uint64)
    for board in range(np.uint64(count)):
        ways = np.int64(boards.ways[board])
        for pot in range(np.uint64(len(seats))):
            best, found = np.int64(0), _NONE
            for seat in range(np.uint64(boards.strengths.shape[1])):
                own = np.int64(boards.strengths[board, seat]) * np.int64(seats[pot] >> seat & _ONE)
                best, found = update_winners(best, found, own, _ONE << seat)
            winners[pot] = found
            tallies[pot, found] += ways
            for other in range(pot):
                unit = ways * _UNITS[popcount(found)] * _UNITS[popcount(winners[other])]
                both = found & winners[other]
                for seat in range(np.uint64(boards.strengths.shape[1])):
                    products[pot, other, seat] += unit * np.int64(both >> seat & _ONE)


@kernel
def settle_on_boards(
    table: StrengthTable,
    holes: CardArray,
    boards: CardArray,
    gone: NDArray[np.uint64],
    seats: NDArray[np.uint64],
    tallies: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Count the winners of each pot of each situation over all runouts of its board.

    Args:
        table: the table of hands of seven cards.
        holes: ``uint8 (situation, seat, 2)``, all cards of a situation different.
        boards: 3, 4 or 5 known cards each, ``uint8 (situation, card)``.
        gone: the set of the board and of all other cards that cannot be dealt, without the holes,
            ``uint64 (situation,)``.
        seats: the set of seats that can win each pot, at least one, ``uint64 (situation, pot)``.
        tallies: how often each set of seats (bits) shared each pot, ``int64 (situation, pot,
            2^seats)``; updated in place.
        products: for every two pots, the first above the second, the sum of the products of a
            seat's shares of both, in units of 1/`SHARE_UNIT` of each, ``int64 (situation, pot, pot,
            seat)``; updated in place.
    """
    known, count, by_key = boards.shape[1], holes.shape[1], unowned(table)
    keys, masks = np.zeros(count, dtype=np.uint64), np.zeros(count, dtype=np.uint64)
    ranked = _Boards(np.zeros((52, count), dtype=np.uint16), np.ones(52, dtype=np.int32))
    deck = np.zeros((52, 2), dtype=np.uint64)
    for row in range(len(holes)):
        _, key, mask = sum_cards(boards, row, known)
        used = gone[row]
        for seat in range(count):
            high, low = holes[row, seat, 0], holes[row, seat, 1]
            keys[seat] = key + CARD_KEYS[high] + CARD_KEYS[low]
            masks[seat] = mask | CARD_MASKS[high] | CARD_MASKS[low]
            used |= _ONE << np.uint64(high) | _ONE << np.uint64(low)
        size = list_deck(used, deck)
        if known == 5:  # one runout: a null card, which changes no strength
            deck[0, 0], deck[0, 1], size = _NONE, _NONE, np.int64(1)
        for first in range(size if known == 3 else np.int64(1)):
            first_key, first_mask, lasts = _NONE, _NONE, size
            if known == 3:
                first_key, first_mask, lasts = deck[first, 0], deck[first, 1], np.int64(first)
            for seat in range(np.uint64(count)):
                key, mask = keys[seat] + first_key, masks[seat] | first_mask
                for last in range(np.uint64(lasts)):
                    value = strength(by_key, key + deck[last, 0], mask | deck[last, 1])
                    ranked.strengths[last, seat] = value
            _divide_pots(ranked, lasts, seats[row], tallies[row], products[row])


@inlined
def _add_boards(
    ways: np.int64,
    key: np.uint32,
    dealt: Dealt,
    flushes: Any,
    ranked: _Boards,
    count: Any,
) -> Any:
    """Append boards of equal ranks to those ranked so far, and return their new number.

    The arguments are those of `add` in `count_by_ranks`. If there are flushes, the same boards
    without flushes are taken off.
    """
    ranked.ways[count] = ways
    for seat in range(np.uint64(len(dealt.keys))):
        value = rank_strength(dealt.table, np.uint32(key + dealt.keys[seat]))
        ranked.strengths[count, seat] = value
    if flushes is None:
        return count + 1
    ranked.ways[count], ranked.ways[count + 1] = -ways, ways
    for seat in range(np.uint64(len(dealt.keys))):
        own = flushes[seat]
        ranked.strengths[count + 1, seat] = own if own else ranked.strengths[count, seat]
    return count + 2


@kernel
def settle_before_flop(
    table: StrengthTable,
    holes: CardArray,
    gone: NDArray[np.uint64],
    seats: NDArray[np.uint64],
    tallies: NDArray[np.int64],
    products: NDArray[np.int64],
) -> None:
    """Count the winners of each pot of each situation over all boards, before the flop.

    The arguments are those of `settle_on_boards` without the boards.
    """
    count = holes.shape[1]
    dealt = allocate_dealt(count, table)
    ranked = _Boards(
        np.empty((_MOST_BOARDS, count), dtype=np.uint16), np.empty(_MOST_BOARDS, dtype=np.int32)
    )
    for row in range(len(holes)):
        deal_matchup(holes, row, gone[row], dealt)
        boards = count_by_ranks(dealt, _add_boards, ranked, np.int64(0))
        boards = correct_for_flushes(dealt, find_many_flushes, _add_boards, ranked, boards)
        _divide_pots(ranked, boards, seats[row], tallies[row], products[row])

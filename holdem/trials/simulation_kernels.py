"""Kernels that deal whole hands and count their outcomes.

Each hand has its own interval of splitmix64 counters, so that any hand of a seed can be dealt
without those before it. The cards of a deal are the top of a deck shuffled by the method of
Fisher and Yates. A random number below n is the high part of n times a random 16-bit fraction;
fractions that would favour some numbers are rejected (Lemire, Fast random integer generation in an
interval, 2019).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.dealing.seeds import GOLDEN, random_word
from holdem.jit.decorators import inlined, kernel

#: The number of counters per hand. Ten players take 28 cards, four from each word; about one word
#: in 1,000 is rejected, and a tenth rejection in one hand would reach the counters of the next.
WORDS_PER_HAND = 16

#: The units in a pot, divisible by every number of winners, 1 to 10.
SHARE_UNITS = 2520

_LOW_16 = np.uint64(0xFFFF)
_FRACTIONS = np.uint64(1 << 16)
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)


@inlined
def swap(cards: CardArray, position: np.uint64, distance: np.uint64) -> None:
    """Swap the cards at indices `position` and `position + distance`."""
    card = cards[position + distance]
    cards[position + distance] = cards[position]
    cards[position] = card


@kernel
def deal_hands(
    counter: np.uint64,
    deck: CardArray,
    positions: NDArray[np.int64],
    dealt: CardArray,
    hands: CardArray,
) -> None:
    """Deal consecutive hands, each from a freshly shuffled deck.

    Args:
        counter: the first counter of the first hand.
        deck: ``uint8 (card,)``: the cards in order, at least 28.
        positions: ``int64 (seat, 7)``: positions in the shuffled deck of a seat's seven cards.
        dealt: ``uint8 (hand, card)``, written: the top cards of each deck, up to 28.
        hands: ``uint8 (hand * seat, 7)``, written: each seat's hole cards and the board.
    """
    size = np.uint64(len(deck))
    cards = np.uint64(dealt.shape[1])
    seats = np.uint64(len(positions))
    thresholds = np.empty(28, dtype=np.uint64)
    for draw in range(np.uint64(28)):
        thresholds[draw] = _FRACTIONS % (size - draw)
    top = np.empty_like(deck)
    for hand in range(np.uint64(len(dealt))):
        for card in range(size):
            top[card] = deck[card]
        next_counter = counter + hand * np.uint64(WORDS_PER_HAND) * GOLDEN
        for quarter in range((cards + np.uint64(3)) // np.uint64(4)):
            position = np.uint64(quarter) * np.uint64(4)
            while True:  # four numbers from one word; all are rejected if one is
                word = random_word(next_counter)
                next_counter += GOLDEN
                first = (word & _LOW_16) * (size - position)
                second = (word >> _16 & _LOW_16) * (size - position - np.uint64(1))
                third = (word >> _32 & _LOW_16) * (size - position - np.uint64(2))
                fourth = (word >> _48) * (size - position - np.uint64(3))
                if (
                    (first & _LOW_16 >= thresholds[position])
                    & (second & _LOW_16 >= thresholds[position + np.uint64(1)])
                    & (third & _LOW_16 >= thresholds[position + np.uint64(2)])
                    & (fourth & _LOW_16 >= thresholds[position + np.uint64(3)])
                ):
                    break
            swap(top, position, first >> _16)
            swap(top, position + np.uint64(1), second >> _16)
            swap(top, position + np.uint64(2), third >> _16)
            swap(top, position + np.uint64(3), fourth >> _16)
        for card in range(cards):
            dealt[hand, card] = top[card]
        for seat in range(seats):
            for card in range(np.uint64(7)):
                hands[hand * seats + seat, card] = top[positions[seat, card]]


@kernel
def tally_hands(
    hands: CardArray,
    strengths: NDArray[np.int64],
    category_bounds: NDArray[np.int64],
    start_ranks: NDArray[np.int64],
    categories: NDArray[np.int64],
    starts: NDArray[np.int64],
    pots: NDArray[np.int64],
    seats: NDArray[np.int64],
) -> None:
    """Add the outcomes of hands to arrays of counts, in place.

    Args:
        hands: ``uint8 (hand * seat, 7)``: each seat's hole cards first.
        strengths: ``int64 (hand, seat)``.
        category_bounds: ``int64 (category - 1,)``: the lowest strength of each category except
            the weakest.
        start_ranks: ``int64 (1326,)``: the rank of each combo as a starting hand, 0 for the best.
        categories: ``int64 (2, category)``, added to: over all seats, over winning seats.
        starts: ``int64 (4,)``, added to: hands in which the best starting hand won, tied and
            lost, and in which several seats held it.
        pots: ``int64 (seat,)``, added to: hands by their number of winners minus one.
        seats: ``int64 (seat, 3)``, added to: hands won, hands tied, pot shares in `SHARE_UNITS`.
    """
    players = strengths.shape[1]
    for hand in range(strengths.shape[0]):
        best, winners = strengths[hand, 0], 1
        for seat in range(1, players):
            strength = strengths[hand, seat]
            winners = 1 if strength > best else winners + (strength == best)
            best = max(best, strength)
        pots[winners - 1] += 1
        best_start, holders, winning_holders = np.int64(1 << 62), 0, 0
        for seat in range(players):
            strength = strengths[hand, seat]
            category = 0
            for bound in category_bounds:
                category += strength >= bound
            won = strength == best
            categories[0, category] += 1
            categories[1, category] += won
            if won:
                seats[seat, 0 if winners == 1 else 1] += 1
                seats[seat, 2] += SHARE_UNITS // winners
            a = np.int64(hands[hand * players + seat, 0])
            b = np.int64(hands[hand * players + seat, 1])
            high, low = max(a, b), min(a, b)
            start = start_ranks[high * (high - 1) // 2 + low]
            if start < best_start:
                best_start, holders, winning_holders = start, 0, 0
            if start == best_start:
                holders += 1
                winning_holders += won
        starts[2 if winning_holders == 0 else 0 if winners == 1 else 1] += 1
        starts[3] += holders > 1

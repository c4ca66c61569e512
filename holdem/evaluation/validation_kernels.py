"""The compiled part of the check of hands that come from outside."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.evaluation.card_pairs import table_of_two, two_cards
from holdem.jit.decorators import inlined, kernel

# The bit of each id in a card set; the last for what is no card.
_NO_CARD = np.uint64(1 << 63)
_BITS: NDArray[np.uint64] = np.array(
    [1 << card if card < DECK_SIZE else _NO_CARD for card in range(256)], dtype=np.uint64
)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_FIVE, _SIX, _SEVEN = np.uint64(5), np.uint64(6), np.uint64(7)
_TOGETHER = np.uint64(512)  # hands looked at before it is asked whether one was wrong


def first_invalid(hands: CardArray, deck: np.uint64) -> int:
    """Return the first hand with a card twice or outside a deck; -1 if there is none.

    Args:
        hands: any ``uint8 (hand, card)`` of 5 to 7 cards.
        deck: a card set.
    """
    return int(_first_invalid(hands, _sets_of_two(), deck))


@cache
def _sets_of_two() -> NDArray[np.uint64]:
    """Return the card set of every two cards, ``uint64 (65536,)``; `_NO_CARD` for one twice."""
    sets = table_of_two(_BITS, np.bitwise_or)
    sets[:: len(_BITS) + 1] = _NO_CARD
    return sets


@kernel
def _first_invalid(hands: CardArray, sets: NDArray[np.uint64], deck: np.uint64) -> np.int64:
    hand, count = _ZERO, np.uint64(len(hands))
    while hand < count:
        last = min(hand + _TOGETHER, count)
        # With a number of cards that is known the loop over them is unrolled: twice as fast.
        if hands.shape[1] == 7:
            wrong = _faults(hands, hand, last, _SEVEN, sets, deck)
        elif hands.shape[1] == 6:
            wrong = _faults(hands, hand, last, _SIX, sets, deck)
        else:
            wrong = _faults(hands, hand, last, _FIVE, sets, deck)
        if wrong:
            while not _faults(hands, hand, hand + _ONE, np.uint64(hands.shape[1]), sets, deck):
                hand += _ONE
            return np.int64(hand)
        hand = last
    return np.int64(-1)


@inlined
def _faults(
    hands: CardArray,
    first: Any,
    last: Any,
    size: Any,
    sets: NDArray[np.uint64],
    deck: Any,
) -> Any:
    """Return the cards of some hands that stand twice or are not of the deck, as a set."""
    faults = _ZERO
    for hand in range(first, last):
        union = _ZERO
        for two in range(size >> _ONE):
            cards = sets[two_cards(hands, hand, two << _ONE)]
            faults |= union & cards
            union |= cards
        if size & _ONE:
            cards = _BITS[hands[hand, size - _ONE]]
            faults |= union & cards
            union |= cards
        faults |= union & ~deck
    return faults

"""Kernels that generate hands and find their correct levels. A level counts weaker classes.

Hands of one size are ordered by their card sets as numbers. The position of a hand is the sum of
C(c, j) over its cards, where c is the card's position in the deck and j = 1 for the lowest card,
2 for the next (the combinatorial number system).
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.jit.decorators import inlined, kernel

# C(n, k) for n to 52 and k to 7, uint64 (53, 8); the largest is 133,784,560.
_CHOICES: NDArray[np.uint64] = np.array(
    [[comb(n, k) for k in range(8)] for n in range(DECK_SIZE + 1)], dtype=np.uint64
)
_RANKS = 0x1FFF


@inlined
def _write_hand(place: np.uint64, lowest: np.uint8, hand: CardArray) -> None:
    """Write the hand at position `place` in the enumeration of all hands to `hand`."""
    left = place
    card = np.uint64(DECK_SIZE)
    for j in range(len(hand), 0, -1):
        card -= np.uint64(1)
        while _CHOICES[card, j] > left:
            card -= np.uint64(1)
        left -= _CHOICES[card, j]
        hand[j - 1] = np.uint8(card) + lowest


@kernel
def write_hands_at(places: NDArray[np.uint64], lowest: np.uint8, hands: CardArray) -> None:
    """Fill an array with the hands at given positions in the enumeration of all hands.

    Args:
        places: positions, ``uint64 (hand,)``, assumed to be below C(deck, card).
        lowest: the lowest id of the deck.
        hands: the result, ``uint8 (hand, card)``.
    """
    for i in range(np.uint64(len(hands))):
        _write_hand(places[i], lowest, hands[i])


@kernel
def write_hands_from(first: np.uint64, lowest: np.uint8, hands: CardArray) -> None:
    """Fill an array with consecutive hands, from a given position in the enumeration of all hands.

    Args:
        first: the position of the first hand; enough hands are assumed to follow.
        lowest: the lowest id of the deck.
        hands: the result, ``uint8 (hand, card)``.
    """
    size = hands.shape[1]
    _write_hand(first, lowest, hands[0])
    for i in range(1, len(hands)):
        # The lowest card that can move up does, and those below it start again.
        moved = 0
        while moved + 1 < size and hands[i - 1, moved] + 1 == hands[i - 1, moved + 1]:
            moved += 1
        for j in range(moved):
            hands[i, j] = lowest + np.uint8(j)
        hands[i, moved] = hands[i - 1, moved] + np.uint8(1)
        for j in range(moved + 1, size):
            hands[i, j] = hands[i - 1, j]


@kernel
def find_levels(
    hands: CardArray,
    terms: NDArray[np.uint32],
    by_ranks: NDArray[np.int16],
    by_suit: NDArray[np.int16],
    deuces_wild: bool,
    levels: NDArray[np.int16],
) -> None:
    """Find each hand's level, which is the number of weaker classes.

    Args:
        hands: ``uint8 (hand, card)``, cards in any order.
        terms: the terms of positions of lists of ranks, ``uint32 (position, rank)``.
        by_ranks: see `holdem.evaluation.conformance.hands.Oracle`; for hands of this size.
        by_suit: likewise.
        deuces_wild: whether twos are wild.
        levels: the result, ``int16 (hand,)``.
    """
    size = hands.shape[1]
    ranks = np.empty(size, dtype=np.uint8)
    for i in range(np.uint64(len(hands))):
        mask, wild = np.uint64(0), 0
        for j in range(size):
            card = hands[i, j]
            rank = card >> np.uint8(2)
            if deuces_wild and rank == 0:
                wild += 1
            else:
                mask |= np.uint64(1) << (np.uint64(card & np.uint8(3)) * np.uint64(16) + rank)
            k = j
            while k > 0 and ranks[k - 1] > rank:
                ranks[k] = ranks[k - 1]
                k -= 1
            ranks[k] = rank
        place = np.uint32(0)
        for j in range(size):
            place += terms[j, ranks[j]]
        level = by_ranks[place]
        for suit in range(np.uint64(4)):
            level = max(level, by_suit[wild, (mask >> (np.uint64(16) * suit)) & np.uint64(_RANKS)])
        levels[i] = level

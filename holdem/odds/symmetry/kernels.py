"""Boards before the flop, one of each kind that a renaming of suits makes of another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup.keys import CARD_MASKS
from holdem.jit.decorators import kernel

_16 = np.uint64(16)


@kernel
def list_alike_boards(
    deck: CardArray, renamings: CardArray, boards: CardArray, times: NDArray[np.uint8]
) -> int:
    """List a board of each kind, and how many boards are of that kind.

    Of each kind the board with the smallest suit mask is listed: one that no renaming makes
    smaller.

    Args:
        deck: ``uint8 (card,)``: the cards that can come, lowest first.
        renamings: ``uint8 (renaming, suit)``: what each suit becomes; a group, identity first.
        boards: ``uint8 (board, 5)``, filled; as long as all boards are many, to be safe.
        times: ``uint8 (board,)``, filled.

    Returns:
        The number of boards listed.
    """
    size, count = len(deck), 0
    shifts = renamings.astype(np.uint64) * _16
    group = np.uint64(len(renamings))
    places = np.arange(5)
    while size >= 5:
        mask = np.uint64(0)
        for place in places:
            mask |= CARD_MASKS[deck[place]]
        clubs, diamonds = mask & np.uint64(0xFFFF), mask >> _16 & np.uint64(0xFFFF)
        hearts, spades = mask >> np.uint64(32) & np.uint64(0xFFFF), mask >> np.uint64(48)
        least, same = True, 0
        for renaming in range(group):
            other = clubs << shifts[renaming, 0] | diamonds << shifts[renaming, 1]
            other |= hearts << shifts[renaming, 2] | spades << shifts[renaming, 3]
            if other < mask:
                least = False
                break
            same += other == mask
        if least:
            for column in range(5):
                boards[count, column] = deck[places[column]]
            times[count] = len(renamings) // same
            count += 1
        # The next choice of five places: the lowest that can go up does, those below start anew.
        column = 0
        while column < 4 and places[column] + 1 == places[column + 1]:
            places[column] = column
            column += 1
        places[column] += 1
        if places[4] == size:
            break
    return count

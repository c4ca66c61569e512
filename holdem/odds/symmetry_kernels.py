"""Kernel that lists the canonical boards of a spot without known board cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray
from holdem.evaluation.builtin.lookup_keys import CARD_MASKS
from holdem.jit.decorators import kernel

_16 = np.uint64(16)


@kernel
def write_canonical_boards(
    deck: CardArray, permutations: CardArray, boards: CardArray, orbit_sizes: NDArray[np.uint8]
) -> int:
    """List one board from each orbit under suit permutations, and the size of each orbit.

    Args:
        deck: the cards that boards can contain, ``uint8 (card,)``, lowest first.
        permutations: the image of each suit, ``uint8 (permutation, suit)``; a group, identity
            first.
        boards: output, ``uint8 (board, 5)``, long enough for all boards.
        orbit_sizes: output, ``uint8 (board,)``.

    Returns:
        The number of boards listed.
    """
    size, count = len(deck), 0
    shifts = permutations.astype(np.uint64) * _16
    group = np.uint64(len(permutations))
    chosen = np.arange(5)
    while size >= 5:
        mask = np.uint64(0)
        for index in chosen:
            mask |= CARD_MASKS[deck[index]]
        clubs, diamonds = mask & np.uint64(0xFFFF), mask >> _16 & np.uint64(0xFFFF)
        hearts, spades = mask >> np.uint64(32) & np.uint64(0xFFFF), mask >> np.uint64(48)
        is_least, stabilizer = True, 0
        for permutation in range(group):
            image = clubs << shifts[permutation, 0] | diamonds << shifts[permutation, 1]
            image |= hearts << shifts[permutation, 2] | spades << shifts[permutation, 3]
            if image < mask:
                is_least = False
                break
            stabilizer += image == mask
        if is_least:
            for column in range(5):
                boards[count, column] = deck[chosen[column]]
            orbit_sizes[count] = len(permutations) // stabilizer
            count += 1
        # The next combination: raise the lowest index that can be raised, reset those below it.
        column = 0
        while column < 4 and chosen[column] + 1 == chosen[column + 1]:
            chosen[column] = column
            column += 1
        chosen[column] += 1
        if chosen[4] == size:
            break
    return count

"""Canonical boards: one complete board, or one flop, from each orbit under suit permutations.

A permutation that leaves a spot unchanged maps each board to one on which the images of the
combos have the same outcomes. So a combo's sum over all boards is the average, over the
permutations, of its images' sums over the canonical boards, weighted by the orbit sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import TypeVar, cast

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import CardArray, card_sets
from holdem.odds.symmetry.suit_permutations import (
    permuted_cards,
    permuted_combos,
    permuted_suits,
)

_SIZE, _FLOP = 5, 3
_Sums = TypeVar("_Sums", bound=NDArray[np.generic])


@attrs.frozen(eq=False)
class CanonicalBoards:
    """One complete board from each orbit under suit permutations, with the sizes of the orbits.

    Created by `canonical_boards`.
    """

    cards: CardArray
    """``uint8 (board, 5)``."""

    orbit_sizes: NDArray[np.uint8]
    """The number of boards in each board's orbit, 1 to 24, ``uint8 (board,)``."""

    permutations: NDArray[np.intp]
    """The suit permutations that define the orbits, ``intp (permutation,)``."""

    def spread(self, sums: _Sums) -> _Sums:
        """Convert sums over the canonical boards to sums over all boards.

        Args:
            sums: ``(…, 1326)``, with each board weighted by the size of its orbit.
        """
        if len(self.permutations) == 1:
            return sums
        images, count = permuted_combos()[self.permutations], len(self.permutations)
        if sums.dtype.kind == "f":
            return cast(_Sums, sums[..., images].sum(axis=-2) / count)
        # Divide before adding, because the sum over 24 permutations might overflow.
        quotients, rests = np.divmod(sums, count)
        spread = quotients[..., images].sum(axis=-2) + rests[..., images].sum(axis=-2) // count
        return cast(_Sums, spread)


def canonical_boards(
    board: Sequence[int], deck: CardArray, permutations: NDArray[np.intp]
) -> CanonicalBoards:
    """List one complete board from each orbit, among those that contain the known board cards.

    Args:
        board: 0, 3, 4 or 5 known cards.
        deck: the cards that can complete it, ``uint8 (card,)``, lowest first.
        permutations: a group of suit permutations that fix `board` and `deck`, as returned by
            `permutations_that_fix`; the identity alone to list all boards.
    """
    if not board:
        return _before_the_flop(deck, permutations)
    cards = np.empty((comb(len(deck), _SIZE - len(board)), _SIZE), dtype=np.uint8)
    cards[:, : len(board)] = board
    if len(board) == _SIZE - 1:
        cards[:, 4] = deck
    elif len(board) == _SIZE - 2:
        higher, lower = np.tril_indices(len(deck), -1)
        cards[:, 3], cards[:, 4] = deck[higher], deck[lower]
    orbit_sizes = np.ones(len(cards), dtype=np.uint8)
    if len(permutations) > 1:
        codes = np.array([card_sets(image[cards]) for image in permuted_cards()[permutations]])
        canonical = codes[0] == codes.min(axis=0)
        orbit_sizes = _orbit_sizes(codes)[canonical]
        cards = np.ascontiguousarray(cards[canonical])
    return CanonicalBoards(cards, orbit_sizes, permutations)


def canonical_flops(
    deck: CardArray, permutations: NDArray[np.intp]
) -> tuple[CardArray, NDArray[np.uint8]]:
    """List one flop from each orbit under suit permutations.

    There are 1,755 with 52 cards and all 24 permutations.

    Args:
        deck: the cards that a flop can contain, ``uint8 (card,)``, lowest first.
        permutations: as for `canonical_boards`.

    Returns:
        The flops, ``uint8 (flop, 3)``, from high to low with the high card first, and the sizes
        of their orbits, ``uint8 (flop,)``.
    """
    flops = np.array(list(combinations(deck[::-1].tolist(), _FLOP)), dtype=np.uint8)
    codes = np.array([card_sets(image[flops]) for image in permuted_cards()[permutations]])
    canonical = codes[0] == codes.max(axis=0)
    return flops[canonical], _orbit_sizes(codes)[canonical]


def _orbit_sizes(codes: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the sizes of the orbits of boards, given the card sets of their images,
    ``uint64 (permutation, board)``, identity first.
    """
    stabilizers = np.count_nonzero(codes == codes[0], axis=0)
    sizes: NDArray[np.uint8] = (len(codes) // stabilizers).astype(np.uint8)
    return sizes


def _before_the_flop(deck: CardArray, permutations: NDArray[np.intp]) -> CanonicalBoards:
    from holdem.odds.symmetry.kernels import list_canonical_boards

    cards = np.empty((comb(len(deck), _SIZE), _SIZE), dtype=np.uint8)
    orbit_sizes = np.empty(len(cards), dtype=np.uint8)
    count = list_canonical_boards(deck, permuted_suits()[permutations], cards, orbit_sizes)
    return CanonicalBoards(cards[:count].copy(), orbit_sizes[:count].copy(), permutations)

"""Suit isomorphism: suit permutations that leave a spot unchanged, and canonical boards.

There are 24 permutations of the four suits. Those that leave a spot unchanged map boards to each
other; the boards to which they map a given board are its orbit. Combos have the same outcomes on a
board as their images have on the image of the board. So it is enough to compute outcomes on one
board of each orbit, the canonical one. A combo's sum over all boards is the average, over the
permutations, of the sums of the combo's images over the canonical boards, where each board is
multiplied by the number of boards in its orbit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, permutations
from math import comb
from typing import Any, TypeVar, cast

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray, card_sets, read_only
from holdem.evaluation.builtin.lookup_tables import CARD_MASKS
from holdem.jit.kernels import inlined, kernel
from holdem.odds.spot import BOARD_SIZE, Spot
from holdem.ranges.combos import COMBO_CARDS, combo_numbers

_16 = np.uint64(16)

PERMUTATIONS = 24

_FLOP = 3
_Sums = TypeVar("_Sums", bound=NDArray[np.generic])


@cache
def permuted_suits() -> CardArray:
    """Tabulate the image of each suit under each permutation, ``uint8 (permutation, suit)``.

    Permutation 0 is the identity.
    """
    return read_only(np.array(list(permutations(range(4))), dtype=np.uint8))


@cache
def permuted_cards() -> CardArray:
    """Tabulate the image of each card under each suit permutation, ``uint8 (permutation, card)``.

    The permutations are in the order of `permuted_suits`.
    """
    cards = np.arange(DECK_SIZE, dtype=np.uint8)
    return read_only((cards & np.uint8(0xFC)) | permuted_suits()[:, cards & 3])


@cache
def permuted_combos() -> NDArray[np.intp]:
    """Tabulate the image of each combo under each suit permutation, ``intp (permutation, combo)``.

    The permutations are in the order of `permuted_suits`.
    """
    return read_only(combo_numbers(permuted_cards()[:, COMBO_CARDS]).astype(np.intp))


@lru_cache(maxsize=64)  # called several times while planning and running a spot
def permutations_that_fix_cards(*card_sets: tuple[int, ...]) -> NDArray[np.intp]:
    """Find the suit permutations that map each of several sets of card ids to itself.

    They are indices in `permuted_suits`, ``intp (permutation,)``, the identity first, and form a
    group.
    """
    fixing = np.ones(PERMUTATIONS, dtype=np.bool_)
    for cards in card_sets:
        own = np.sort(np.array(cards, dtype=np.intp))
        fixing &= (np.sort(permuted_cards()[:, own], axis=1) == own).all(axis=1)
    return read_only(np.flatnonzero(fixing))


def card_fixing_permutations(spot: Spot) -> NDArray[np.intp]:
    """Find the suit permutations that leave the board and the dead cards unchanged.

    They are indices as from `permutations_that_fix_cards`.
    """
    return permutations_that_fix_cards(spot.board, spot.dead)


def combo_fixing_permutations(spot: Spot) -> NDArray[np.intp]:
    """Find the suit permutations that leave board, dead cards and every live combo unchanged.

    Every match-up (one combo for each player) has the same outcome on all boards that these
    permutations map to each other. They are indices as from `permutations_that_fix_cards`.
    """
    fixing = card_fixing_permutations(spot)
    if len(fixing) == 1:
        return fixing
    fixed = [
        (permuted_combos()[fixing[:, None], combos] == combos).all(axis=1) for combos in spot.live
    ]
    return fixing[np.all(fixed, axis=0)]


def weight_fixing_permutations(spot: Spot) -> NDArray[np.intp]:
    """Find the suit permutations that leave board, dead cards and all players' weights unchanged.

    They are indices as from `permutations_that_fix_cards`.
    """
    fixing = card_fixing_permutations(spot)
    if len(fixing) == 1:
        return fixing
    # If the images of all combos that are held have the same weights, so have all other combos.
    weights = spot.all_weights
    held = np.flatnonzero(weights.any(axis=0))
    images = permuted_combos()[fixing[:, None], held]
    unchanged: NDArray[np.bool_] = (weights[:, images] == weights[:, None, held]).all(axis=(0, 2))
    return fixing[unchanged]


@attrs.frozen(eq=False)
class CanonicalBoards:
    """One board from each orbit, with the size of the orbit.

    An orbit contains all boards that a group of suit permutations map to each other. Instances are
    created by `list_canonical_boards`.
    """

    cards: CardArray
    """The boards, ``uint8 (board, card)``."""

    orbit_sizes: NDArray[np.uint8]
    """The number of boards in each board's orbit, 1 to 24, ``uint8 (board,)``."""

    group: NDArray[np.intp]
    """The suit permutations that define the orbits, as indices in `permuted_suits`, ``intp
    (permutation,)``."""

    def spread(self, sums: _Sums) -> _Sums:
        """Convert sums by combo over these boards to sums over all boards, ``(…, 1326)``.

        In the given sums, integers or floats, each board counts as often as its orbit has boards.
        """
        if len(self.group) == 1:
            return sums
        images, count = permuted_combos()[self.group], len(self.group)
        if sums.dtype.kind == "f":
            return cast(_Sums, sums[..., images].sum(axis=-2) / count)
        # Divide before adding, because the sum over 24 permutations might overflow.
        quotients, rests = np.divmod(sums, count)
        spread = quotients[..., images].sum(axis=-2) + rests[..., images].sum(axis=-2) // count
        return cast(_Sums, spread)


def list_canonical_boards(
    board: Sequence[int], deck: CardArray, group: NDArray[np.intp], size: int = BOARD_SIZE
) -> CanonicalBoards:
    """List one board of `size` cards from each orbit of the boards that begin with the known cards.

    `board` are up to five known cards, and `deck` those that can follow, ``uint8 (card,)``,
    lowest first. `group` is a group of suit permutations that leave both unchanged, as indices in
    `permuted_suits`, ``intp (permutation,)``, the identity first. With the identity alone, all
    boards are listed.
    """
    to_come = size - len(board)
    cards = np.empty((comb(len(deck), to_come), size), dtype=np.uint8)
    orbit_sizes = np.ones(len(cards), dtype=np.uint8)
    if not board:
        count = write_canonical_boards(deck, permuted_suits()[group], cards, orbit_sizes)
        return CanonicalBoards(cards[:count].copy(), orbit_sizes[:count].copy(), group)
    cards[:, : len(board)] = board
    if to_come == 1:
        cards[:, -1] = deck
    elif to_come == 2:
        higher, lower = np.tril_indices(len(deck), -1)
        cards[:, -2], cards[:, -1] = deck[higher], deck[lower]
    elif to_come > 2:
        listed = chain.from_iterable(combinations(deck.tolist(), to_come))
        cards[:, len(board) :] = np.fromiter(listed, np.uint8).reshape(-1, to_come)
    if len(group) > 1:
        codes = np.array([card_sets(image[cards]) for image in permuted_cards()[group]])
        canonical = codes[0] == codes.min(axis=0)
        orbit_sizes = _count_orbits(codes)[canonical]
        cards = np.ascontiguousarray(cards[canonical])
    return CanonicalBoards(cards, orbit_sizes, group)


def list_canonical_flops(
    deck: CardArray, group: NDArray[np.intp]
) -> tuple[CardArray, NDArray[np.uint8]]:
    """List one flop from each set of flops that differ only by a permutation of suits.

    There are 1,755 with 52 cards and all 24 permutations. `deck` and `group` are as for
    `list_canonical_boards`. The flops are ``uint8 (flop, 3)``, highest first, each with its highest
    card first; with them comes the number of flops in each set, ``uint8 (flop,)``.
    """
    flops = np.array(list(combinations(deck[::-1].tolist(), _FLOP)), dtype=np.uint8)
    codes = np.array([card_sets(image[flops]) for image in permuted_cards()[group]])
    canonical = codes[0] == codes.max(axis=0)
    return flops[canonical], _count_orbits(codes)[canonical]


def _count_orbits(codes: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Compute the number of boards in each board's orbit, ``uint8 (board,)``.

    `codes` are the images of each board under each permutation, the identity first, as card sets,
    ``uint64 (permutation, board)``.
    """
    stabilizers = np.count_nonzero(codes == codes[0], axis=0)
    sizes: NDArray[np.uint8] = (len(codes) // stabilizers).astype(np.uint8)
    return sizes


@kernel
def write_canonical_boards(
    deck: CardArray, permutations: CardArray, boards: CardArray, orbit_sizes: NDArray[np.uint8]
) -> int:
    """Write one board from each orbit, and the orbit sizes; return the number of boards.

    `deck` has the cards that boards can contain, ``uint8 (card,)``, lowest first. `permutations`
    are the images of each suit, ``uint8 (permutation, suit)``; they form a group, the identity
    first. `boards`, ``uint8 (board, 3..5)``, has a row for every board that the deck can form;
    `orbit_sizes` is ``uint8 (board,)``.
    """
    if boards.shape[1] == 5:
        return _write_boards(deck, permutations, 5, boards, orbit_sizes)
    return _write_boards(deck, permutations, boards.shape[1], boards, orbit_sizes)


@inlined
def _write_boards(
    deck: CardArray,
    permutations: CardArray,
    cards: Any,
    boards: CardArray,
    orbit_sizes: NDArray[np.uint8],
) -> int:
    """Write boards and orbit sizes as `write_canonical_boards` does.

    `cards` is the number of cards on a board. The loops take a third of the time if it is a
    literal, which the compiler knows.
    """
    size, count = len(deck), 0
    shifts = permutations.astype(np.uint64) * _16
    group = np.uint64(len(permutations))
    chosen = np.arange(cards)
    while size >= cards:
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
            for column in range(cards):
                boards[count, column] = deck[chosen[column]]
            orbit_sizes[count] = len(permutations) // stabilizer
            count += 1
        # The next combination: raise the lowest index that can be raised, reset those below it.
        column = 0
        while column < cards - 1 and chosen[column] + 1 == chosen[column + 1]:
            chosen[column] = column
            column += 1
        chosen[column] += 1
        if chosen[cards - 1] == size:
            break
    return count

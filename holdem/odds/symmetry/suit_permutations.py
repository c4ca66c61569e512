"""The 24 permutations of the suits, and those that leave a spot unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.ranges.combos import COMBO_CARDS, combo_numbers

PERMUTATIONS = 24


@cache
def permuted_suits() -> CardArray:
    """Return the image of each suit under each permutation as ``uint8 (permutation, suit)``.

    The identity comes first.
    """
    return _read_only(np.array(list(permutations(range(4))), dtype=np.uint8))


@cache
def permuted_cards() -> CardArray:
    """Return the image of each card under each permutation as ``uint8 (permutation, card)``."""
    cards = np.arange(DECK_SIZE, dtype=np.uint8)
    return _read_only((cards & 0xFC) | permuted_suits()[:, cards & 3])


@cache
def permuted_combos() -> NDArray[np.intp]:
    """Return the image of each combo under each permutation as ``intp (permutation, combo)``."""
    return _read_only(combo_numbers(permuted_cards()[:, COMBO_CARDS]).astype(np.intp))


def permutations_that_fix(
    weights: NDArray[np.float64], card_sets: Iterable[Sequence[int]]
) -> NDArray[np.intp]:
    """Return the suit permutations that leave all weights and card sets unchanged.

    The identity comes first.

    Args:
        weights: ``float64 (player, 1326)``.
        card_sets: sets of cards, such as the board and the dead cards.

    Returns:
        Numbers of the permutations, which form a group, ``intp (permutation,)``.
    """
    fixing = permutations_that_fix_cards(*(tuple(cards) for cards in card_sets))
    if len(fixing) == 1:
        return fixing
    # If the images of all combos that are held have the same weights, so have all other combos.
    held = np.flatnonzero(weights.any(axis=0))
    images = permuted_combos()[fixing[:, None], held]
    unchanged: NDArray[np.bool_] = (weights[:, images] == weights[:, None, held]).all(axis=(0, 2))
    return fixing[unchanged]


@lru_cache(maxsize=64)  # called several times while planning and running a spot
def permutations_that_fix_cards(*card_sets: tuple[int, ...]) -> NDArray[np.intp]:
    """Return the suit permutations that leave card sets unchanged, ``intp (permutation,)``.

    They form a group. The identity comes first.
    """
    fixing = np.ones(PERMUTATIONS, dtype=np.bool_)
    for cards in card_sets:
        own = np.sort(np.array(cards, dtype=np.intp))
        fixing &= (np.sort(permuted_cards()[:, own], axis=1) == own).all(axis=1)
    return _read_only(np.flatnonzero(fixing))


def _read_only(array: NDArray[np.generic]) -> NDArray:  # type: ignore[type-arg]
    array.setflags(write=False)
    return array

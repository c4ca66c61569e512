"""The 24 renamings of suits: what cards and combos become, and which leave a question alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, CardArray
from holdem.ranges.combos import COMBO_CARDS, combo_numbers

RENAMINGS = 24


@cache
def renamed_suits() -> CardArray:
    """Return what each suit becomes, ``uint8 (renaming, suit)``; the first changes nothing."""
    return _kept(np.array(list(permutations(range(4))), dtype=np.uint8))


@cache
def renamed_cards() -> CardArray:
    """Return what each card becomes, ``uint8 (renaming, card)``."""
    cards = np.arange(DECK_SIZE, dtype=np.uint8)
    return _kept((cards & 0xFC) | renamed_suits()[:, cards & 3])


@cache
def renamed_combos() -> NDArray[np.intp]:
    """Return what each combo becomes, ``intp (renaming, combo)``."""
    return _kept(combo_numbers(renamed_cards()[:, COMBO_CARDS]).astype(np.intp))


def renamings_that_keep(
    weights: NDArray[np.float64], card_sets: Iterable[Sequence[int]]
) -> NDArray[np.intp]:
    """Return the renamings that leave a question as it is, ``intp (renaming,)``, first 0.

    Args:
        weights: ``float64 (player, 1326)``: no combo's weight changes for any player.
        card_sets: sets of cards that become themselves, such as the board and dead cards.
    """
    kept = _that_keep_cards(*(tuple(cards) for cards in card_sets))
    if not len(weights):
        return kept
    # Few are left on most boards, which saves half a millisecond.
    return kept[
        [bool((weights[:, becomes] == weights).all()) for becomes in renamed_combos()[kept]]
    ]


@lru_cache(maxsize=64)  # a question asks some times
def _that_keep_cards(*card_sets: tuple[int, ...]) -> NDArray[np.intp]:
    keeps = np.ones(RENAMINGS, dtype=np.bool_)
    for cards in card_sets:
        own = np.sort(np.array(cards, dtype=np.intp))
        keeps &= (np.sort(renamed_cards()[:, own], axis=1) == own).all(axis=1)
    return _kept(np.flatnonzero(keeps))


def _kept(array: NDArray[np.generic]) -> NDArray:  # type: ignore[type-arg]
    array.setflags(write=False)
    return array

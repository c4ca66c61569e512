"""Functions for hands in the forms of the article *More Bit Representations*.

These are masks of cards, 31-bit values and types of hands.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_, or_, xor
from typing import Any

import numpy as np

import holdem
from holdem_suit_mask.layout import ACE_HIGH_RANKS, LOW_ACES, SECTION_BITS, SUIT_SIZE, card_mask
from holdem_suit_mask.layout import to_index_set as _to_index_set
from holdem_suit_mask.spec import DEUCES_WILD, SPEC
from holdem_suit_mask.value import HandType, split

_SUITS = "shdc"
_RANKS = "A23456789TJQK"
_USED = sum((ACE_HIGH_RANKS | 1) << SECTION_BITS * section for section in range(4))


def hand_mask(cards: str | int | Iterable[Any]) -> int:
    """Return the mask of cards: 64 bits, a section of 16 for each suit, both bits of aces.

    Args:
        cards: any number of cards, as text or ids, in any form that `holdem.parse_cards` accepts,
            or a mask.

    Raises:
        CardError: a card does not exist or appears twice, or a bit of a mask belongs to no card.
        HoldemTypeError: `cards` has another type.
    """
    mask = 0
    for card in holdem.parse_cards(_to_engine(cards), what="hand"):
        mask |= card_mask(card)
    return mask


def mask_cards(mask: int) -> tuple[holdem.Card, ...]:
    """Return the cards of a mask: spades, hearts, diamonds, clubs; in a suit, A, then 2 to K.

    Args:
        mask: a mask. An ace may have its low bit, its high bit or both.

    Raises:
        CardError: a bit is set that belongs to no card.
    """
    if mask < 0 or mask & ~_USED:
        raise holdem.CardError(
            f"{mask:#x} is not a mask of cards: each of its four sections of 16 bits uses bits"
            " 0 to 13, ace to ace"
        )
    indices = _to_index_set(mask | mask >> SUIT_SIZE & LOW_ACES)
    return tuple(
        holdem.Card(_RANKS[index % SUIT_SIZE] + _SUITS[index // SUIT_SIZE])
        for index in range(4 * SUIT_SIZE)
        if indices >> index & 1
    )


def mask_text(mask: int) -> str:
    """Return the cards of a mask as text, separated by blanks, in the order of `mask_cards`.

    Raises:
        CardError: a bit is set that belongs to no card.
    """
    return " ".join(map(str, mask_cards(mask)))


def _sections(mask: int) -> list[int]:
    return [mask >> SECTION_BITS * section & (1 << SECTION_BITS) - 1 for section in range(4)]


def horizontal_and(mask: int) -> int:
    """Combine the four sections of a mask by AND: the ranks with four cards.

    The kernels fold the mask by 32 and then by 16 bits, which gives the same.
    """
    return reduce(and_, _sections(mask))


def horizontal_or(mask: int) -> int:
    """Combine the four sections of a mask by OR: the ranks with at least one card."""
    return reduce(or_, _sections(mask))


def horizontal_xor(mask: int) -> int:
    """Combine the four sections of a mask by XOR: the ranks with one card or three."""
    return reduce(xor, _sections(mask))


def hand_value(cards: str | int | Iterable[Any], *, deuces_wild: bool = False) -> int:
    """Return the 31-bit value of a hand of five to seven cards; the bigger value wins.

    The first call loads the evaluator, which takes some 20 ms, or seconds if its compiled code is
    not cached.

    Args:
        cards: the hand, as text, ids or a mask.
        deuces_wild: whether twos are wild.

    Raises:
        CardError: not five to seven different cards.
        HoldemTypeError: `cards` has another type.
    """
    evaluator = DEUCES_WILD if deuces_wild else SPEC
    return holdem.evaluate(_to_engine(cards), evaluator=evaluator).strength


def hand_type(cards: str | int | Iterable[Any], *, deuces_wild: bool = False) -> HandType:
    """Return the type of a hand of five to seven cards.

    Args:
        cards: the hand, as text, ids or a mask.
        deuces_wild: whether twos are wild.

    Raises:
        CardError: not five to seven different cards.
        HoldemTypeError: `cards` has another type.
    """
    return split(hand_value(cards, deuces_wild=deuces_wild)).type


def hand_name(cards: str | int | Iterable[Any], *, deuces_wild: bool = False) -> str:
    """Return the name of the type of a hand of five to seven cards: ``"four of a kind"``.

    The arguments and errors are those of `hand_type`.
    """
    return hand_type(cards, deuces_wild=deuces_wild).label


def _to_engine(cards: Any) -> Any:
    """Convert a mask to its cards; all else is left to the engine."""
    is_mask = isinstance(cards, int | np.integer) and not isinstance(cards, holdem.Card)
    return mask_cards(int(cards)) if is_mask else cards

"""The 31-bit value of a hand: its type, the ranks that decide first, and those that decide next.

    bit  30   27 26            13 12           0
         type    primary: A K … 2 A   secondary: A K … 2

Values compare as hands do. Ranks are given here as in a section of the mask: bit 0 is the low
ace, bit 13 the high ace. The secondary ranks never include a low ace and are stored without it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from holdem_suit_mask.layout import SECTION_RANKS

SECONDARY_BITS = 13
PRIMARY_BITS = 14
TYPE_BITS = 4
TYPE_SHIFT = PRIMARY_BITS + SECONDARY_BITS
VALUE_BITS = TYPE_BITS + TYPE_SHIFT


class HandType(IntEnum):
    """The types of hands in *More Bit Representations*, weakest first.

    A value has the number of the type in its top bits.
    """

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE_OF_A_KIND = 10
    """Needs a wild card: only ``deuces-wild`` has it."""

    @property
    def label(self) -> str:
        """The name in words, e.g. ``"four of a kind"``."""
        return self.name.replace("_", " ").lower()


class Parts(NamedTuple):
    """The three parts of a 31-bit value."""

    type: HandType
    """The type of hand."""

    primary: int
    """The ranks that decide first, as bits 0..13: the low ace, 2..K, the high ace."""

    secondary: int
    """The ranks that decide next, as bits 1..13: 2..K and the high ace."""

    def __str__(self) -> str:
        parts = (self.type.label, ranks_text(self.primary), ranks_text(self.secondary))
        return " ".join(part for part in parts if part)


def join(parts: Parts) -> int:
    """Return the 31-bit value of a hand from its three parts; they are not checked."""
    return parts.type << TYPE_SHIFT | parts.primary << SECONDARY_BITS | parts.secondary >> 1


def split(value: int) -> Parts:
    """Return the parts of a 31-bit value."""
    return Parts(
        HandType(value >> TYPE_SHIFT),
        value >> SECONDARY_BITS & (1 << PRIMARY_BITS) - 1,
        (value & (1 << SECONDARY_BITS) - 1) << 1,
    )


def ranks_text(ranks: int) -> str:
    """Return ranks, given as bits 0..13, as text, highest first: ``"5432A"`` for bits 0..4."""
    return "".join(SECTION_RANKS[bit] for bit in range(13, -1, -1) if ranks >> bit & 1)

"""Two representations of a set of cards as an integer, and conversions between them.

Cards are ordered suit by suit, with the ace as the lowest card of a suit:

* the **index set** of 52 bits, 13 a suit: the ace of spades is bit 0, the king bit 12, then
  hearts from 13, diamonds from 26 and clubs from 39;
* the **mask** of 64 bits, a section of 16 for each suit in that same order. In a section
  bit 0 is the low ace, bits 1..12 are 2..K, bit 13 is the high ace, and the top two are zero.
"""

from __future__ import annotations

import holdem

#: Ranks of bits 0..13 of a section; the ace is both the lowest and the highest.
SECTION_RANKS = "A23456789TJQKA"

SECTION_BITS = 16
SUIT_SIZE = 13

#: Bits of one section.
LOW_ACE = 1 << 0
ACE_LOW_RANKS = (1 << SUIT_SIZE) - 1
ACE_HIGH_RANKS = ACE_LOW_RANKS << 1

#: The low ace of all four suits.
LOW_ACES = sum(LOW_ACE << SECTION_BITS * section for section in range(4))

#: The two of all four suits.
DEUCES = LOW_ACES << 1


def card_index(card: str | int) -> int:
    """Return the index of a card, 0..51, which is the number of its bit in an index set.

    Args:
        card: text such as ``"As"``, or an id of the engine, 0..51, ``4 * rank + suit``.

    Raises:
        CardError: the card does not exist.
        HoldemTypeError: `card` is neither text nor an integer.
    """
    rank, suit = divmod(holdem.Card(card), 4)
    return SUIT_SIZE * (3 - suit) + (rank + 1) % SUIT_SIZE


def card_mask(card: str | int) -> int:
    """Return the mask of a card: one bit, or two for an ace.

    The arguments and errors are those of `card_index`.
    """
    section, rank = divmod(card_index(card), SUIT_SIZE)
    return with_high_aces(1 << SECTION_BITS * section + rank)


def with_high_aces(mask: int) -> int:
    """Add to a mask the high bit of each ace whose low bit is set; it is 13 bits above."""
    return mask | (mask & LOW_ACES) << SUIT_SIZE


def to_index_set(mask: int) -> int:
    """Convert a mask to an index set.

    Of each section of 16 bits, the lowest 13 are kept. The high bits of aces are removed, as each
    would become the low ace of the next suit.
    """
    indices = 0
    for section in range(4):
        suit = mask >> SECTION_BITS * section & ACE_LOW_RANKS
        indices |= suit << SUIT_SIZE * section
    return indices


def from_index_set(indices: int) -> int:
    """Convert an index set to a mask, in which aces have both bits."""
    mask = 0
    for section in range(4):
        suit = indices >> SUIT_SIZE * section & ACE_LOW_RANKS
        mask |= suit << SECTION_BITS * section
    return with_high_aces(mask)

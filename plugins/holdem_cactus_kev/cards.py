"""Cards as 32 bits: ``xxxbbbbb bbbbbbbb cdhsrrrr xxpppppp``.

The highest bit comes first. The bits `p` are the prime of the rank, and `r` the rank, 0..12. One
bit of `cdhs` is set for the suit, and one of the bits `b`, from bit 16 up, for the rank. The bits
`x` are 0.
"""

from __future__ import annotations

import holdem

#: The prime of each rank, 2..A.
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)

#: The bit of each suit: clubs, diamonds, hearts, spades.
SUIT_BITS = (8, 4, 2, 1)

RANK_SHIFT = 8
SUIT_SHIFT = 12
RANK_BIT_SHIFT = 16

PRIME_MASK = 0xFF
SUIT_MASK = 0xF << SUIT_SHIFT


def card_bitfield(card: str | int) -> int:
    """Return the bit field of a card.

    Args:
        card: text such as ``"KD"`` or ``"7h"``, or an id of the engine, 0..51,
            ``4 * rank + suit``.

    Raises:
        CardError: the card does not exist.
        HoldemTypeError: `card` is neither text nor an integer.
    """
    rank, suit = divmod(holdem.Card(card), 4)
    return (
        1 << RANK_BIT_SHIFT + rank
        | SUIT_BITS[suit] << SUIT_SHIFT
        | rank << RANK_SHIFT
        | PRIMES[rank]
    )

"""Cards as numbers of 17 bits: a suit bit above thirteen rank bits.

The article *DeadHorseEval* labels a card by its rank as a number, 2 to 14, and its suit: ``14s`` is
the ace of spades.
"""

from __future__ import annotations

from functools import cache

import holdem

#: The suit bits, in the order S H C D from the top: diamonds lowest.
DIAMONDS, CLUBS, HEARTS, SPADES = (1 << bit for bit in range(13, 17))

#: The suit bit of each suit in the engine's order: c, d, h, s.
SUIT_BITS = (CLUBS, DIAMONDS, HEARTS, SPADES)

#: The ranks that the article labels by two digits, except ten.
HIGH_RANKS = {"11": "J", "12": "Q", "13": "K", "14": "A"}


def card_number(card: str | int) -> int:
    """Return the 17-bit number of a card.

    Args:
        card: a label of *DeadHorseEval*, such as ``"14s"`` or ``"8c"``; other text that
            `holdem.Card` accepts, such as ``"As"``; or an id of the engine, 0..51,
            ``4 * rank + suit``.

    Raises:
        CardError: the card does not exist.
        HoldemTypeError: `card` is neither text nor an integer.
    """
    known = card
    if isinstance(card, str) and card[:2] in HIGH_RANKS:
        known = HIGH_RANKS[card[:2]] + card[2:]
    try:
        rank, suit = divmod(holdem.Card(known), 4)
    except holdem.CardError:
        raise holdem.CardError(
            f"{card!r} is not a card: write a rank, 2 to 14, and a suit (s, h, c, d), as in 14s"
        ) from None
    return SUIT_BITS[suit] | 1 << rank


def card_label(number: int) -> str:
    """Return the label of a card in *DeadHorseEval*: ``"14s"`` for 69632.

    Args:
        number: a number as `card_number` returns it.

    Raises:
        CardError: `number` is not the number of a card.
    """
    label = _labels().get(number)
    if label is None:
        raise holdem.CardError(
            f"{number!r} is not the 17-bit number of a card: card_number makes one from text,"
            f" such as {card_number('14s')} from '14s'"
        )
    return label


@cache
def _labels() -> dict[int, str]:
    """Return a mapping from the 17-bit number of each card to its label."""
    deck = [holdem.Card(card) for card in range(52)]
    return {card_number(card): f"{card.rank + 2}{str(card)[1]}" for card in deck}

"""The check of hands that come from outside: ids of the deck, and no card twice."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.cards import Card, CardArray, card_set, card_sets, cards_text
from holdem.errors import CardError, HoldemTypeError, one_line
from holdem.values import RuleSet

# From here on a compiled check, 2 ns a hand, is worth loading: with numpy it takes 20.
_MANY = 1 << 12


def checked_hands(cards: ArrayLike, rules: RuleSet) -> CardArray:
    """Return hands as an evaluator takes them, once they are known to be hands.

    Args:
        cards: integers ``(hand, card)``, 5 to 7 cards a hand.
        rules: whose deck they are of.

    Returns:
        The same, C-contiguous ``uint8``; the array itself where it is of that kind already.

    Raises:
        CardError: an id outside the deck, or a card twice in a hand; says which row.
        HoldemTypeError: not an array of integers of that shape.
    """
    try:
        given = np.asarray(cards)
    except (ValueError, TypeError, OverflowError) as error:  # rows of different lengths
        raise HoldemTypeError(f"expected an array of hands: {one_line(str(error))}") from None
    if given.ndim != 2 or given.shape[1] not in (5, 6, 7):
        raise HoldemTypeError(f"expected hands of 5 to 7 cards, shape (n, 5..7), not {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        raise HoldemTypeError(f"expected card ids (uint8), not {given.dtype}")
    deck = np.uint64(card_set(rules.deck))
    if given.dtype != np.uint8:
        wild = ((given < 0) | (given > 255)).any(axis=1)  # these would become other ids
        if wild.any():
            raise CardError(_fault(given, int(np.argmax(wild)), rules))
    hands = np.ascontiguousarray(given, dtype=np.uint8)
    row = _first_invalid(hands, deck)
    if row >= 0:
        raise CardError(_fault(hands, row, rules))
    return hands


def _first_invalid(hands: CardArray, deck: np.uint64) -> int:
    if len(hands) >= _MANY:
        from holdem.evaluation.validation_kernels import first_invalid

        return first_invalid(hands, deck)
    sets = card_sets(hands)
    wrong = (np.bitwise_count(sets) != hands.shape[1]) | (sets & ~deck != 0)
    return int(np.argmax(wrong)) if wrong.any() else -1


def _fault(hands: NDArray[np.integer], row: int, rules: RuleSet) -> str:
    """Say what is wrong with a row."""
    ids = hands[row].tolist()
    lowest, highest = int(rules.deck[0]), int(rules.deck[-1])
    for card in ids:
        if not lowest <= card <= highest:
            return f"hand {row}: {ids} has the id {card}, outside {lowest}..{highest}"
    twice = next(Card(card) for card in ids if ids.count(card) > 1)
    return f"hand {row}: {cards_text(ids, ' ')} has {twice} twice"

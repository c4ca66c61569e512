"""The functions of Schaefer's article in the language Factor: bit fields, values, categories.

The article is *Porting a Poker Hand Evaluator from C to Factor*. Factor calls a function a *word*;
a docstring has the name of the word in parentheses. A *bit field* is a card as 32 bits, which
`holdem_cactus_kev.cards` describes. A *value* is a class, 1 for the strongest hand to 7462 for the
weakest.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import and_, or_
from typing import Any

import numpy as np

import holdem
from holdem_cactus_kev.cards import (
    PRIME_MASK,
    PRIMES,
    RANK_BIT_SHIFT,
    SUIT_BITS,
    SUIT_MASK,
    card_bitfield,
)
from holdem_cactus_kev.classes import Category, number_classes
from holdem_cactus_kev.spec import SPEC

_RANKS, _SUITS = "23456789TJQKA", "CDHS"


def card_rank(rank: str) -> int:
    """Return the number of a rank, 0..12 for ``"2"`` to ``"A"`` (``card-rank``).

    Raises:
        CardError: there is no such rank.
    """
    return _find(rank, _RANKS, "rank")


def card_rank_prime(rank: str) -> int:
    """Return the prime of a rank, 2 for ``"2"`` to 41 for ``"A"`` (``card-rank-prime``).

    Raises:
        CardError: there is no such rank.
    """
    return PRIMES[card_rank(rank)]


def card_rank_bit(rank: str) -> int:
    """Return the bit of a rank, 1 for ``"2"`` to 4096 for ``"A"`` (``card-rank-bit``).

    Raises:
        CardError: there is no such rank.
    """
    return 1 << card_rank(rank)


def card_suit(suit: str) -> int:
    """Return the bit of a suit: ``"C"`` 8, ``"D"`` 4, ``"H"`` 2, ``"S"`` 1 (``card-suit``).

    Raises:
        CardError: there is no such suit.
    """
    return SUIT_BITS[_find(suit, _SUITS, "suit")]


def card_text(bitfield: int) -> str:
    """Return the text of a card as Schaefer's article prints it: ``"KD"`` (``card>string``).

    Args:
        bitfield: a bit field as `card_bitfield` returns it.

    Raises:
        CardError: `bitfield` is not the bit field of a card.
    """
    return str(_card(bitfield)).upper()


def hand_bitfields(hand: str | Iterable[Any]) -> tuple[int, ...]:
    """Return the bit fields of cards, in order (``parse-cards``).

    Args:
        hand: any number of cards, such as ``"7C 5D 4H 3S 2C"``, in any form that
            `holdem.parse_cards` accepts, or bit fields.

    Raises:
        CardError: a card does not exist or appears twice.
        HoldemTypeError: `hand` has another type.
    """
    return tuple(map(card_bitfield, holdem.parse_cards(_to_engine(hand), what="hand")))


def hand_text(bitfields: Iterable[int]) -> str:
    """Return the text of cards, separated by blanks: ``"7C 5D 4H 3S 2C"`` (``print-hand``).

    Args:
        bitfields: bit fields as `hand_bitfields` returns them.

    Raises:
        CardError: an item is not the bit field of a card.
    """
    return " ".join(map(card_text, bitfields))


def deck_bitfields() -> tuple[int, ...]:
    """Return the 52 bit fields, suit by suit from clubs to spades, deuces first (``<deck>``)."""
    return tuple(card_bitfield(4 * rank + suit) for suit in range(4) for rank in range(13))


def is_flush(hand: Iterable[int]) -> bool:
    """Return whether all cards of a hand, given as bit fields, are of one suit (``flush?``)."""
    return reduce(and_, hand, SUIT_MASK) != 0


def rank_bits(hand: Iterable[int]) -> int:
    """Return the rank bits of a hand, given as bit fields, from bit 0 for the 2 (``rank-bits``)."""
    return reduce(or_, hand, 0) >> RANK_BIT_SHIFT


def lookup(hand: Iterable[int], table: Sequence[int]) -> int:
    """Return ``table[rank_bits(hand)]``, for a hand given as bit fields (``lookup``)."""
    return table[rank_bits(hand)]


def prime_bits(hand: Iterable[int]) -> int:
    """Return the product of the primes of a hand, given as bit fields (``prime-bits``)."""
    return math.prod(bitfield & PRIME_MASK for bitfield in hand)


def hand_value(hand: str | Iterable[Any]) -> int:
    """Return the value of the best five of five to seven cards (``string>value``, ``hand-value``).

    The first call loads the evaluator.

    Args:
        hand: text such as ``"7H 7S 7D AS AC"``, cards or ids in any form that `holdem.evaluate`
            accepts, or bit fields.

    Returns:
        1 for a royal flush to 7462 for 7-5-4-3-2: the lower value wins.

    Raises:
        CardError: not five to seven different cards.
        HoldemTypeError: `hand` has another type.
    """
    return holdem.evaluate(_to_engine(hand), evaluator=SPEC).rank_class


def value_category(value: int) -> Category:
    """Return the category of a value (``value>rank``).

    Raises:
        EvaluatorError: there is no such value.
    """
    last = number_classes().last
    if not 1 <= value <= last[-1]:
        raise holdem.EvaluatorError(f"no value {value}: values are 1..{last[-1]}")
    return Category(bisect_left(last, value))


def hand_category(hand: str | Iterable[Any]) -> Category:
    """Return the category of the best five of five to seven cards.

    The arguments and errors are those of `hand_value`.
    """
    return value_category(hand_value(hand))


def hand_name(hand: str | Iterable[Any]) -> str:
    """Return the name of the category of the best five cards, ``"Full House"`` (``hand-rank``).

    The arguments and errors are those of `hand_value`.
    """
    return hand_category(hand).label


def _find(text: str, known: str, what: str) -> int:
    place = known.find(text.upper()) if len(text) == 1 else -1
    if place < 0:
        raise holdem.CardError(f"{text!r} is not a {what}; there are: {' '.join(known)}")
    return place


def _to_engine(hand: Any) -> Any:
    """Convert the bit fields of a hand to cards; all else is left to the engine."""
    if isinstance(hand, str) or not isinstance(hand, Iterable):
        return hand
    known = _cards()
    return [
        known.get(int(item), item) if isinstance(item, int | np.integer) else item for item in hand
    ]


def _card(bitfield: int) -> holdem.Card:
    card = _cards().get(bitfield)
    if card is None:
        raise holdem.CardError(
            f"{bitfield!r} is not the bit field of a card: card_bitfield makes one from text,"
            f" such as {card_bitfield('KD')} from 'KD'"
        )
    return card


@cache
def _cards() -> dict[int, holdem.Card]:
    """Return a mapping from the bit field of each card to the card."""
    return {card_bitfield(card): holdem.Card(card) for card in range(52)}

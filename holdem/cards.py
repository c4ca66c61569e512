"""Cards as ids and as text, and card sets as bit masks.

A card is an id 0..51, ``4 * rank + suit``, with ranks 0..12 = 2..A and suits
0..3 = clubs, diamonds, hearts, spades. Arrays of cards are ``uint8``. A *card set* is an
integer in which bit ``id`` is one for each card of the set.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.errors import CardError, HoldemError, HoldemTypeError, quoted

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"
DECK_SIZE = 52

CardArray: TypeAlias = NDArray[np.uint8]
CardsLike: TypeAlias = "str | Iterable[Card | int | str]"

# Tables, because `str.lower` would accept other characters: it maps the Kelvin sign to "k".
_RANK_OF = {text: rank for rank, text in enumerate(RANKS)}
_RANK_OF |= {text.lower(): rank for text, rank in _RANK_OF.items() if text.isalpha()}
_SUIT_OF = {text: suit for suit, text in enumerate(SUITS)}
_SUIT_OF |= {text.upper(): suit for text, suit in _SUIT_OF.items()}
_SUIT_OF |= {text: suit for suit, text in enumerate(SYMBOLS)}
_SUIT_OF |= {text: suit for suit, text in enumerate("♧♢♡♤")}
_VARIATION_SELECTORS = "\ufe0e\ufe0f"  # phones add one to a suit sign
_SEPARATORS = " \t\r\n,;"
_NO_SUIT = {*_SEPARATORS, *_RANK_OF, "1"}  # what follows a rank without its suit


class Card(int):
    """A playing card: an ``int`` (its id, from 0 to 51) that prints as text, e.g. ``As``.

    Cards compare, hash and index as their ids do, so that a sequence of cards is accepted
    wherever ids are. The format ``"symbol"`` shows the suit as a symbol: ``f"{card:symbol}"``
    is ``A♠``.
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Card:
        """Make a card from its id or its text (``As``, ``10s``, ``A♠``, any case).

        Raises:
            CardError: the card does not exist.
            HoldemTypeError: `card` is neither text nor an integer.
        """
        if isinstance(card, str):
            found, end = _scan(card, 0)
            if end != len(card):
                raise CardError(
                    f"{quoted(card)} is not one card: {quoted(card[end:])} is left over"
                )
            return found
        try:
            number = None if isinstance(card, bool | np.bool_) else operator.index(card)
        except TypeError:
            number = None
        if number is None:
            raise HoldemTypeError(f"a card must be text or an id 0..51, not {quoted(card)}")
        if not 0 <= number < DECK_SIZE:
            raise CardError(f"no card has the id {quoted(number)}: ids are 0..51 (4 * rank + suit)")
        return int.__new__(cls, number)

    @property
    def rank(self) -> int:
        """Rank of the card, from 0 for a deuce to 12 for an ace."""
        return int(self) >> 2

    @property
    def suit(self) -> int:
        """Suit of the card: 0 for clubs, 1 for diamonds, 2 for hearts, 3 for spades."""
        return int(self) & 3

    def __str__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    def __format__(self, spec: str) -> str:
        if spec == "symbol":
            return RANKS[self >> 2] + SYMBOLS[self & 3]
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


#: All cards, each at its id.
DECK: tuple[Card, ...] = tuple(int.__new__(Card, card) for card in range(DECK_SIZE))


def _scan(text: str, start: int) -> tuple[Card, int]:
    """Parse the card at position `start`; return it and the position after it."""
    end = start
    rank = _RANK_OF.get(text[start : start + 1])
    if text[start : start + 2] == "10":
        rank, end = 8, start + 1
    suit = _SUIT_OF.get(text[end + 1 : end + 2])
    if rank is None or suit is None:
        stop = start + 1
        while stop < len(text) and stop < start + 3 and text[stop] not in _SEPARATORS:
            stop += 1
        if rank is not None and (text[end + 1 : end + 2] or " ") in _NO_SUIT:
            rank_text = text[start : end + 1]
            where = _where(text, start, end + 1)
            raise CardError(
                f"{quoted(rank_text)}{where} has no suit: write c, d, h or s after it, as in"
                f" {rank_text}s"
            )
        where = _where(text, start, stop)
        raise CardError(
            f"{quoted(text[start:stop])}{where} is not a card: write a rank (2-9, T or 10,"
            " J, Q, K, A) and a suit (c, d, h, s), as in As"
        )
    end += 2
    if text[end : end + 1] and text[end] in _VARIATION_SELECTORS:
        end += 1
    return DECK[4 * rank + suit], end


def _where(text: str, start: int, end: int) -> str:
    """Describe the position of ``text[start:end]``, unless it is all of `text`."""
    return f" at position {start + 1} of {quoted(text)}" if start or end < len(text) else ""


def parse_cards(cards: CardsLike, *, what: str = "cards") -> tuple[Card, ...]:
    """Parse cards from text or from a sequence of cards, ids and strings.

    Args:
        cards: ``"As Kd"``, ``"AsKd"``, ``"A♠,10♦"`` or a sequence such as ``["As", 47]``.
            Blanks, commas and semicolons are optional separators.
        what: the name of the cards for messages, e.g. ``"board"``.

    Returns:
        The cards in the order given.

    Raises:
        CardError: a card does not exist or appears twice.
        HoldemTypeError: `cards` is neither text nor a sequence of cards.
    """
    if isinstance(cards, str):
        return _parse_text(cards, what)
    try:
        given = list(cards)
    except TypeError:
        raise HoldemTypeError(
            f"{what}: expected text or a sequence of cards, not {quoted(cards)}"
        ) from None
    items: list[Card] = []
    for number, item in enumerate(given, 1):
        try:
            items.append(Card(item))
        except HoldemError as error:
            raise type(error)(f"{what}: item {number}: {error}") from None
    for number, card in enumerate(items, 1):
        first = items.index(card) + 1
        if first != number:
            raise CardError(f"{what}: {card} appears twice, as item {first} and item {number}")
    return tuple(items)


def _parse_text(text: str, what: str) -> tuple[Card, ...]:
    seen: dict[Card, int] = {}
    try:
        found = list(_scan_all(text))
    except CardError as error:
        raise CardError(f"{what}: {error}") from None
    for card, start in found:
        if card in seen:
            raise CardError(
                f"{what}: {card} appears twice in {quoted(text)},"
                f" at positions {seen[card] + 1} and {start + 1}"
            )
        seen[card] = start
    return tuple(seen)


def scan_cards(text: str) -> tuple[Card, ...]:
    """Parse cards from text, allowing duplicates.

    The cards are in the order of the text. `parse_cards` rejects a card that appears twice.

    Raises:
        CardError: part of the text is not a card.
    """
    return tuple(card for card, _ in _scan_all(text))


def _scan_all(text: str) -> Iterator[tuple[Card, int]]:
    """Yield each card in `text` and the position at which it begins."""
    start = 0
    while start < len(text):
        if text[start] in _SEPARATORS:
            start += 1
            continue
        card, end = _scan(text, start)
        yield card, start
        start = end


def cards_text(cards: Iterable[int], separator: str = "") -> str:
    """Format cards as text: ``cards_text([51, 46])`` is ``"AsKh"``."""
    return separator.join(str(Card(card)) for card in cards)


# --- sets of cards ---------------------------------------------------------------------


def card_set(cards: Iterable[int]) -> int:
    """Return the given cards as a card set, an integer with one bit per card."""
    bits = 0
    for card in cards:
        bits |= 1 << int(card)
    return bits


def card_sets(cards: CardArray) -> NDArray[np.uint64]:
    """Convert hands, ``uint8 (hand, card)``, to card sets, ``uint64 (hand,)``.

    Ids are assumed to be 0..51. A card that appears twice in a row counts once.
    """
    sets: NDArray[np.uint64] = np.bitwise_or.reduce(
        np.left_shift(np.uint64(1), cards.astype(np.uint64)), axis=1
    )
    return sets


def cards_in_sets(sets: NDArray[np.uint64], size: int) -> CardArray:
    """Return the cards in each card set, ``uint64 (n,)``, as ``uint8 (n, size)``, lowest first.

    Each set is assumed to have exactly `size` cards.
    """
    present = (sets[:, None] >> np.arange(DECK_SIZE, dtype=np.uint64)) & np.uint64(1)
    return np.nonzero(present)[1].astype(np.uint8).reshape(len(sets), size)


def require_distinct(groups: Sequence[tuple[str, Sequence[Card]]]) -> None:
    """Raise a `CardError` if two groups, such as the board and the dead cards, share a card.

    Args:
        groups: the name of each group for messages, and its cards.

    Raises:
        CardError: a card is in two groups.
    """
    owner: dict[Card, str] = {}
    for name, cards in groups:
        for card in cards:
            if card in owner:
                raise CardError(f"{card} appears twice: in the {owner[card]} and in the {name}")
            owner[card] = name

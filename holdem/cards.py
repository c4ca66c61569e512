"""Cards as ids and strings, and card sets as bit masks.

A card is an id 0..51, ``4 * rank + suit``, with ranks 0..12 = 2..A and suits
0..3 = clubs, diamonds, hearts, spades. Arrays of cards are ``uint8``. A *card set* is an
integer whose bit number ``id`` is 1 if the card with this id is in the set.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from holdem.advice import advise_card
from holdem.errors import CardError, HoldemError, HoldemTypeError, quoted

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SYMBOLS = "♣♦♥♠"
DECK_SIZE = 52

CardArray: TypeAlias = NDArray[np.uint8]

#: Cards as an argument: text, a `Card`, or a sequence of text, ids, cards and combos.
CardsLike: TypeAlias = "str | Card | Iterable[Card | int | str | Iterable[Card | int | str]]"

# Tables, because `str.lower` would accept other characters: it maps the Kelvin sign to "k".
_RANK_OF = {text: rank for rank, text in enumerate(RANKS)}
_RANK_OF |= {text.lower(): rank for text, rank in _RANK_OF.items() if text.isalpha()}
_SUIT_OF = {text: suit for suit, text in enumerate(SUITS)}
_SUIT_OF |= {text.upper(): suit for text, suit in _SUIT_OF.items()}
_SUIT_OF |= {text: suit for suit, text in enumerate(SYMBOLS)}
_SUIT_OF |= {text: suit for suit, text in enumerate("♧♢♡♤")}
_VARIATION_SELECTORS = "\ufe0e\ufe0f"  # phones add one to a suit sign
_SEPARATORS = frozenset(" \t\r\n,;[]")  # brackets as in hand histories: [Td 9d 2c] [5h]
_NO_SUIT = {*_SEPARATORS, *_RANK_OF, "1"}  # what follows a rank without its suit


class Card(int):
    """A playing card: an ``int`` (its id, from 0 to 51) that prints as text, e.g. ``As``.

    Cards compare, hash and index as their ids do, so that a sequence of cards is accepted
    wherever ids are. The format ``"symbol"`` shows the suit as a symbol: ``f"{card:symbol}"``
    is ``A♠``.
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Card:
        """Create a card from its id or its text (``As``, ``10s``, ``A♠``, any case).

        A card of another library is read if it prints as text, as those of eval7, phevaluator and
        PokerKit do.
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
            if (known := _find_printed(card)) is not None:
                return known
            raise HoldemTypeError(f"a card must be text or an id 0..51, not {quoted(card)}")
        if not 0 <= number < DECK_SIZE:
            raise CardError(
                f"no card has the id {quoted(number)}: ids are 0..51 (4 * rank + suit)"
                + _treys_hint(number)
            )
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

_IDS = range(DECK_SIZE)
_CARD_OF = {
    rank_text + suit_text: DECK[4 * rank + suit]
    for rank_text, rank in (*_RANK_OF.items(), ("10", 8))
    for suit_text, suit in _SUIT_OF.items()
}


def _find_printed(card: object) -> Card | None:
    """Find the card that another library's object prints as: PokerKit's by ``repr`` only."""
    if not hasattr(card, "__iter__"):
        for shown in (str, repr):
            with suppress(Exception):  # of another package's object
                return _CARD_OF[shown(card)]
    return None


def _treys_hint(number: int) -> str:
    """Say which card of treys, which has a bit for rank and suit each, an integer is; or ""."""
    for card in DECK:
        rank, suit = 1 << 16 + card.rank, 1 << 15 - card.suit
        if number & ~0xFF == rank | suit | card.rank << 8:
            return f"; if it is of treys, treys.Card.int_to_str makes it text, {str(card)!r}"
    return ""


def _scan(text: str, start: int) -> tuple[Card, int]:
    """Parse the card at index `start` of `text`; return the card and the index after its text."""
    end = start + 2
    card = _CARD_OF.get(text[start:end])
    if card is None:
        end += 1
        card = _CARD_OF.get(text[start:end])  # 10s
        if card is None:
            raise _no_card(text, start)
    if end < len(text) and text[end] in _VARIATION_SELECTORS:
        end += 1
    return card, end


def _no_card(text: str, start: int) -> CardError:
    """Create the error for text that is not a card at index `start`, where a card should begin."""
    end = start + (2 if text.startswith("10", start) else 1)
    rank = text[start:end]
    if (rank in _RANK_OF or rank == "10") and (text[end : end + 1] or " ") in _NO_SUIT:
        where = _where(text, start, end)
        return CardError(
            f"{quoted(rank)}{where} has no suit: write c, d, h or s after it, as in {rank}s"
        )
    for stop in (start + 3, start + 2, start + 1):
        if stop <= len(text) and (advice := advise_card(text[start:stop])):
            where = _where(text, start, stop)
            return CardError(f"{quoted(text[start:stop])}{where} is not a card: {advice}")
    stop = start + 1
    while stop < len(text) and stop < start + 3 and text[stop] not in _SEPARATORS:
        stop += 1
    return CardError(
        f"{quoted(text[start:stop])}{_where(text, start, stop)} is not a card: write a rank (2-9,"
        " T or 10, J, Q, K, A) and a suit (c, d, h, s), as in As"
    )


def _where(text: str, start: int, end: int) -> str:
    """Describe the position of ``text[start:end]`` for a message, e.g. " at position 3 of 'AsX'".

    If this part is all of `text`, nothing needs to be said: return "".
    """
    return f" at position {start + 1} of {quoted(text)}" if start or end < len(text) else ""


def parse_cards(cards: CardsLike, *, what: str = "cards") -> tuple[Card, ...]:
    """Parse cards from text, or from a sequence of text, ids, cards and combos.

    Args:
        cards: ``"As Kd"``, ``"AsKd"``, ``"A♠,10♦"``, ``"[Td 9d 2c] [5h]"``, a `Card`, or a sequence
            such as ``["As", 47]`` or ``["Td9d2c", "5h"]``. Blanks, commas, semicolons and the
            brackets of hand histories are optional separators.
        what: the name of the cards for messages, e.g. ``"board"``.

    Returns:
        The cards in the order given.

    Raises:
        CardError: a card does not exist or appears twice.
        HoldemTypeError: `cards` is neither text nor a sequence of cards.

    Example:
        >>> import holdem
        >>> holdem.parse_cards("As, Kd 10h")
        (Card('As'), Card('Kd'), Card('Th'))
    """
    if isinstance(cards, str):
        return _parse_text(cards, what)
    try:
        if isinstance(cards, np.ndarray):
            if cards.ndim != 1:
                raise TypeError
            cards = cards.tolist()
        given: list[Any] = list(cards)  # type: ignore[arg-type] # of a `Card`, a TypeError
    except TypeError:
        if isinstance(cards, Card):
            return (cards,)
        if (card := _find_printed(cards)) is not None:
            return (card,)
        many = "; many hands are ranked by holdem.get_evaluator().strengths(cards)"
        raise HoldemTypeError(
            f"{what}: expected text or a sequence of cards, not {quoted(cards)}"
            + many * (isinstance(cards, np.ndarray) and cards.ndim == 2)
        ) from None
    found: list[Card] = []
    for item in given:
        if type(item) is int and item in _IDS:
            found.append(DECK[item])
        elif type(item) is str and item in _CARD_OF:
            found.append(_CARD_OF[item])
        else:
            try:
                found += _read_item(item)
            except HoldemError as error:
                number = next(n for n, other in enumerate(given, 1) if other is item)
                raise type(error)(f"{what}: item {number}: {error}") from None
    if again := _find_repeated(found):
        owners = [number for number, item in enumerate(given, 1) for _ in _read_item(item)]
        first, second = (owners[index] for index in again)
        where = f"as item {first} and item {second}" if first != second else f"in item {first}"
        raise CardError(f"{what}: {found[again[0]]} appears twice, {where}")
    return tuple(found)


def _read_item(item: Any, *, is_nested: bool = False) -> list[Card]:
    """Read the cards in one item of a sequence: text, an id, a card or a sequence of these.

    `is_nested` says that the item is in a sequence within the sequence: it cannot be a third one.
    """
    if isinstance(item, str):
        return _scan_all(item)[0]
    if isinstance(item, Card):
        return [item]
    if isinstance(item, np.ndarray):
        item = item.tolist()
    if isinstance(item, list | tuple) and not is_nested:
        return [card for each in item for card in _read_item(each, is_nested=True)]
    return [Card(item)]


def _parse_text(text: str, what: str) -> tuple[Card, ...]:
    try:
        cards, starts = _scan_all(text)
    except CardError as error:
        raise CardError(f"{what}: {error}") from None
    if again := _find_repeated(cards):
        first, second = again
        raise CardError(
            f"{what}: {cards[first]} appears twice in {quoted(text)},"
            f" at positions {starts[first] + 1} and {starts[second] + 1}"
        )
    return tuple(cards)


def _find_repeated(cards: list[Card]) -> tuple[int, int] | None:
    """Find the first card that appears twice; return its first two indices, or None."""
    if len(set(cards)) == len(cards):
        return None
    return next(
        (cards.index(card), index) for index, card in enumerate(cards) if cards.index(card) < index
    )


def scan_cards(text: str) -> tuple[Card, ...]:
    """Parse cards from text, in the order given; unlike `parse_cards`, allow duplicates."""
    return tuple(_scan_all(text)[0])


def _scan_all(text: str) -> tuple[list[Card], list[int]]:
    """Parse all cards in `text`; return the cards and, for each, the index where it begins."""
    cards, starts = [], []
    start = 0
    while start < len(text):
        if text[start] in _SEPARATORS:
            start += 1
            continue
        starts.append(start)
        card, start = _scan(text, start)
        cards.append(card)
    return cards, starts


def cards_text(cards: Iterable[int], separator: str = "") -> str:
    """Format cards as a string: ``cards_text([51, 46])`` is ``"AsKh"``."""
    return separator.join(str(Card(card)) for card in cards)


# --- arrays ---------------------------------------------------------------------------

_Array = TypeVar("_Array", bound=NDArray[Any])


def read_only(array: _Array) -> _Array:
    """Create a read-only view of an array.

    To numba, read-only arrays are a type of their own: a kernel that is called with both kinds is
    compiled twice.
    """
    view = array.view()
    view.setflags(write=False)
    return view


# --- sets of cards ---------------------------------------------------------------------


def card_set(cards: Iterable[int]) -> int:
    """Convert cards to a card set, an integer with one bit per card."""
    bits = 0
    for card in cards:
        bits |= 1 << int(card)
    return bits


def card_sets(cards: CardArray) -> NDArray[np.uint64]:
    """Convert hands, ``uint8 (hand, card)``, to card sets, ``uint64 (hand,)``.

    Ids are assumed to be 0..51. A card that a hand has twice counts once.
    """
    sets: NDArray[np.uint64] = np.bitwise_or.reduce(
        np.left_shift(np.uint64(1), cards.astype(np.uint64)), axis=1
    )
    return sets


def cards_in_sets(sets: NDArray[np.uint64], size: int) -> CardArray:
    """List the cards of sets ``uint64 (set,)``, all of `size`, in order: ``uint8 (set, size)``."""
    present = (sets[:, None] >> np.arange(DECK_SIZE, dtype=np.uint64)) & np.uint64(1)
    return np.nonzero(present)[1].astype(np.uint8).reshape(len(sets), size)


def require_distinct(groups: Sequence[tuple[str, Sequence[Card]]]) -> None:
    """Raise an error if groups of cards, each after its name such as ``"board"``, share a card."""
    owner: dict[Card, str] = {}
    for name, cards in groups:
        for card in cards:
            if card in owner:
                raise CardError(f"{card} appears twice: in the {owner[card]} and in the {name}")
            owner[card] = name

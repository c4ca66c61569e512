"""Cards: ids and text, decks, sets of cards as bits, and the way between them.

A card is an id 0..51, ``4 * rank + suit``, with ranks 0..12 = 2..A and suits
0..3 = clubs, diamonds, hearts, spades. Arrays of cards are ``uint8``.

Two ways to write a *set* of cards as one integer are used:

* the **index set**: bit ``id`` of 52 stands for the card with that id;
* the **suit mask**: four fields of 16 bits, one a suit (clubs lowest), bit ``rank`` of a
  field for the card of that rank; the three top bits of each field are zero.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from holdem.errors import CardError, HoldemError, HoldemTypeError, one_line, shown_number, visible

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK_SIZE = 52

CardArray: TypeAlias = NDArray[np.uint8]
CardsLike: TypeAlias = "str | Iterable[Card | int | str]"
Bits = TypeVar("Bits", int, NDArray[np.uint64])

# Written out, not folded: `str.lower` would let look-alikes in (the Kelvin sign is a "k").
_RANK_OF = {text: rank for rank, text in enumerate(RANKS)}
_RANK_OF |= {text.lower(): rank for text, rank in _RANK_OF.items() if text.isalpha()}
_SUIT_OF = {text: suit for suit, text in enumerate(SUITS)}
_SUIT_OF |= {text.upper(): suit for text, suit in _SUIT_OF.items()}
_SUIT_OF |= {text: suit for suit, text in enumerate("♣♦♥♠")}
_SUIT_OF |= {text: suit for suit, text in enumerate("♧♢♡♤")}
_VARIATION_SELECTORS = "\ufe0e\ufe0f"  # what phones put behind a suit sign
_SEPARATORS = " \t\r\n,;"


class Card(int):
    """One card: an ``int`` (its id, 0..51) that prints as text.

    Cards compare, hash and index as their ids do, so any sequence of them can go where
    ids are wanted.
    """

    __slots__ = ()

    def __new__(cls, card: int | str) -> Card:
        """Make a card from its id or its text (``As``, ``10s``, ``A♠``, any case).

        Raises:
            CardError: no such card.
            HoldemTypeError: neither text nor an integer.
        """
        if isinstance(card, str):
            found, end = _scan(card, 0)
            if end != len(card):
                raise CardError(
                    f"{visible(card)} is not one card: {visible(card[end:])} is left over"
                )
            return found
        try:
            number = None if isinstance(card, bool | np.bool_) else operator.index(card)
        except TypeError:
            number = None
        if number is None:
            raise HoldemTypeError(f"a card is text or an id 0..51, not {one_line(repr(card))}")
        if not 0 <= number < DECK_SIZE:
            raise CardError(
                f"no card has the id {shown_number(number)}: ids are 0..51 (4 * rank + suit)"
            )
        return int.__new__(cls, number)

    @property
    def rank(self) -> int:
        """0..12 for 2..A."""
        return int(self) >> 2

    @property
    def suit(self) -> int:
        """0..3 for clubs, diamonds, hearts, spades."""
        return int(self) & 3

    def __str__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"


#: All cards, each at its id.
DECK: tuple[Card, ...] = tuple(int.__new__(Card, card) for card in range(DECK_SIZE))


def _scan(text: str, start: int) -> tuple[Card, int]:
    """Read one card of `text` at `start`; return it and the place behind it."""
    end = start
    rank = _RANK_OF.get(text[start : start + 1])
    if text[start : start + 2] == "10":
        rank, end = 8, start + 1
    suit = _SUIT_OF.get(text[end + 1 : end + 2])
    if rank is None or suit is None:
        stop = start + 1
        while stop < len(text) and stop < start + 3 and text[stop] not in _SEPARATORS:
            stop += 1
        where = f" at position {start + 1} of {visible(text)}" if start or stop < len(text) else ""
        raise CardError(
            f"{visible(text[start:stop])}{where} is not a card: write a rank (2-9, T or 10,"
            " J, Q, K, A) and a suit (c, d, h, s), as in As"
        )
    end += 2
    if text[end : end + 1] and text[end] in _VARIATION_SELECTORS:
        end += 1
    return DECK[4 * rank + suit], end


def parse_cards(cards: CardsLike, *, what: str = "cards") -> tuple[Card, ...]:
    """Read cards from text or from a sequence of cards, ids and texts.

    Args:
        cards: ``"As Kd"``, ``"AsKd"``, ``"A♠,10♦"`` or a sequence such as ``["As", 47]``.
            Blanks, commas and semicolons separate; they may be left out.
        what: what to call them in a message, e.g. ``"board"``.

    Returns:
        The cards in the order given.

    Raises:
        CardError: a text that is no card, or a card that stands twice (both places named).
        HoldemTypeError: not text, nor a sequence of cards.
    """
    if isinstance(cards, str):
        return _parse_text(cards, what)
    try:
        given = list(cards)
    except TypeError:
        raise HoldemTypeError(
            f"{what}: expected text or a sequence of cards, not {one_line(repr(cards))}"
        ) from None
    items: list[Card] = []
    for place, item in enumerate(given):
        try:
            items.append(Card(item))
        except HoldemError as error:
            raise type(error)(f"{what}: item {place + 1}: {error}") from None
    for place, card in enumerate(items):
        first = items.index(card)
        if first != place:
            raise CardError(
                f"{what}: {card} stands twice, as item {first + 1} and item {place + 1}"
            )
    return tuple(items)


def _parse_text(text: str, what: str) -> tuple[Card, ...]:
    seen: dict[Card, int] = {}
    try:
        found = list(_scan_all(text))
    except CardError as error:
        raise CardError(f"{what}: {error}") from None
    for card, place in found:
        if card in seen:
            raise CardError(
                f"{what}: {card} stands twice in {visible(text)},"
                f" at positions {seen[card] + 1} and {place + 1}"
            )
        seen[card] = place
    return tuple(seen)


def scan_cards(text: str) -> tuple[Card, ...]:
    """Read the cards of a text in order; unlike `parse_cards`, a card may stand twice.

    Raises:
        CardError: a text that is no card, and where it stands.
    """
    return tuple(card for card, _ in _scan_all(text))


def _scan_all(text: str) -> Iterator[tuple[Card, int]]:
    """Yield each card of a text and the place where it begins."""
    place = 0
    while place < len(text):
        if text[place] in _SEPARATORS:
            place += 1
            continue
        card, end = _scan(text, place)
        yield card, place
        place = end


def cards_text(cards: Iterable[int], separator: str = "") -> str:
    """Return ids as text: ``cards_text([51, 46])`` is ``"AsKh"``."""
    return separator.join(str(Card(card)) for card in cards)


# --- sets of cards ---------------------------------------------------------------------


def index_set(cards: Iterable[int]) -> int:
    """Return the 52-bit set of `cards`: bit ``id`` is one for each card."""
    bits = 0
    for card in cards:
        bits |= 1 << int(card)
    return bits


def cards_in(bits: int) -> tuple[Card, ...]:
    """Return the cards of an index set, lowest id first."""
    bits = int(bits)  # numpy's integers do not shift by a card
    if bits < 0 or bits >> DECK_SIZE:
        raise CardError(f"{bits:#x} is not a set of 52 cards: bits 0..51 only")
    return tuple(card for card in DECK if bits >> card & 1)


def index_sets(cards: CardArray) -> NDArray[np.uint64]:
    """Return the index set of each row: ``uint8 (n, k)`` -> ``uint64 (n,)``.

    Ids are trusted to be 0..51. A card that stands twice in a row counts once.
    """
    sets: NDArray[np.uint64] = np.bitwise_or.reduce(
        np.left_shift(np.uint64(1), cards.astype(np.uint64)), axis=1
    )
    return sets


def cards_in_sets(sets: NDArray[np.uint64], size: int) -> CardArray:
    """Return the cards of each index set: ``uint64 (n,)`` -> ``uint8 (n, size)``, lowest first.

    Raises:
        CardError: a set that does not hold exactly `size` cards, or a bit that is no card.
    """
    if (sets >> np.uint64(DECK_SIZE)).any():
        row = int(np.argmax(sets >> np.uint64(DECK_SIZE) != 0))
        raise CardError(f"set {row} is not a set of 52 cards: bits 0..51 only")
    counts = np.bitwise_count(sets)
    if (counts != size).any():
        row = int(np.argmax(counts != size))
        raise CardError(f"set {row} holds {int(counts[row])} cards, not {size}")
    present = (sets[:, None] >> np.arange(DECK_SIZE, dtype=np.uint64)) & np.uint64(1)
    return np.nonzero(present)[1].astype(np.uint8).reshape(len(sets), size)


def to_suit_mask(bits: Bits) -> Bits:
    """Turn an index set (or ``uint64`` array of them) into the 4x16-bit suit mask.

    The ranks of one suit stand at every fourth bit of the index set; five folding steps
    bring those 13 bits together.
    """
    one = _kind(bits)
    mask = bits & one(0)
    for suit in range(4):
        field = (bits >> one(suit)) & one(0x1111111111111)
        field = (field | field >> one(3)) & one(0x0303030303030303)
        field = (field | field >> one(6)) & one(0x000F000F000F000F)
        field = (field | field >> one(12)) & one(0x000000FF000000FF)
        field = (field | field >> one(24)) & one(0x1FFF)
        mask = mask | field << one(16 * suit)
    return mask  # type: ignore[no-any-return]


def from_suit_mask(mask: Bits) -> Bits:
    """Turn a suit mask (or ``uint64`` array of them) back into the index set."""
    one = _kind(mask)
    bits = mask & one(0)
    for suit in range(4):
        field = (mask >> one(16 * suit)) & one(0x1FFF)
        field = (field | field << one(24)) & one(0x000000FF000000FF)
        field = (field | field << one(12)) & one(0x000F000F000F000F)
        field = (field | field << one(6)) & one(0x0303030303030303)
        field = (field | field << one(3)) & one(0x1111111111111)
        bits = bits | field << one(suit)
    return bits  # type: ignore[no-any-return]


def _kind(bits: int | NDArray[np.uint64]) -> Any:
    return int if isinstance(bits, int) else np.uint64


def require_distinct(groups: Sequence[tuple[str, Sequence[Card]]]) -> None:
    """Refuse a card that two groups share, e.g. the board and the dead cards.

    Raises:
        CardError: names the card and both groups.
    """
    owner: dict[Card, str] = {}
    for name, cards in groups:
        for card in cards:
            if card in owner:
                raise CardError(f"{card} stands twice: in the {owner[card]} and in the {name}")
            owner[card] = name

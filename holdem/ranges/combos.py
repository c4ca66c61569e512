"""Numbering of the 1,326 combos and the 169 classes of starting hands.

A combo of the cards ``a > b`` has the number ``a * (a - 1) // 2 + b``: from 0 for ``2d2c`` to
1325 for ``AsAh``. Classes are numbered along the usual 13x13 grid, row by row from the top
left: row and column 0 are the ace, pairs are on the diagonal, suited hands above it, offsuit
hands below it. An array ``(169,)`` by class becomes the grid with ``reshape(13, 13)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, DECK_SIZE, RANKS, Card, card_sets, parse_cards, read_only
from holdem.errors import CardError, HoldemTypeError, RangeError, quoted
from holdem.rules import RuleSet

COMBO_COUNT: Final = 1326
CLASS_COUNT: Final = 169


#: A set of combos: ``bool (combo,)``, read-only.
Mask: TypeAlias = NDArray[np.bool_]

Numbers = TypeVar("Numbers", int, NDArray[np.int64])


def combo_number(high: Numbers, low: Numbers) -> Numbers:
    """Compute the numbers of combos, 0..1325, from the ids of their higher and lower cards."""
    return high * (high - 1) // 2 + low


def combo_numbers(holes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Compute the combo numbers, ``int64 (...)``, of pairs of card ids, ``uint8 (..., 2)``.

    The two ids of a pair may be in either order.
    """
    first, second = holes[..., 0].astype(np.int64), holes[..., 1].astype(np.int64)
    return combo_number(np.maximum(first, second), np.minimum(first, second))


def checked_combo_numbers(holes: NDArray[Any]) -> NDArray[np.int16]:
    """Validate pairs of card ids ``(..., 2)`` and compute their combo numbers, ``int16 (...)``."""
    if holes.dtype.kind not in "iu" or holes.shape[-1] != 2:
        raise HoldemTypeError(
            f"hole cards in an array are card ids, integers (..., 2), not {holes.dtype}"
            f" {holes.shape}"
        )
    is_wrong = (holes < 0).any(axis=-1) | (holes >= DECK_SIZE).any(axis=-1)
    is_wrong |= holes[..., 0] == holes[..., 1]
    if is_wrong.any():
        place = np.argwhere(is_wrong)[0].tolist()
        ids = holes[tuple(place)].tolist()
        raise CardError(f"hole cards at {place}: {ids} are not two different ids of 0..51")
    # Numbers of combos fit in two bytes, and so do the products on the way.
    first, second = holes[..., 0].astype(np.int16), holes[..., 1].astype(np.int16)
    high, low = np.maximum(first, second), np.minimum(first, second)
    numbers: NDArray[np.int16] = high * (high - 1) // 2 + low
    return numbers


#: Cards of each combo, ``uint8 (combo, card)``, the higher id first.
COMBO_CARDS: NDArray[np.uint8] = read_only(
    np.stack(np.tril_indices(DECK_SIZE, -1), axis=1).astype(np.uint8)
)

#: Card set of each combo, ``uint64 (combo,)``.
COMBO_SETS: NDArray[np.uint64] = read_only(card_sets(COMBO_CARDS))

#: Text of each combo, the higher card first: ``COMBO_TEXT[1325]`` is ``"AsAh"``.
COMBO_TEXT: tuple[str, ...] = tuple(
    str(DECK[a]) + str(DECK[b]) for a in range(DECK_SIZE) for b in range(a)
)


def _class_name(row: int, column: int) -> str:
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


#: Names of the classes along the grid: ``AA``, ``AKs``, …, ``AKo``, ``KK``, … ``22``.
CLASS_NAMES: tuple[str, ...] = tuple(
    _class_name(row, column) for row in range(13) for column in range(13)
)

#: Number of each class by name.
CLASS_INDEX: dict[str, int] = {name: number for number, name in enumerate(CLASS_NAMES)}


def _classes_of_combos() -> NDArray[np.uint8]:
    high, low = 12 - (COMBO_CARDS[:, 0] >> 2), 12 - (COMBO_CARDS[:, 1] >> 2)  # high <= low
    suited = (COMBO_CARDS[:, 0] & 3) == (COMBO_CARDS[:, 1] & 3)
    return np.where(suited, 13 * high + low, 13 * low + high).astype(np.uint8)


#: Class of each combo, ``uint8 (combo,)``.
CLASS_OF_COMBO: NDArray[np.uint8] = read_only(_classes_of_combos())

#: Number of combos in each class, ``uint8 (class,)``: 6 for a pair, 4 suited, 12 offsuit.
CLASS_SIZES: NDArray[np.uint8] = read_only(
    np.bincount(CLASS_OF_COMBO, minlength=CLASS_COUNT).astype(np.uint8)
)


class Combo(tuple[Card, Card]):
    """A combo: a tuple of two different cards, the higher first, that prints as ``AsKd``.

    It unpacks, compares and hashes as the tuple of its cards. Combos sort by number.
    """

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[Card | int | str]) -> Self:
        """Create a combo from a string (``"AsKd"``, ``"A♠ K♦"``) or from two cards in either order.

        Raises:
            CardError: `cards` are not two different cards.
            HoldemTypeError: `cards` is neither text nor a sequence of cards.
        """
        found = parse_cards(cards, what="combo")
        if len(found) != 2:
            given = quoted(cards) if isinstance(cards, str) else f"a sequence of {len(found)} cards"
            raise CardError(f"{given} is not a combo: write two cards, as in AsKd")
        return super().__new__(cls, sorted(found, reverse=True))

    @property
    def number(self) -> int:
        """Number of the combo, from 0 to 1325."""
        return combo_number(int(self[0]), int(self[1]))

    @property
    def class_name(self) -> str:
        """Name of the combo's class, e.g. ``AKo``."""
        return CLASS_NAMES[int(CLASS_OF_COMBO[self.number])]

    def __str__(self) -> str:
        return f"{self[0]}{self[1]}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Combo({str(self)!r})"


def combo_at(number: int) -> Combo:
    """Create the combo with the given number, from 0 to 1325, without validation."""
    high, low = COMBO_CARDS[number].tolist()
    return tuple.__new__(Combo, (DECK[high], DECK[low]))


@cache
def combos_in_deck(rules: RuleSet) -> Mask:
    """Return a mask, ``bool (combo,)``, of the combos whose cards are in the deck of a rule set."""
    return read_only(COMBO_CARDS[:, 1] >= rules.deck[0])  # the lower card


#: A combo as an argument: ``"AsKd"``, a `Combo`, or two cards.
ComboLike: TypeAlias = "str | Combo | Iterable[Card | int | str]"


def number_of(combo: ComboLike) -> int:
    """Look up the number of a combo given as a string, as a `Combo` or as two cards."""
    name = combo[:2].upper() + combo[2:].lower() if isinstance(combo, str) else ""
    if name in CLASS_INDEX or f"{name}s" in CLASS_INDEX:
        names = [name] if name in CLASS_INDEX else [f"{name}s", f"{name}o"]
        count = sum(CLASS_SIZES[CLASS_INDEX[each]] for each in names)
        example = f"{name[0]}s{name[1]}{'s' if names[0].endswith('s') else 'h'}"
        raise RangeError(
            f"{name} is {count} combos, not one; give the two cards of one, as in {example}. For"
            f" {names[0]}, range.frequencies()[{names[0]!r}] is the mean weight, and"
            f" Range({names[0]!r}) <= range tests for all combos"
        )
    return Combo(combo).number

"""The 1,326 combos, their numbers, and the 169 classes of starting hands they fall into.

A combo of the cards ``a > b`` has the number ``a * (a - 1) // 2 + b``: from 0 for ``2d2c`` to
1325 for ``AsAh``. Classes are numbered along the 13x13 grid that players know, row by row
from the top left: row and column 0 are the ace, pairs stand on the diagonal, suited hands
above it, offsuit hands below it. An array ``(169,)`` by class is the grid after
``reshape(13, 13)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK, DECK_SIZE, RANKS, Card, parse_cards
from holdem.errors import CardError, visible

COMBO_COUNT: Final = 1326
CLASS_COUNT: Final = 169


def _read_only(array: NDArray[np.generic]) -> None:
    array.setflags(write=False)


def combo_index(a: int, b: int) -> int:
    """Return the number 0..1325 of the combo of two different cards (ids, in any order)."""
    high, low = (a, b) if a > b else (b, a)
    if high == low or low < 0 or high >= DECK_SIZE:
        raise CardError(f"no combo has the cards {int(a)} and {int(b)}: two different ids 0..51")
    return int(high * (high - 1) // 2 + low)


#: The cards of each combo, ``uint8 (combo, card)``: the higher id first.
COMBO_CARDS: NDArray[np.uint8] = np.stack(np.tril_indices(DECK_SIZE, -1), axis=1).astype(np.uint8)
_read_only(COMBO_CARDS)

#: The index set of each combo, ``uint64 (combo,)``: two bits of 52.
COMBO_SETS: NDArray[np.uint64] = np.bitwise_or.reduce(
    np.left_shift(np.uint64(1), COMBO_CARDS.astype(np.uint64)), axis=1
)
_read_only(COMBO_SETS)

#: The text of each combo, the higher card first: ``COMBO_TEXT[1325]`` is ``"AsAh"``.
COMBO_TEXT: tuple[str, ...] = tuple(
    str(DECK[a]) + str(DECK[b]) for a in range(DECK_SIZE) for b in range(a)
)


def _class_name(row: int, column: int) -> str:
    high, low = RANKS[12 - min(row, column)], RANKS[12 - max(row, column)]
    return high + low + ("" if row == column else "s" if row < column else "o")


#: The names of the classes along the grid: ``AA``, ``AKs``, …, ``AKo``, ``KK``, … ``22``.
CLASS_NAMES: tuple[str, ...] = tuple(
    _class_name(row, column) for row in range(13) for column in range(13)
)

#: The number of each class by its name.
CLASS_INDEX: dict[str, int] = {name: number for number, name in enumerate(CLASS_NAMES)}


def _classes_of_combos() -> NDArray[np.uint8]:
    high, low = 12 - (COMBO_CARDS[:, 0] >> 2), 12 - (COMBO_CARDS[:, 1] >> 2)  # high <= low
    suited = (COMBO_CARDS[:, 0] & 3) == (COMBO_CARDS[:, 1] & 3)
    return np.where(suited, 13 * high + low, 13 * low + high).astype(np.uint8)


#: The class of each combo, ``uint8 (combo,)``.
CLASS_OF_COMBO: NDArray[np.uint8] = _classes_of_combos()
_read_only(CLASS_OF_COMBO)

#: How many combos each class has, ``uint8 (class,)``: 6 for a pair, 4 suited, 12 offsuit.
CLASS_SIZES: NDArray[np.uint8] = np.bincount(CLASS_OF_COMBO, minlength=CLASS_COUNT).astype(np.uint8)
_read_only(CLASS_SIZES)


class Combo(tuple[Card, Card]):
    """Two different cards, the higher first: a tuple that prints as ``AsKd``.

    ``a, b = combo`` unpacks it; it compares and hashes as the tuple of its cards, so that
    combos sort by their numbers.
    """

    __slots__ = ()

    def __new__(cls, cards: str | Iterable[Card | int | str]) -> Self:
        """Make a combo from text (``"AsKd"``, ``"A♠ K♦"``) or from two cards in any order.

        Raises:
            CardError: not two different cards.
            HoldemTypeError: neither text nor cards.
        """
        found = parse_cards(cards, what="combo")
        if len(found) != 2:
            shown = visible(cards) if isinstance(cards, str) else f"{len(found)} cards"
            raise CardError(f"{shown} is not a combo: write two cards, as in AsKd")
        return super().__new__(cls, sorted(found, reverse=True))

    @property
    def number(self) -> int:
        """The combo's number, 0..1325."""
        return combo_index(*self)

    @property
    def class_name(self) -> str:
        """The class it belongs to: ``AKo``."""
        return CLASS_NAMES[int(CLASS_OF_COMBO[self.number])]

    def __str__(self) -> str:
        return f"{self[0]}{self[1]}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Combo({str(self)!r})"


def combo_at(number: int) -> Combo:
    """Return the combo with a number that is trusted to be 0..1325."""
    high, low = COMBO_CARDS[number].tolist()
    return tuple.__new__(Combo, (DECK[high], DECK[low]))

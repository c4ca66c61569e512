"""`HandIndexer`: a bijection between hands up to suit permutations and consecutive integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.abstraction.numbering import HOLE_CARDS, make_numbering, number_hands
from holdem.abstraction.streets import Street, board_cards, list_hands, read_hands, reject_invalid
from holdem.cards import CardArray
from holdem.errors import HoldemTypeError, HoldemValueError, quoted
from holdem.jobs.workers import in_worker_thread


class HandIndexer:
    """A bijection between the hands of a street, up to suit permutations, and the integers from 0
    to ``size - 1``.

    A hand is two hole cards and the board; neither the order of the hole cards nor that of the
    board cards matters. Two hands have the same index if a permutation of the suits turns one
    into the other. The indices are the same in all versions of the package.

    Attributes:
        street: the street.
        size: the number of indices: 169, 1,286,792, 13,960,050 and 123,156,254 for preflop, flop,
            turn and river.
    """

    __slots__ = ("_board_cards", "_numbering", "size", "street")

    def __init__(self, street: Street) -> None:
        """Prepare the tables of a street; the tables of all streets together take 1.5 MB.

        Args:
            street: ``"preflop"``, ``"flop"``, ``"turn"`` or ``"river"``.

        Raises:
            HoldemValueError: another street.
        """
        self._board_cards = board_cards(street)
        self._numbering = make_numbering(HOLE_CARDS, self._board_cards)
        self.street = street
        self.size = self._numbering.size

    def __repr__(self) -> str:
        return f"HandIndexer({self.street!r})"

    def index(self, holes: Any, boards: Any = None) -> NDArray[np.int64]:
        """Compute the indices of hands.

        Args:
            holes: hole cards, as text (``"AsKs"``) or ids, or a sequence of them, or ``uint8
                (hand, 2)``.
            boards: boards in the same forms, ``uint8 (hand, card)``; None before the flop. One
                hand or one board serves for all.

        Returns:
            ``int64 (hand,)``.

        Raises:
            HoldemValueError: a hand has an invalid card or a card twice, or the wrong number of
                cards; or the numbers of hands and boards differ.
            HoldemTypeError: neither text nor card ids.
        """
        hands = read_hands(holes, boards, self._board_cards)
        numbers = np.empty(len(hands[0]), dtype=np.int64)
        reject_invalid(
            in_worker_thread(lambda: number_hands(*hands, self._numbering, numbers)), hands
        )
        return numbers

    def hands(self, indices: ArrayLike) -> tuple[CardArray, CardArray]:
        """Build one hand for each index.

        Args:
            indices: integers from 0 to ``size - 1``, ``(hand,)``, or a single one.

        Returns:
            The hole cards, ``uint8 (hand, 2)``, and the boards, ``uint8 (hand, card)``.

        Raises:
            HoldemValueError: an index is out of bounds.
            HoldemTypeError: not integers.
        """
        given = np.atleast_1d(np.asarray(indices))
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise HoldemTypeError(
                f"expected indices, integers in one dimension, not {quoted(indices)}"
            )
        if len(given) and not (given.min() >= 0 and given.max() < self.size):
            row = int(np.argmax((given < 0) | (given >= self.size)))
            raise HoldemValueError(
                f"index {row}: {given[row]} is not from 0 to {self.size - 1} ({self.street})"
            )
        numbers = np.ascontiguousarray(given, dtype=np.int64)
        return list_hands(self._numbering, numbers, HOLE_CARDS, self._board_cards)

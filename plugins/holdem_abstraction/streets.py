"""The canonical boards of each street, and `HandIndexer`, which numbers the hands of a street.

A canonical board stands for all boards that are equal to it up to a suit permutation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any, Literal, get_args

import attrs
import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdem.arguments import require_text
from holdem.cards import DECK_SIZE, Card, CardArray, cards_text, read_only
from holdem.errors import (
    CardError,
    HoldemTypeError,
    HoldemValueError,
    counted,
    did_you_mean,
    quoted,
)
from holdem.jobs.workers import in_worker_thread
from holdem.odds.many_spots.column_readers import read_cards
from holdem.odds.many_spots.columns import is_per_spot, normalize_column
from holdem.odds.symmetry import PERMUTATIONS, permuted_combos, permuted_suits
from holdem_abstraction.numbering import (
    HOLE_CARDS,
    Numbering,
    locate_hands,
    make_numbering,
    number_hands,
    write_hands_of_numbers,
)

Street = Literal["preflop", "flop", "turn", "river"]
_BOARD_CARDS: dict[str, int] = dict(zip(get_args(Street), (0, 3, 4, 5), strict=True))

#: The points of a hand that wins against every combo of a random hand on the river: two per combo.
RIVER_MOST = 2 * comb(45, 2)

#: Hole cards and boards, ``uint8 (hand, 2)`` and ``uint8 (hand, card)``.
Hands = tuple[CardArray, CardArray]


def board_cards(street: Street) -> int:
    require_text(street, "street")
    if street not in _BOARD_CARDS:
        hint = did_you_mean(street.lower(), _BOARD_CARDS)
        raise HoldemValueError(
            f"no street {quoted(street)}{hint}; use {', '.join(list(_BOARD_CARDS)[:-1])} or river"
        )
    return _BOARD_CARDS[street]


def _read_cards(name: str, column: Any, count: int, size: int, hint: str) -> CardArray:
    if isinstance(column, np.ndarray) and column.dtype == np.int8 and (column >= 0).all():
        column = column.view(np.uint8)
    if isinstance(column, np.ndarray) and column.dtype == np.uint8 and column.shape[1] == size:
        return read_only(np.ascontiguousarray(column))
    errors: dict[int, str] = {}
    cards, sizes, rows = read_cards(name, column, count, 5, errors)
    if errors:
        row, message = min(errors.items())
        raise CardError(f"hand {row}: {message}")
    wrong = sizes != size
    if wrong.any():
        row = int(np.argmax(np.broadcast_to(wrong[rows], count)))
        raise HoldemValueError(
            f"hand {row}: {name}: expected {size} cards, not {sizes[rows][row]}{hint}"
            if size
            else f"hand {row}: {name}: there is no board before the flop"
        )
    return read_only(np.ascontiguousarray(cards[rows, :size]))


def _call_on_hands(
    kernel: Callable[..., Any], holes: Any, boards: Any, size: int, numbering: Numbering
) -> NDArray[np.int64]:
    """Call `number_hands` or `locate_hands` for hands in any form that `HandIndexer.index` takes.

    `size` is the number of cards that each board must have. The result is what the kernel has
    written, ``int64 (hand,)``.
    """
    given = {"hole cards": holes, "board": boards}
    columns = {name: normalize_column(name, column) for name, column in given.items()}
    lengths = {name: len(column) for name, column in columns.items() if is_per_spot(column)}
    if len(set(lengths.values())) > 1:
        found = " and ".join(map(counted, lengths.values(), ("hand", "board")))
        raise HoldemValueError(f"{found}: give a board for each hand, or one for all hands")
    count = next(iter(lengths.values()), 1)
    sizes = (HOLE_CARDS, size)
    hint = "; give the boards as the second argument" if boards is None and size else ""
    hole_cards = columns["hole cards"]
    if isinstance(hole_cards, np.ndarray) and hole_cards.shape[1] != HOLE_CARDS:
        raise HoldemValueError(f"hole cards: {hole_cards.shape[1]} cards, not {HOLE_CARDS}{hint}")
    hands = [
        _read_cards(*column, count, own, hint)
        for column, own in zip(columns.items(), sizes, strict=True)
    ]
    numbers = np.empty(count, dtype=np.int64)
    row = in_worker_thread(lambda: kernel(*hands, numbering, numbers))
    if row >= 0:
        cards = [*hands[0][row].tolist(), *hands[1][row].tolist()]
        for number, card in enumerate(cards):
            if card >= DECK_SIZE:
                raise CardError(f"hand {row}: no card has the id {card}: ids are 0..51")
            if card in cards[:number]:
                raise CardError(f"hand {row}: {cards_text(cards, ' ')} has {Card(card)} twice")
    return numbers


def list_hands(
    numbering: Numbering, numbers: NDArray[np.int64], hole_cards: int, board_cards: int
) -> Hands:
    """Build one hand for each number; `hole_cards` is 0 if the numbering is of boards alone."""
    holes = np.empty((len(numbers), hole_cards), dtype=np.uint8)
    boards = np.empty((len(numbers), board_cards), dtype=np.uint8)
    numbers = read_only(numbers)  # as always, so that the kernel is compiled once
    in_worker_thread(lambda: write_hands_of_numbers(numbers, numbering, holes, boards))
    return holes, boards


@attrs.frozen(eq=False)
class StreetBoards:
    """The canonical boards of a street, as created by `street_boards`.

    Each stands for all boards that are equal to it up to a suit permutation.
    """

    cards: CardArray
    """The canonical boards, in the order of `numbering`, ``uint8 (board, card)``."""
    deals: NDArray[np.uint8]
    """The number of boards that each canonical board stands for, ``uint8 (board,)``."""
    groups: NDArray[np.intp]
    """The number of the group of each board, ``intp (board,)``. The boards of a group are left
    unchanged by the same suit permutations."""
    fixing: tuple[NDArray[np.intp], ...]
    """For each group, the suit permutations that leave its boards unchanged, as row numbers of
    `permuted_combos`, the identity first, ``intp (permutation,)``."""
    least: NDArray[np.intp]
    """For each combo, the smallest number of the combos into which the permutations of a group turn
    it, ``intp (group, combo)``. Combos with the same smallest number have the same strength on the
    boards of the group."""
    numbering: Numbering
    """The numbering of the boards, for `locate_hands`."""

    def locate(self, holes: Any, boards: Any) -> NDArray[np.int64]:
        """Find the positions of hands in a flattened table ``(canonical board, combo)``.

        They are ``1326 * board + combo``, ``int64 (hand,)``. Hole cards and boards are in any form
        that `HandIndexer.index` takes.
        """
        size = self.cards.shape[1]
        return _call_on_hands(locate_hands, holes, boards, size, self.numbering)


@cache
def street_boards(street: Street) -> StreetBoards:
    """List a street's canonical boards: 1 preflop, 1,755 flops, 16,432 turns or 134,459 rivers."""
    numbering = make_numbering(0, board_cards(street))
    numbers = np.arange(numbering.size)
    _, cards = list_hands(numbering, numbers, 0, board_cards(street))
    suits = np.zeros((len(cards), 4), dtype=np.uint16)
    for card in cards.T:
        suits[numbers, card & 3] |= np.uint16(1) << (card >> 2)
    fixed = np.array([(suits[:, images] == suits).all(axis=1) for images in permuted_suits()])
    deals = (PERMUTATIONS // fixed.sum(axis=0)).astype(np.uint8)
    codes = (1 << np.arange(PERMUTATIONS)) @ fixed
    _, first, groups = np.unique(codes, return_index=True, return_inverse=True)
    fixing = tuple(np.flatnonzero(own) for own in fixed[:, first].T)
    least = np.array([permuted_combos()[own].min(axis=0) for own in fixing])
    return StreetBoards(
        read_only(cards), read_only(deals), read_only(groups), fixing, read_only(least), numbering
    )


class HandIndexer:
    """A numbering of the hands of a street, up to suit permutations, from 0 to ``size - 1``.

    A hand is two hole cards and the board. The order of the hole cards and the order of the board
    cards do not matter. Two hands have the same index if and only if a permutation of the suits
    turns one into the other. The indices are the same in all versions of the package.

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
            HoldemTypeError: `street` is not text.
            HoldemValueError: there is no such street.
        """
        self._board_cards = board_cards(street)
        self._numbering = make_numbering(HOLE_CARDS, self._board_cards)
        self.street = street
        self.size = self._numbering.size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HandIndexer):
            return NotImplemented
        return self.street == other.street

    def __hash__(self) -> int:
        return hash((HandIndexer, self.street))

    def __reduce__(self) -> tuple[Any, ...]:
        return HandIndexer, (self.street,)

    def __repr__(self) -> str:
        return f"HandIndexer({self.street!r})"

    def index(self, holes: Any, boards: Any = None) -> NDArray[np.int64]:
        """Compute the indices of hands.

        Args:
            holes: hole cards, as text (``"AsKs"``) or ids, or a sequence of these, or ``uint8
                (hand, 2)``.
            boards: boards in the same forms, ``uint8 (hand, card)``; None before the flop. If
                several hands and a single board are given, or the reverse, the single one is used
                for all.

        Returns:
            ``int64 (hand,)``.

        Raises:
            HoldemValueError: a hand has an invalid card, the same card twice, or the wrong number
                of cards; or the numbers of hands and boards differ.
            HoldemTypeError: the hands are neither text nor card ids.
        """
        size = self._board_cards
        return _call_on_hands(number_hands, holes, boards, size, self._numbering)

    def hands(self, indices: ArrayLike) -> tuple[CardArray, CardArray]:
        """Build one hand for each index.

        Args:
            indices: integers from 0 to ``size - 1``, ``(hand,)``, or a single integer.

        Returns:
            The hole cards, ``uint8 (hand, 2)``, and the boards, ``uint8 (hand, card)``; with a
            single integer, of one hand.

        Raises:
            HoldemValueError: an index is out of bounds.
            HoldemTypeError: `indices` are not integers.
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

    def deals(self, indices: ArrayLike) -> NDArray[np.int64]:
        """Count the hands that each index stands for, which differ only in their suits.

        Over all indices, the sum is the number of ways to deal two hole cards and a board.

        Args:
            indices: integers from 0 to ``size - 1``, ``(hand,)``, or a single integer.

        Returns:
            The counts, from 4 to 24, ``int64 (hand,)``.

        Raises:
            HoldemValueError: an index is out of bounds.
            HoldemTypeError: `indices` are not integers.
        """
        holes, boards = self.hands(indices)
        suits = np.zeros((len(holes), 4), dtype=np.uint32)
        for cards, shift in ((holes, 13), (boards, 0)):
            for card in cards.T.astype(np.uint32):
                suits[np.arange(len(holes)), card & 3] |= np.uint32(1) << (card >> 2) + shift
        fixed = np.zeros(len(holes), dtype=np.int64)
        for images in permuted_suits():
            fixed += (suits[:, images] == suits).all(axis=1)
        return PERMUTATIONS // fixed

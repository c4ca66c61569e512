"""Reading of columns of cards: boards and dead cards, as text or ids."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS, SUITS, CardArray, parse_cards
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError
from holdem.odds.many_spots.column_forms import Column, is_per_spot

#: The id of no card, which pads boards to five cards.
NO_CARD = 255

#: An index that maps spots to rows: ``intp (spot,)``, or a slice, which copies nothing, if each
#: spot has its own row.
RowOfSpot: TypeAlias = NDArray[np.intp] | slice


def are_cards(ids: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each row contains card ids only, ``bool (row,)``."""
    is_card = (ids >= 0) & (ids < 52)
    # A reduction over short rows is slow, and almost always all are cards.
    return np.ones(len(ids), dtype=np.bool_) if is_card.all() else np.all(is_card, axis=1)


def read_cards(
    name: str, column: Column, count: int, limit: int, errors: dict[int, str]
) -> tuple[CardArray, NDArray[np.int8], RowOfSpot]:
    """Return cards, ``uint8 (row, card)``, their numbers, and an index that maps spots to rows.

    Rows are padded with `NO_CARD`. A card may be in a row twice.
    """
    if isinstance(column, np.ndarray):
        if column.shape[1] > limit:
            raise HoldemTypeError(f"{name}: {column.shape[1]} cards are more than {limit}")
        is_wrong = ~are_cards(column)
        for spot in np.flatnonzero(is_wrong).tolist():
            errors.setdefault(spot, f"{name}: {column[spot].tolist()} are not all card ids")
        if is_wrong.any():
            column = np.where(is_wrong[:, None], 0, column)
        sizes = np.full(count, column.shape[1], dtype=np.int8)
        return column.astype(np.uint8, order="C"), sizes, slice(None)
    if not is_per_spot(column):
        known = parse_cards(column if column is not None else (), what=name)
        if len(known) > limit:
            raise HoldemValueError(f"{name}: {len(known)} cards are more than {limit}")
        cards = np.array([known], dtype=np.uint8).reshape(1, len(known))
        return cards, np.array([len(known)], dtype=np.int8), np.zeros(count, dtype=np.intp)
    rows: dict[object, int] = {}
    row_of_spot = np.fromiter((rows.setdefault(value, len(rows)) for value in column), np.intp)
    found, sizes, wrong = _parse_all(name, list(rows), limit)
    if wrong:
        for spot, row in enumerate(row_of_spot.tolist()):
            if row in wrong:
                errors.setdefault(spot, wrong[row])
    return found, sizes, row_of_spot


def read_dead(
    column: Column, count: int, errors: dict[int, str]
) -> tuple[NDArray[np.uint64], RowOfSpot]:
    """Return sets of dead cards, ``uint64 (row,)``, and an index that maps spots to rows."""
    name = "dead cards"
    cards, sizes, rows = read_cards(name, column, count, 52, errors)
    sets = sets_of(cards)
    is_doubled = np.bitwise_count(sets) != sizes
    if is_doubled.any():
        row_of_spot = np.arange(len(sets))[rows]
        for spot in np.flatnonzero(is_doubled[rows]).tolist():
            row = row_of_spot[spot]
            try:
                parse_cards(cards[row, : sizes[row]].tolist(), what=name)
            except HoldemError as error:
                errors.setdefault(spot, str(error))
    return sets, rows


def _parse_all(
    name: str, texts: list[Any], limit: int
) -> tuple[CardArray, NDArray[np.int8], dict[int, str]]:
    """Parse distinct texts of cards; return padded ids, their numbers and errors by row."""
    found = np.full((len(texts), limit), NO_CARD, dtype=np.uint8)
    sizes = np.zeros(len(texts), dtype=np.int8)
    wrong: dict[int, str] = {}
    by_length: dict[int, list[int]] = {}
    for row, text in enumerate(texts):
        if isinstance(text, str) and text.isascii() and len(text) % 2 == 0:
            by_length.setdefault(len(text), []).append(row)
        else:
            by_length.setdefault(-1, []).append(row)
    slow = by_length.pop(-1, [])
    for length, rows in by_length.items():
        cards = _parse_pairs([texts[row] for row in rows], length)
        is_plain = (cards < 52).all(axis=1)
        is_plain &= length <= 2 * limit
        plain = np.array(rows)[is_plain]
        if len(plain):
            found[plain, : length // 2] = cards[is_plain]
            sizes[plain] = length // 2
        slow += np.array(rows)[~is_plain].tolist()
    for row in slow:
        try:
            ids = parse_cards(() if texts[row] is None else texts[row], what=name)
            if len(ids) > limit:
                raise HoldemValueError(f"{name}: {len(ids)} cards are more than {limit}")
        except HoldemError as error:
            wrong[row] = str(error)
            continue
        found[row, : len(ids)] = ids
        sizes[row] = len(ids)
    return found, sizes, wrong


def _parse_pairs(texts: list[str], length: int) -> NDArray[np.int64]:
    """Parse texts of equal length as pairs of a rank and a suit; 52 or more if that fails."""
    if not length:
        return np.zeros((len(texts), 0), dtype=np.int64)
    letters = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8).reshape(-1, length)
    return _RANK_OF_LETTER[letters[:, ::2]] * 4 + _SUIT_OF_LETTER[letters[:, 1::2]]


def _letters(text: str, unknown: int) -> NDArray[np.int64]:
    table = np.full(128, unknown, dtype=np.int64)
    for number, letter in enumerate(text):
        table[[ord(letter), ord(letter.swapcase())]] = number
    return table


_RANK_OF_LETTER, _SUIT_OF_LETTER = _letters(RANKS, 100), _letters(SUITS, 100)


def padded(cards: CardArray, width: int) -> CardArray:
    """Return rows of cards, ``uint8 (row, card)``, padded with `NO_CARD` to at least `width`."""
    return np.pad(cards, ((0, 0), (0, max(0, width - cards.shape[1]))), constant_values=NO_CARD)


#: The set of each card id; empty for `NO_CARD`.
_SETS: NDArray[np.uint64] = np.zeros(256, dtype=np.uint64)
_SETS[:52] = np.uint64(1) << np.arange(52, dtype=np.uint64)


def sets_of(cards: CardArray) -> NDArray[np.uint64]:
    """Return the set of the cards of each padded row, ``uint64 (row,)``."""
    sets = np.zeros(len(cards), dtype=np.uint64)
    for column in cards.T:
        sets |= _SETS[column]
    return sets

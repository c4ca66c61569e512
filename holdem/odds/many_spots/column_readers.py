"""Conversion of columns of cards to ids and card sets, and of columns of players to codes.

The code of a player is the number of a combo or of a range; `PlayerReader` explains it. The error
messages of invalid spots are collected by spot number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdem.cards import DECK_SIZE, RANKS, SUITS, Card, CardArray, cards_text, parse_cards
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, quoted
from holdem.odds.many_spots.columns import (
    NO_CARD,
    PADDING,
    Column,
    Values,
    is_per_spot,
    player_name,
)
from holdem.odds.spot import read_range
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range
from holdem.rules import RuleSet

#: The hint for users who give a list of rows, each with the players of one spot.
COLUMN_HINT = "each player is a column: equities(*zip(*rows)) for a list of rows"

#: The code of a player whom a spot does not have. Every spot has at least two players.
NO_PLAYER = -2

#: An index that selects the row of each spot: ``intp (spot,)``, or a slice of all rows, which
#: copies nothing, if there is one row for each spot.
RowOfSpot: TypeAlias = NDArray[np.intp] | slice


def are_cards(ids: NDArray[Any]) -> NDArray[np.bool_]:
    """Check which rows of `ids`, ``(row, number)``, are card ids only; return ``bool (row,)``."""
    is_card = (ids >= 0) & (ids < 52)
    # A reduction over short rows is slow, and almost always all are cards.
    return np.ones(len(ids), dtype=np.bool_) if is_card.all() else np.all(is_card, axis=1)


def read_cards(
    name: str, column: Column, count: int, limit: int, errors: dict[int, str]
) -> tuple[CardArray, NDArray[np.int8], RowOfSpot]:
    """Read a normalized column of at most `limit` cards a spot as ids.

    The cards are ``uint8 (row, card)``, padded with `NO_CARD`; their numbers ``int8 (row,)``; the
    last value selects the row of each spot. A row may contain the same card twice. `errors`
    receives the messages of spots with invalid cards, by spot number.
    """
    if isinstance(column, np.ndarray):
        if column.shape[1] > limit:
            raise HoldemTypeError(f"{name}: {column.shape[1]} cards are more than {limit}")
        sizes = np.full(count, column.shape[1], dtype=np.int8)
        if not are_cards(column).all():
            column, sizes = _read_padded(name, column, errors)
        return column.astype(np.uint8, order="C"), sizes, slice(None)
    if not is_per_spot(column):
        known = _parse_some(name, column, limit)
        cards = np.array([known], dtype=np.uint8).reshape(1, len(known))
        return cards, np.array([len(known)], dtype=np.int8), np.zeros(count, dtype=np.intp)
    found, sizes, wrong = _parse_card_texts(name, column.distinct, limit)
    _add_errors(errors, column, wrong)
    return found, sizes, column.rows


def _read_padded(
    name: str, ids: NDArray[Any], errors: dict[int, str]
) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """Move the cards of each row to its start, and fill the rest of the row with `NO_CARD`.

    `ids` are card ids and padding (-1 or 255), ``integer (spot, card)``; the numbers of cards are
    ``int8 (spot,)``. A row with any other number is returned without cards, and `errors` receives
    its message.
    """
    is_card, is_padding = (ids >= 0) & (ids < DECK_SIZE), np.isin(ids, PADDING)
    is_wrong: NDArray[np.bool_] = ~np.all(is_card | is_padding, axis=1)
    for spot in np.flatnonzero(is_wrong).tolist():
        errors.setdefault(spot, f"{name}: {ids[spot].tolist()} are not all card ids")
    is_card &= ~is_wrong[:, None]
    order = np.argsort(~is_card, axis=1, kind="stable")
    cards = np.take_along_axis(np.where(is_card, ids, NO_CARD), order, axis=1)
    return cards, is_card.sum(axis=1, dtype=np.int8)


def _add_errors(errors: dict[int, str], column: Values, wrong: Mapping[int, str]) -> None:
    """Add the message of each invalid value to `errors`, for all spots with this value.

    `wrong` has the messages by index in `column.distinct`. Earlier messages of a spot are kept.
    """
    for spot in np.flatnonzero(np.isin(column.rows, list(wrong))).tolist() if wrong else ():
        errors.setdefault(spot, wrong[int(column.rows[spot])])


def read_dead(
    column: Column, count: int, errors: dict[int, str]
) -> tuple[NDArray[np.uint64], RowOfSpot]:
    """Read a normalized column of dead cards as card sets, ``uint64 (row,)``.

    Bit *i* stands for card id *i*; the second value selects the row of each spot. `errors` receives
    the messages of spots with invalid or repeated cards, by spot number.
    """
    name = "dead cards"
    cards, sizes, rows = read_cards(name, column, count, 52, errors)
    sets = make_card_sets(cards)
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


def _parse_card_texts(
    name: str, texts: list[Any], limit: int
) -> tuple[CardArray, NDArray[np.int8], dict[int, str]]:
    """Parse the distinct values of a column: strings, None, or what else `parse_cards` reads.

    Card ids are ``uint8 (value, limit)``, padded with `NO_CARD`; their numbers ``int8 (value,)``;
    the messages of invalid values are by index in `texts`.
    """
    found = np.full((len(texts), limit), NO_CARD, dtype=np.uint8)
    sizes = np.zeros(len(texts), dtype=np.int8)
    wrong: dict[int, str] = {}
    lengths = np.array(
        [len(text) if type(text) is str and text.isascii() else -1 for text in texts], dtype=np.intp
    )
    is_plain = (lengths >= 0) & (lengths % 2 == 0) & (lengths <= 2 * limit)
    for length in np.unique(lengths[is_plain]).tolist():
        rows = np.flatnonzero(lengths == length)
        cards = _parse_pairs([texts[row] for row in rows.tolist()], length)
        is_read = (cards < 52).all(axis=1)
        plain = rows[is_read]
        found[plain, : length // 2] = cards[is_read]
        sizes[plain] = length // 2
        is_plain[rows] = is_read
    for row in np.flatnonzero(~is_plain).tolist():
        try:
            ids = _parse_some(name, texts[row], limit)
        except HoldemError as error:
            wrong[row] = str(error)
            continue
        found[row, : len(ids)] = ids
        sizes[row] = len(ids)
    return found, sizes, wrong


def _parse_some(name: str, text: Any, limit: int) -> tuple[Card, ...]:
    """Parse a value as at most `limit` cards; None stands for no cards."""
    cards = parse_cards(() if text is None else text, what=name)
    if len(cards) > limit:
        hint = "; boards for each spot are a list" if name == "board" else ""
        raise HoldemValueError(f"{name}: {len(cards)} cards are more than {limit}{hint}")
    return cards


def _parse_pairs(texts: list[str], length: int) -> NDArray[np.int64]:
    """Parse ASCII strings of two characters per card, such as ``"AsKd"``, all of the same length.

    Card ids are ``int64 (text, card)``; a number above 51 stands for an invalid card.
    """
    if not length:
        return np.zeros((len(texts), 0), dtype=np.int64)
    letters = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8).reshape(-1, length)
    return _RANK_OF_LETTER[letters[:, ::2]] * 4 + _SUIT_OF_LETTER[letters[:, 1::2]]


def _index_letters(text: str, unknown: int) -> NDArray[np.int64]:
    table = np.full(128, unknown, dtype=np.int64)
    for number, letter in enumerate(text):
        table[[ord(letter), ord(letter.swapcase())]] = number
    return table


_RANK_OF_LETTER, _SUIT_OF_LETTER = _index_letters(RANKS, 100), _index_letters(SUITS, 100)


def pad_cards(cards: CardArray, width: int) -> CardArray:
    """Pad rows of cards, ``uint8 (row, card)``, with `NO_CARD` to at least `width` columns."""
    return np.pad(cards, ((0, 0), (0, max(0, width - cards.shape[1]))), constant_values=NO_CARD)


#: The set of each card id; empty for `NO_CARD`.
_SETS: NDArray[np.uint64] = np.zeros(256, dtype=np.uint64)
_SETS[:52] = np.uint64(1) << np.arange(52, dtype=np.uint64)


def make_card_sets(cards: CardArray) -> NDArray[np.uint64]:
    """Compute the card set of each row of ids, ``uint8 (row, card)``; `NO_CARD` is ignored."""
    sets = np.zeros(len(cards), dtype=np.uint64)
    for column in cards.T:
        sets |= _SETS[column]
    return sets


# The combo number of every two cards as a string, in either order.
_COMBO_OF_TEXT: dict[object, int] = {
    cards: code for code, text in enumerate(COMBO_TEXT) for cards in (text, text[2:] + text[:2])
}


class PlayerReader:
    """Converter of players' columns to codes, which parses each distinct value once.

    The code of a player is a combo number, 0 to 1325, for known hole cards, and 1326 plus an index
    in `ranges` for a range. -1 stands for an invalid value, and `NO_PLAYER` for no player.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.ranges: list[Range] = []
        self.errors: dict[int, str] = {}  # by spot number
        self._rules = rules
        self._codes = dict(_COMBO_OF_TEXT)

    def read(self, name: str, column: Column, count: int) -> NDArray[np.int32]:
        """Read a player's normalized column as codes, ``int32 (spot,)``.

        `errors` receives a message for each spot whose code is -1. If `name` is not that of one of
        the first two players, then empty text, None and rows of padding stand for no player.
        """
        is_optional = name not in map(player_name, range(2))
        if isinstance(column, np.ndarray):
            return self._read_holes(name, column, is_optional=is_optional)
        if not is_per_spot(column):
            if isinstance(column, tuple) and not all(isinstance(card, Card) for card in column):
                raise HoldemTypeError(_describe_numbers(name, column))
            return np.full(count, self._read_player(name, column), dtype=np.int32)
        wrong: dict[int, str] = {}
        codes = np.full(len(column.distinct), -1, dtype=np.int32)
        for number, value in enumerate(column.distinct):
            if is_optional and value in (None, ""):
                codes[number] = NO_PLAYER
                continue
            try:
                codes[number] = self._read_value(name, value)
            except HoldemError as error:
                wrong[number] = str(error)
        _add_errors(self.errors, column, wrong)
        found: NDArray[np.int32] = codes[column.rows]
        return found

    def _read_value(self, name: str, value: object) -> int:
        if value not in self._codes:
            self._codes[value] = self._read_player(name, value)
        return self._codes[value]

    def _read_holes(
        self, name: str, holes: NDArray[Any], *, is_optional: bool
    ) -> NDArray[np.int32]:
        if holes.shape[1] != 2:
            raise HoldemTypeError(
                f"{name}: hole cards are an array (spot, 2) of card ids, not {holes.shape}"
            )
        is_card = are_cards(holes)
        known = holes if is_card.all() else np.where(is_card[:, None], holes, 0)
        codes: NDArray[np.int32] = _make_combo_table()[known[:, 0], known[:, 1]]
        for spot in np.flatnonzero(codes < 0).tolist():
            cards = holes[spot].tolist()
            if not all(card in PADDING for card in cards):
                problem = f"{cards} are not the ids of two different cards, which are 0 to 51"
            elif is_optional:
                codes[spot] = NO_PLAYER
                continue
            else:
                problem = "the hand or range is missing"
            self.errors.setdefault(spot, f"{name}: {problem}")
        return codes

    def _read_player(self, name: str, player: object) -> int:
        if isinstance(player, tuple):
            if any(isinstance(item, Range) or _is_long(item) for item in player):
                raise HoldemTypeError(f"{name}: {quoted(player)} is no hand; {COLUMN_HINT}")
            cards = parse_cards(player, what=name)
            if len(cards) != 2:
                raise HoldemValueError(
                    f"{name}: {quoted(player)}: hole cards are two cards, not {len(cards)}"
                )
            return int(_make_combo_table()[cards])
        try:
            hands = read_range(player, self._rules)
        except HoldemError as error:
            error.args = (f"{name}: {error}",)
            raise
        held = hands.held
        if len(held) == 1 and hands.weights[held[0]] == 1:
            return int(held[0])
        self.ranges.append(hands)
        return COMBO_COUNT + len(self.ranges) - 1


def _describe_numbers(name: str, column: tuple[Any, ...]) -> str:
    """Write the error message for a player who was given as a flat list of numbers."""
    is_hand = len(column) == len(set(column)) == 2 and set(column) < set(range(DECK_SIZE))
    ids = column if is_hand else (51, 47)
    return (
        f"{name}: {quoted(list(column))} are numbers, not hands; card ids are rows of two, as in"
        f" [[{ids[0]}, {ids[1]}]] or an array (spot, 2), and one hand for all spots is text, as in"
        f" {quoted(cards_text(ids))}"
    )


def _is_long(item: object) -> bool:
    return isinstance(item, str) and len(item.strip()) > len("10s")


@cache
def _make_combo_table() -> NDArray[np.int32]:
    """Tabulate the combo number of two card ids in either order, ``int32 (52, 52)``.

    The number of two equal cards is -1.
    """
    table = np.full((52, 52), -1, dtype=np.int32)
    high, low = COMBO_CARDS.T
    table[high, low] = table[low, high] = np.arange(COMBO_COUNT)
    return table

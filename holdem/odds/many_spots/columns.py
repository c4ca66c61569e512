"""Columns of spots: the arguments of `equities` as arrays of codes and card ids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cards import RANKS, SUITS, Card, CardArray, parse_cards
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, quoted
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range
from holdem.values import RuleSet

#: What a player or a set of cards may be: one value for all spots, or a value for each spot.
Column: TypeAlias = Any

#: The id of no card, which pads boards to five cards.
NO_CARD = 255


@attrs.frozen(eq=False)
class SpotColumns:
    """Spots as arrays. Created by `read_columns`.

    A player's *code* is a combo number, or `COMBO_COUNT` plus an index of `ranges`.
    """

    ranges: list[Range]
    """The distinct ranges with several combos or with weights."""
    texts: list[str | None]
    """The text of each of `ranges`, as given; None if it was given as a `Range`."""
    codes: NDArray[np.int32]
    """``int32 (spot, player)``"""
    boards: CardArray
    """The board cards, padded with `NO_CARD`, ``uint8 (spot, 5)``."""
    board_sizes: NDArray[np.int8]
    """The number of board cards, ``int8 (spot,)``."""
    dead: NDArray[np.uint64]
    """The set of the dead cards, ``uint64 (spot,)``."""
    errors: dict[int, str]
    """The messages of spots with invalid text, by spot number."""

    def __len__(self) -> int:
        return len(self.codes)

    def player(self, spot: int, player: int) -> Range | str:
        """Return a player of a valid spot: a `Range`, or one combo as text."""
        code = int(self.codes[spot, player])
        return COMBO_TEXT[code] if code < COMBO_COUNT else self.ranges[code - COMBO_COUNT]

    def given(self, spot: int, player: int) -> Range | str:
        """Return a player of a spot as given, a `Range` or text; empty text if it was invalid."""
        code = int(self.codes[spot, player])
        if code < COMBO_COUNT:
            return COMBO_TEXT[code] if code >= 0 else ""
        text = self.texts[code - COMBO_COUNT]
        return self.ranges[code - COMBO_COUNT] if text is None else text

    def player_texts(self, player: int) -> list[str]:
        """Return the text of a player of each spot; empty if it was invalid."""
        given = zip(self.texts, self.ranges, strict=True)
        texts = [*COMBO_TEXT, *(str(hands) if text is None else text for text, hands in given), ""]
        return [texts[code] for code in self.codes[:, player].tolist()]

    def board(self, spot: int) -> tuple[Card, ...]:
        """Return the board of a spot."""
        return tuple(map(Card, self.boards[spot, : self.board_sizes[spot]].tolist()))

    def dead_cards(self, spot: int) -> tuple[Card, ...]:
        """Return the dead cards of a spot, lowest id first."""
        dead = int(self.dead[spot])
        return tuple(Card(card) for card in range(52) if dead >> card & 1)

    def board_sets(self, rows: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.uint64]:
        """Return the sets of the board cards of some spots, ``uint64 (spot,)``."""
        return _sets(self.boards[rows], self.board_sizes[rows])

    def same_as(self, other: SpotColumns) -> bool:
        """Return whether these are the same spots: equal ranges, boards in order and dead cards."""
        numbers: dict[Range, int] = {}

        def players(spots: SpotColumns) -> NDArray[np.int32]:
            own = [numbers.setdefault(hands, len(numbers)) for hands in spots.ranges]
            table = np.array([*range(COMBO_COUNT), *(COMBO_COUNT + number for number in own), -1])
            return table[spots.codes]

        return bool(
            np.array_equal(players(self), players(other))
            and np.array_equal(self.boards, other.boards)
            and np.array_equal(self.dead, other.dead)
        )


def read_columns(
    players: Sequence[Column], board: Column, dead: Column, rules: RuleSet
) -> SpotColumns:
    """Convert the arguments of `equities` to arrays.

    Args:
        players: a column for each player: text, a `Range`, two cards, or one of these for each
            spot, as a sequence or as ``uint8 (spot, 2)``.
        board: None, cards as text or ids, or one of these for each spot, as a sequence or as
            ``uint8 (spot, card)``.
        dead: dead cards, in the same forms.
        rules: the rule set by which ranges are read.

    Raises:
        HoldemTypeError: a column has an unsupported type.
        HoldemValueError: columns have different lengths, or a value for all spots is invalid.
    """
    if not 2 <= len(players) <= 10:
        raise HoldemValueError(f"equities needs 2 to 10 players, not {len(players)}")
    named = {f"player {number}": column for number, column in enumerate(players, 1)}
    columns = {
        name: _as_column(name, column)
        for name, column in (named | {"board": board, "dead cards": dead}).items()
    }
    lengths = {name: len(column) for name, column in columns.items() if _is_per_spot(column)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise HoldemValueError(f"the columns have different lengths: {found}")
    count = next(iter(lengths.values()), 1)
    reader = _PlayerReader(rules)
    codes = np.stack([reader.codes(name, columns[name], count) for name in named], axis=1)
    errors = reader.errors
    boards, sizes, rows = _read_cards("board", columns["board"], count, 5, errors)
    dead_sets, dead_rows = _read_dead(columns["dead cards"], count, errors)
    return SpotColumns(
        reader.ranges,
        reader.texts,
        codes,
        _padded(boards, 5)[rows],
        sizes[rows],
        dead_sets[dead_rows],
        errors,
    )


def _as_column(name: str, column: Column) -> Column:
    """Return a column in one of a few forms.

    One value for all spots becomes None, text, a `Range`, or a tuple of cards. Values for each
    spot become a list of these, or remain an array of card ids, ``(spot, card)``.
    """
    if column is None or isinstance(column, str | Range):
        return column
    if isinstance(column, np.ndarray):
        is_ids = column.dtype.kind in "iu"
        if column.ndim == 2 and is_ids:
            return column
        if column.ndim != 1:
            raise HoldemTypeError(
                f"{name}: expected text, or card ids as an integer array (spot, card), not an"
                f" array of {column.dtype} {column.shape}"
            )
        if is_ids:
            return tuple(column.tolist())
        values = column.tolist()
    elif hasattr(column, "to_list") or hasattr(column, "tolist"):  # of pandas or polars
        values = column.to_list() if hasattr(column, "to_list") else column.tolist()
    elif isinstance(column, Sequence) and not isinstance(column, bytes | bytearray):
        if column and all(isinstance(item, int | np.integer) for item in column):
            return tuple(column)  # the cards of one board or player
        values = list(column)
    else:
        raise HoldemTypeError(f"{name}: expected text or a column of text, not {quoted(column)}")
    return [value if type(value) is str else _as_value(name, value) for value in values]


def _as_value(name: str, value: Any) -> Any:
    """Return a value of a column, hashable; missing values of any library become None."""
    if isinstance(value, list | np.ndarray):
        value = tuple(value)
    # A NaN differs from itself; pandas.NA cannot be compared.
    if type(value).__name__ == "NAType" or (isinstance(value, float) and value != value):
        return None
    try:
        hash(value)
    except TypeError:
        message = f"{name}: expected text, a Range or cards for a spot, not {quoted(value)}"
        raise HoldemTypeError(message) from None
    return value


def _is_per_spot(column: Column) -> bool:
    """Return whether a column in the form of `_as_column` has a value for each spot."""
    return isinstance(column, list | np.ndarray)


class _PlayerReader:
    """Reads the columns of players; equal texts are parsed once."""

    def __init__(self, rules: RuleSet) -> None:
        self.ranges: list[Range] = []
        self.texts: list[str | None] = []
        self.errors: dict[int, str] = {}
        self._rules = rules
        self._codes: dict[object, int] = {text: code for code, text in enumerate(COMBO_TEXT)}

    def codes(self, name: str, column: Column, count: int) -> NDArray[np.int32]:
        """Return the code of a player in each spot, ``int32 (spot,)``; -1 for invalid text."""
        if isinstance(column, np.ndarray):
            return self._codes_of_holes(name, column)
        if not _is_per_spot(column):
            return np.full(count, self._code(name, column), dtype=np.int32)
        known, wrong = self._codes, {}
        for value in set(column) - known.keys():
            try:
                known[value] = self._code(name, value)
            except HoldemError as error:
                wrong[value] = str(error)
        if wrong:
            for spot, value in enumerate(column):
                if value in wrong:
                    self.errors.setdefault(spot, wrong[value])
        return np.fromiter((known.get(value, -1) for value in column), np.int32, count=count)

    def _codes_of_holes(self, name: str, holes: NDArray[Any]) -> NDArray[np.int32]:
        if holes.shape[1] != 2:
            raise HoldemTypeError(
                f"{name}: hole cards are an array (spot, 2) of card ids, not {holes.shape}"
            )
        codes: NDArray[np.int32]
        if len(holes) and holes.min() >= 0 and holes.max() < 52:
            codes = _combo_table()[holes[:, 0], holes[:, 1]]
        else:
            is_card = _are_cards(holes)
            known = np.where(is_card[:, None], holes, 0).astype(np.uint8)
            codes = np.where(is_card, _combo_table()[known[:, 0], known[:, 1]], np.int32(-1))
        for spot in np.flatnonzero(codes < 0).tolist():
            cards = holes[spot].tolist()
            self.errors.setdefault(spot, f"{name}: {cards} are not the ids of two different cards")
        return codes

    def _code(self, name: str, player: object) -> int:
        if isinstance(player, Range):
            hands = player
        elif isinstance(player, str):
            try:
                hands = Range(player, rules=self._rules)
            except HoldemError as error:
                error.args = (f"{name}: {error}",)
                raise
        elif isinstance(player, tuple):
            cards = parse_cards(player, what=name)
            if len(cards) != 2:
                raise HoldemValueError(f"{name}: hole cards are two cards, not {len(cards)}")
            return int(_combo_table()[cards])
        else:
            raise HoldemTypeError(f"{name}: expected a Range or text, not {quoted(player)}")
        held = hands.held
        if len(held) == 1 and hands.weights[held[0]] == 1:
            return int(held[0])
        self.ranges.append(hands)
        self.texts.append(" ".join(player.split()) if isinstance(player, str) else None)
        return COMBO_COUNT + len(self.ranges) - 1


def _are_cards(ids: NDArray[Any]) -> NDArray[np.bool_]:
    """Return whether each row contains card ids only, ``bool (row,)``."""
    return np.atleast_1d(((ids >= 0) & (ids < 52)).all(axis=1))


@cache
def _combo_table() -> NDArray[np.int32]:
    """Return the combo number of two cards, ``int32 (card, card)``; -1 for the same card twice."""
    table = np.full((52, 52), -1, dtype=np.int32)
    high, low = COMBO_CARDS.T
    table[high, low] = table[low, high] = np.arange(COMBO_COUNT)
    return table


def _read_cards(
    name: str, column: Column, count: int, limit: int, errors: dict[int, str]
) -> tuple[CardArray, NDArray[np.int8], NDArray[np.intp]]:
    """Return cards, ``uint8 (row, card)``, their numbers, and the row of each spot.

    Rows are padded with `NO_CARD`. A card may be in a row twice.
    """
    if isinstance(column, np.ndarray):
        if column.shape[1] > limit:
            raise HoldemTypeError(f"{name}: {column.shape[1]} cards are more than {limit}")
        is_wrong = ~_are_cards(column)
        for spot in np.flatnonzero(is_wrong).tolist():
            errors.setdefault(spot, f"{name}: {column[spot].tolist()} are not all card ids")
        cards = np.where(is_wrong[:, None], 0, column).astype(np.uint8)
        return cards, np.full(count, column.shape[1], dtype=np.int8), np.arange(count)
    if not _is_per_spot(column):
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


def _read_dead(
    column: Column, count: int, errors: dict[int, str]
) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """Return sets of dead cards, ``uint64 (row,)``, and the row of each spot."""
    name = "dead cards"
    cards, sizes, rows = _read_cards(name, column, count, 52, errors)
    sets = _sets(cards, sizes)
    is_doubled = np.bitwise_count(sets) != sizes
    for spot in np.flatnonzero(is_doubled[rows]).tolist() if is_doubled.any() else ():
        row = rows[spot]
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


def _padded(cards: CardArray, width: int) -> CardArray:
    return np.pad(cards, ((0, 0), (0, max(0, width - cards.shape[1]))), constant_values=NO_CARD)


def _sets(cards: CardArray, sizes: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Return the set of the first cards of each row, ``uint64 (row,)``."""
    widest = int(sizes.max(initial=0))
    sets = np.zeros(len(cards), dtype=np.uint64)
    for column in range(widest):
        is_card = column < sizes
        sets[is_card] |= np.uint64(1) << cards[is_card, column].astype(np.uint64)
    return sets

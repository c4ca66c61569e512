"""Columns of spots: the arguments of `equities` as arrays of codes and card ids.

Columns are given as those of pandas, polars, pyarrow or numpy, or as lists, and read as distinct
values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from itertools import count as counting
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable
from holdem.cards import DECK, DECK_SIZE, RANKS, SUITS, Card, CardArray, cards_text, parse_cards
from holdem.errors import HoldemError, HoldemTypeError, HoldemValueError, counted, one_line, quoted
from holdem.odds.spot import read_range
from holdem.ranges.combos import COMBO_CARDS, COMBO_COUNT, COMBO_TEXT
from holdem.ranges.range import Range, may_have_names
from holdem.rules import RuleSet

#: What a player or a set of cards may be: one value for all spots, or a value for each spot.
Column: TypeAlias = Any

#: The id of no card, which pads boards to five cards.
NO_CARD = 255

#: What stands for no card in a column of card ids, beside a mask: the number that pads rows.
PADDING = (-1, NO_CARD)

# The methods of columns that make a list of them: of pandas, polars and pyarrow.
_TO_LIST = ("tolist", "to_list", "to_pylist")


@attrs.frozen(eq=False)
class Values:
    """The distinct values of a column, with the index of each spot's value."""

    distinct: list[Any]
    rows: NDArray[np.intp]
    """The index in `distinct` of each spot's value, ``intp (spot,)``."""

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, spot: int) -> Any:
        return self.distinct[self.rows[spot]]

    def take(self, spots: NDArray[np.intp]) -> Values:
        """Take the values of some spots; drop distinct values that none of them has."""
        used, rows = np.unique(self.rows[spots], return_inverse=True)
        return Values([self.distinct[number] for number in used.tolist()], rows)


def normalize_column(name: str, column: Column) -> Column:
    """Convert a column to a single value for all spots, to `Values`, or to an array of card ids.

    A single value is None, a string, a `Range`, or a tuple of cards. A column with a value for each
    spot becomes `Values` of these, or remains an array of card ids, ``(spot, card)``, in which -1
    and `NO_CARD` stand for no card.

    Raises:
        HoldemTypeError: the column has an unsupported type.
    """
    if column is None or isinstance(column, str | Range):
        return column
    if isinstance(column, Card):
        return (column,)
    if isinstance(column, np.ndarray):
        is_ids = column.dtype.kind in "iu"
        if column.ndim == 2 and is_ids:
            if isinstance(column, np.ma.MaskedArray):
                column = column.filled(NO_CARD if column.dtype.kind == "u" else -1)
            return column
        if column.ndim == 2 and column.dtype.kind in "OU":  # text of cards
            return _number_values(name, column.tolist())
        if column.ndim != 1:
            hint = ""
            if column.dtype.kind == "f" and column.ndim == 2:
                fill = "np.nan_to_num(x, nan=-1)" if np.isnan(column).any() else "x"
                hint = f"; convert your array x with {fill}.astype(int)"
            raise HoldemTypeError(
                f"{name}: expected text, or card ids as an integer array (spot, card), not an"
                f" array of {column.dtype} {column.shape}{hint}"
            )
        return _as_value(name, column) if is_ids else _number_values(name, column.tolist())
    if isinstance(column, Sequence) and not isinstance(column, bytes | bytearray):
        if column and all(isinstance(item, int | np.integer) for item in column):
            return tuple(column)  # the cards of one board or player
        return _number_values(name, column)
    if hasattr(column, "columns"):
        names = map(str, getattr(column, "column_names", column.columns))
        raise HoldemTypeError(
            f"{name}: expected text or a column of text, not a {type(column).__name__}; give one"
            f" of its columns: {one_line(', '.join(names))}"
        )
    if isinstance(column, np.generic) or not any(hasattr(column, way) for way in _TO_LIST):
        raise HoldemTypeError(f"{name}: expected text or a column of text, not {quoted(column)}")
    try:
        return _encoded_values(column)
    except (TypeError, NotImplementedError):  # values that its library cannot count
        to_list = next(getattr(column, way) for way in _TO_LIST if hasattr(column, way))
        return _number_values(name, to_list())


def _encoded_values(column: Column) -> Values:
    """Convert a column to its distinct values, which its library (pandas or pyarrow) finds.

    Raises:
        TypeError: the library cannot find them.
    """
    if hasattr(column, "factorize") and column.dtype != object:
        rows, distinct = column.factorize()
    elif hasattr(column, "dictionary_encode"):
        whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
        encoded = whole.dictionary_encode()
        rows = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.intp)
        distinct = encoded.dictionary
    else:
        raise TypeError
    values = distinct.tolist()
    if (rows < 0).any():
        rows = np.where(rows < 0, len(values), rows)
        values.append(None)
    return Values(values, rows)


def _number_values(name: str, column: Sequence[Any]) -> Values:
    try:
        numbers = dict(zip(dict.fromkeys(column), counting(), strict=False))
    except TypeError:  # lists and arrays cannot be keys
        return _number_values(name, [_as_value(name, value) for value in column])
    if not _NO_IDS.isdisjoint(map(type, chain.from_iterable(filter(_is_tuple, column)))):
        column = [_told_apart(value) for value in column]
        numbers = dict(zip(dict.fromkeys(column), counting(), strict=False))
    rows = np.fromiter(map(numbers.__getitem__, column), np.intp, len(column))
    distinct = [value if type(value) is str else _as_value(name, value) for value in numbers]
    return Values(distinct, rows)


class _NoIds(tuple[Any, ...]):
    """Tuple that equals no other, because it contains a bool or a float, which may equal an id."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


#: Types of numbers that may be equal to ids of cards.
_NO_IDS = frozenset({bool, np.bool_, float, np.float32, np.float64})


def _is_tuple(value: object) -> bool:
    return type(value) is tuple


def _told_apart(value: Any) -> Any:
    is_wrong = _is_tuple(value) and any(
        type(item) in _NO_IDS and not _is_missing(item) for item in value
    )
    return _NoIds(value) if is_wrong else value


def _as_value(name: str, value: Any) -> Any:
    """Make a column's value hashable; any library's missing values become None.

    Cards become a tuple without padding, or None if there is no card.

    Raises:
        HoldemTypeError: the value cannot be made hashable.
    """
    if is_iterable(value) and isinstance(value, list | np.ndarray):
        value = tuple(value.tolist() if isinstance(value, np.ndarray) else value)
    if type(value) is tuple:
        value = tuple(item for item in value if not _is_padding(item)) or None
    if _is_missing(value):
        return None
    try:
        hash(value)
    except TypeError:
        message = f"{name}: expected text, a Range or cards for a spot, not {quoted(value)}"
        raise HoldemTypeError(message) from None
    return value


def _is_padding(item: Any) -> bool:
    return _is_missing(item) or (isinstance(item, int | np.integer) and item in PADDING)


def _is_missing(value: Any) -> bool:
    # A NaN differs from itself; pandas.NA cannot be compared.
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ == "NAType"


def find_common_index(columns: Mapping[str, Column]) -> Any:
    """Find the index that all pandas Series among the columns share; return None without a Series.

    Raises:
        HoldemValueError: two Series have different indexes.
    """
    # Only pandas has `iloc`; lists have an `index`, too.
    indexes = [(name, own.index) for name, own in columns.items() if hasattr(own, "iloc")]
    if not indexes:
        return None
    first, index = indexes[0]
    for name, other in indexes[1:]:
        # Their labels decide, and not their classes or types, which `equals` alone also compares.
        if not index.equals(other) and not index.astype(object).equals(other.astype(object)):
            found = _describe_difference(index, other)
            by_label = (
                " or select the rows of one by the index of the other, as in board.loc[hero.index];"
                if index.is_unique and other.is_unique
                else " or reset their indexes;"
            )
            raise HoldemValueError(
                f"{first} and {name} are Series with different indexes: {found}. Take both from"
                f" one data frame,{by_label} .to_numpy() drops an index, to match rows by position"
            )
    return index


def _describe_difference(index: Any, other: Any) -> str:
    """Describe the first difference between two pandas indexes."""
    if len(index) != len(other):
        return f"{len(index):,} and {len(other):,} rows"
    index, other = index.astype(object), other.astype(object)
    rows = range(len(index))
    row = bisect_left(rows, True, key=lambda end: not index[: end + 1].equals(other[: end + 1]))
    labels = (quoted(own[row : row + 1].tolist()[0]) for own in (index, other))
    return f"{' and '.join(labels)} in row {row:,}"


def is_per_spot(column: Column) -> bool:
    """Check whether a column from `normalize_column` has a separate value for each spot."""
    return isinstance(column, Values | np.ndarray)


#: What to do with players in rows, for messages.
COLUMN_HINT = "each player is a column: equities(*zip(*rows)) for a list of rows"


#: The code of a player whom a spot does not have, after its second one.
NO_PLAYER = -2

#: An index that maps spots to rows: ``intp (spot,)``, or a slice, which copies nothing, if each
#: spot has its own row.
RowOfSpot: TypeAlias = NDArray[np.intp] | slice


#: Text of each spot: the number of a string, ``integer (spot,)``, and the strings.
CodedText: TypeAlias = tuple[NDArray[Any], list[str]]


@attrs.frozen(eq=False)
class SpotColumns:
    """Spots as arrays, created by `read_columns`.

    A player's *code* is a combo number, or `COMBO_COUNT` plus an index of `ranges`; -1 for invalid
    text, and `NO_PLAYER` for the last players of spots with fewer players than others.
    """

    ranges: list[Range]
    """The distinct ranges with several combos or with weights."""
    codes: NDArray[np.int32]
    """The code of each player, ``int32 (spot, player)``."""
    boards: CardArray
    """The board cards, padded with `NO_CARD`, ``uint8 (spot, 5)``."""
    board_sizes: NDArray[np.int8]
    """The number of board cards, ``int8 (spot,)``."""
    board_sets: NDArray[np.uint64]
    """The set of the board cards, ``uint64 (spot,)``."""
    dead: NDArray[np.uint64]
    """The set of the dead cards, ``uint64 (spot,)``."""
    errors: dict[int, str]
    """The messages of spots with invalid text, by spot number."""
    columns: Mapping[str, Column]
    """The columns as given, in the forms of `normalize_column`: ``player 1`` and so on, ``board``
    and ``dead cards``. Empty on a Dask worker."""
    index: Any = None
    """The index that the pandas Series among the columns share; None if there is no Series."""

    def __len__(self) -> int:
        return len(self.codes)

    def select(self, rows: NDArray[np.intp]) -> SpotColumns:
        """Select spots by their numbers, in ascending order.

        `errors`, `columns` and `index` remain those of all spots.
        """
        return self._at(as_index(rows))

    def _at(self, index: NDArray[np.intp] | slice) -> SpotColumns:
        return attrs.evolve(
            self,
            codes=self.codes[index],
            boards=self.boards[index],
            board_sizes=self.board_sizes[index],
            board_sets=self.board_sets[index],
            dead=self.dead[index],
        )

    def take(self, rows: NDArray[np.intp]) -> SpotColumns:
        """Take spots by their numbers, in any order, with their own columns, errors and index."""
        spots = self._at(rows)
        columns = {
            name: column.take(rows)
            if isinstance(column, Values)
            else column[rows]
            if isinstance(column, np.ndarray)
            else column
            for name, column in self.columns.items()
        }
        errors = {
            number: self.errors[spot]
            for number, spot in enumerate(rows.tolist())
            if spot in self.errors
        }
        index = None if self.index is None else self.index[rows]
        return attrs.evolve(spots, errors=errors, columns=columns, index=index)

    def list_players(self, spot: int) -> tuple[Range | str, ...]:
        """List the players of a valid spot, each a `Range` or a single combo as a string."""
        return tuple(
            COMBO_TEXT[code] if code < COMBO_COUNT else self.ranges[code - COMBO_COUNT]
            for code in self.codes[spot].tolist()
            if code >= 0
        )

    def list_given_players(self, spot: int) -> tuple[Range | str, ...]:
        """List a spot's players as given, each a `Range` or a string; card ids are formatted."""
        codes = enumerate(self.codes[spot].tolist())
        return tuple(self.given(spot, player) for player, code in codes if code != NO_PLAYER)

    def given(self, spot: int, player: int) -> Range | str:
        """Look up a player as given: a `Range` or a string; format ids, and parse named ranges."""
        value = self._value(player_name(player), spot)
        code = int(self.codes[spot, player])
        if isinstance(value, str) and code >= COMBO_COUNT and may_have_names(value):
            return self.ranges[code - COMBO_COUNT]
        if isinstance(value, str | Range):
            return value
        if code == NO_PLAYER:
            return ""
        if code >= 0:
            return COMBO_TEXT[code]
        return "" if value is None else str(getattr(value, "tolist", lambda: value)())

    def board_text(self, spot: int) -> str:
        """Format a spot's board, or return the string that was given for the board."""
        value = self._value("board", spot)
        return value if isinstance(value, str) else cards_text(self.board(spot))

    def dead_text(self, spot: int) -> str:
        """Format a spot's dead cards, or return the string that was given for the dead cards."""
        value = self._value("dead cards", spot)
        return value if isinstance(value, str) else cards_text(self.dead_cards(spot))

    def player_texts(self, player: int) -> CodedText:
        """Format the same player in every spot; strings that were given stay unchanged."""
        name = player_name(player)
        if not isinstance(self.columns[name], np.ndarray):
            return self._texts(name, lambda spot: str(self.given(spot, player)))
        codes, texts = self.codes[:, player].copy(), list(COMBO_TEXT)
        wrong = np.flatnonzero(codes < 0)
        codes[wrong] = len(texts) + np.arange(len(wrong))
        return codes, texts + [str(self.given(spot, player)) for spot in wrong.tolist()]

    def board_texts(self) -> CodedText:
        """Format the board of every spot; strings that were given stay unchanged."""
        if not isinstance(self.columns["board"], np.ndarray):
            return self._texts("board", self.board_text)
        # Two characters a card, and zeros, which end a string, after the last one.
        cards = np.zeros(256, dtype="S2")
        cards[: len(DECK)] = list(map(str, DECK))
        texts = cards[self.boards].view("S10").astype("U10").ravel().tolist()
        return np.arange(len(self)), texts

    def dead_texts(self) -> CodedText:
        """Format the dead cards of every spot; strings that were given stay unchanged."""
        if not isinstance(self.columns["dead cards"], np.ndarray):
            return self._texts("dead cards", self.dead_text)
        _, first, codes = np.unique(self.dead, return_index=True, return_inverse=True)
        return codes, [self.dead_text(spot) for spot in first.tolist()]

    def _value(self, name: str, spot: int) -> Any:
        column = self.columns[name]
        return column[spot] if is_per_spot(column) else column

    def _texts(self, name: str, text: Callable[[int], str]) -> CodedText:
        """Format a column's values: keep strings, and call `text` for other values."""
        column = self.columns[name]
        if not isinstance(column, Values):
            return np.zeros(len(self), dtype=np.intp), [text(0)] if len(self) else [""]
        spots = np.zeros(len(column.distinct), dtype=np.intp)
        spots[column.rows] = np.arange(len(self))
        pairs = zip(column.distinct, spots.tolist(), strict=True)
        return column.rows, [value if type(value) is str else text(spot) for value, spot in pairs]

    def board(self, spot: int) -> tuple[Card, ...]:
        """Look up the board of a spot."""
        return tuple(map(Card, self.boards[spot, : self.board_sizes[spot]].tolist()))

    def dead_cards(self, spot: int) -> tuple[Card, ...]:
        """List the dead cards of a spot, lowest id first."""
        dead = int(self.dead[spot])
        return tuple(Card(card) for card in range(52) if dead >> card & 1)

    def count_boards(self, *, is_file: bool = False) -> tuple[int, int]:
        """Count the spots whose board is missing and those with board cards.

        Invalid text is left out.

        Args:
            is_file: whether empty text counts as a missing board; otherwise, it is a board without
                cards, which is not counted.
        """
        has_board = self.board_sizes > 0
        is_missing = ~has_board
        is_missing[list(self.errors)] = False
        column = self.columns["board"]
        if isinstance(column, Values) and not is_file and "" in column.distinct:
            is_missing &= column.rows != column.distinct.index("")
        return int(is_missing.sum()), int(has_board.sum())

    def same_as(self, other: SpotColumns) -> bool:
        """Check whether other spots have the same players, boards and dead cards.

        The cards of a board must be in the same order.
        """
        numbers: dict[Range, int] = {}

        def players(spots: SpotColumns) -> NDArray[np.int32]:
            own = [numbers.setdefault(hands, len(numbers)) for hands in spots.ranges]
            ranges = (COMBO_COUNT + number for number in own)
            # The last ones are indexed by the codes of no player and of invalid text.
            return np.array([*range(COMBO_COUNT), *ranges, NO_PLAYER, -1])[spots.codes]

        return bool(
            np.array_equal(players(self), players(other))
            and np.array_equal(self.boards, other.boards)
            and np.array_equal(self.dead, other.dead)
        )


def as_index(rows: NDArray[np.intp]) -> NDArray[np.intp] | slice:
    """Convert ascending numbers to a slice if they are consecutive, which saves a copy."""
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


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
        HoldemValueError: columns have different lengths or pandas indexes, or a value for all
            spots is invalid.
    """
    named = {player_name(player): column for player, column in enumerate(players)}
    given = named | {"board": board, "dead cards": dead}
    columns = {name: normalize_column(name, column) for name, column in given.items()}
    index = find_common_index(given)
    if not 2 <= len(players) <= 10:
        hint = COLUMN_HINT
        if len(players) == 1 and isinstance(players[0], str):
            hint = (
                "each player is an argument, text or a column of text; files of spots are read by"
                " the command holdem equities"
            )
        raise HoldemValueError(f"equities needs 2 to 10 players, not {len(players)}; {hint}")
    lengths = {name: len(column) for name, column in columns.items() if is_per_spot(column)}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {counted(n, 'row')}" for name, n in lengths.items())
        raise HoldemValueError(f"the columns have different lengths: {found}")
    count = next(iter(lengths.values()), 1)
    reader = PlayerReader(rules)
    codes = np.array([reader.read(name, columns[name], count) for name in named]).T
    errors = reader.errors
    is_absent = codes == NO_PLAYER
    for spot, player in np.argwhere(is_absent[:, :-1] & ~is_absent[:, 1:]).tolist():
        name = player_name(player)
        errors.setdefault(spot, f"{name} is missing, but not {player_name(player + 1)}")
    boards, sizes, rows = read_cards("board", columns["board"], count, 5, errors)
    dead_sets, dead_rows = read_dead(columns["dead cards"], count, errors)
    return SpotColumns(
        reader.ranges,
        codes,
        _pad(boards, 5)[rows],
        sizes[rows],
        make_card_sets(boards)[rows],
        dead_sets[dead_rows],
        errors,
        columns,
        index,
    )


def player_name(player: int) -> str:
    """Format the name of a player's column, given the player's index."""
    return f"player {player + 1}"


def are_cards(ids: NDArray[Any]) -> NDArray[np.bool_]:
    """Check whether each row contains only card ids, ``bool (row,)``."""
    is_card = (ids >= 0) & (ids < 52)
    # A reduction over short rows is slow, and almost always all are cards.
    return np.ones(len(ids), dtype=np.bool_) if is_card.all() else np.all(is_card, axis=1)


def read_cards(
    name: str, column: Column, count: int, limit: int, errors: dict[int, str]
) -> tuple[CardArray, NDArray[np.int8], RowOfSpot]:
    """Read a column of cards as ids.

    Args:
        name: the name of the column, for messages.
        column: the column, in a form of `normalize_column`.
        count: the number of spots.
        limit: the most cards of a spot.
        errors: receives the messages of spots with invalid cards, by spot number.

    Returns:
        The cards, ``uint8 (row, card)``, padded with `NO_CARD`; the number of cards in each row,
        ``int8 (row,)``; and an index that maps spots to rows. A card may be in a row twice.
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
    """Move the cards of each row to its start; return the rows and how many cards each has.

    The rest of a row is `NO_CARD`. A row with a number that is neither an id nor padding has no
    cards left, and its spot gets an error message.
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
    """Add each invalid value's error message to the errors of all spots with that value."""
    for spot in np.flatnonzero(np.isin(column.rows, list(wrong))).tolist() if wrong else ():
        errors.setdefault(spot, wrong[int(column.rows[spot])])


def read_dead(
    column: Column, count: int, errors: dict[int, str]
) -> tuple[NDArray[np.uint64], RowOfSpot]:
    """Read the sets of dead cards, ``uint64 (row,)``, and an index that maps spots to rows.

    The arguments are as for `read_cards`.
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
    """Parse distinct card strings; return padded ids, card counts, and errors by row."""
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
    """Parse at most `limit` cards; None stands for no cards."""
    cards = parse_cards(() if text is None else text, what=name)
    if len(cards) > limit:
        hint = "; boards for each spot are a list" if name == "board" else ""
        raise HoldemValueError(f"{name}: {len(cards)} cards are more than {limit}{hint}")
    return cards


def _parse_pairs(texts: list[str], length: int) -> NDArray[np.int64]:
    """Parse strings of `length` characters as ids, ``int64 (text, card)``; above 51 if invalid."""
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


def _pad(cards: CardArray, width: int) -> CardArray:
    """Pad rows of cards, ``uint8 (row, card)``, with `NO_CARD` to at least `width`."""
    return np.pad(cards, ((0, 0), (0, max(0, width - cards.shape[1]))), constant_values=NO_CARD)


#: The set of each card id; empty for `NO_CARD`.
_SETS: NDArray[np.uint64] = np.zeros(256, dtype=np.uint64)
_SETS[:52] = np.uint64(1) << np.arange(52, dtype=np.uint64)


def make_card_sets(cards: CardArray) -> NDArray[np.uint64]:
    """Compute the card set of each padded row, ``uint64 (row,)``."""
    sets = np.zeros(len(cards), dtype=np.uint64)
    for column in cards.T:
        sets |= _SETS[column]
    return sets


# The combo number of every two cards as a string, in either order.
_COMBO_OF_TEXT: dict[object, int] = {
    cards: code for code, text in enumerate(COMBO_TEXT) for cards in (text, text[2:] + text[:2])
}


class PlayerReader:
    """Reader of players' columns that parses each distinct value once.

    Attributes:
        ranges: the ranges read so far, to which codes refer.
        errors: the messages of spots with invalid players, by spot number.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.ranges: list[Range] = []
        self.errors: dict[int, str] = {}
        self._rules = rules
        self._codes = dict(_COMBO_OF_TEXT)

    def read(self, name: str, column: Column, count: int) -> NDArray[np.int32]:
        """Read a player's code in each spot, ``int32 (spot,)``; -1 for invalid text.

        After the second player, empty text and None are `NO_PLAYER`.
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
                raise HoldemValueError(f"{name}: hole cards are two cards, not {len(cards)}")
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
    """Write the message about a column of numbers, each of which could mean a hand or a card."""
    is_hand = len(column) == len(set(column)) == 2 and set(column) < set(range(DECK_SIZE))
    ids = column if is_hand else (51, 47)
    return (
        f"{name}: {quoted(list(column))} are numbers, not hands; card ids are rows of two, as in"
        f" [[{ids[0]}, {ids[1]}]] or an array (spot, 2), and one hand for all spots is text, as in"
        f" {quoted(cards_text(ids))}"
    )


def _is_long(item: object) -> bool:
    """Check whether an item is a string too long for a card."""
    return isinstance(item, str) and len(item.strip()) > len("10s")


@cache
def _make_combo_table() -> NDArray[np.int32]:
    """Tabulate the combo number of every two cards, ``int32 (card, card)``; -1 for equal cards."""
    table = np.full((52, 52), -1, dtype=np.int32)
    high, low = COMBO_CARDS.T
    table[high, low] = table[low, high] = np.arange(COMBO_COUNT)
    return table

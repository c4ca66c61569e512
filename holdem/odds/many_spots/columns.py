"""Conversion of columns of pandas, polars, pyarrow and numpy, and of lists, to a common form.

The form is described by `normalize_column`: distinct values with an index, or an array of card ids.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import chain
from itertools import count as counting
from typing import Any, TypeAlias

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.arguments import is_iterable
from holdem.cards import Card
from holdem.errors import HoldemTypeError, HoldemValueError, one_line, quoted
from holdem.ranges.range import Range

#: What a player or a set of cards may be: one value for all spots, or a value for each spot.
Column: TypeAlias = Any

#: The id of no card, which pads boards to five cards.
NO_CARD = 255

#: The numbers that stand for no card in a column of card ids.
PADDING = (-1, NO_CARD)

# The methods that convert a column to a list, in pandas, polars and pyarrow.
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
        """Select the values of the spots with the given numbers, ``intp (row,)``.

        Distinct values that no selected spot has are dropped.
        """
        used, rows = np.unique(self.rows[spots], return_inverse=True)
        return Values([self.distinct[number] for number in used.tolist()], rows)


def normalize_column(name: str, column: Column) -> Column:
    """Convert a column to a single value for all spots, to `Values`, or to an array of card ids.

    A single value is None, a string, a `Range`, or a tuple of cards, and is returned in this form.
    A column with a value for each spot becomes `Values`, or remains an array of card ids, ``integer
    (spot, card)``, in which -1 and `NO_CARD` stand for no card.
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
    if hasattr(column, "collect"):  # asking for the columns of a LazyFrame warns
        raise HoldemTypeError(
            f'{name}: a LazyFrame has no values yet; collect it first: frame.collect()["hero"]'
        )
    if hasattr(column, "fetchnumpy"):
        raise HoldemTypeError(
            f"{name}: a relation of DuckDB has no values yet; fetch a column:"
            ' relation.fetchnumpy()["hero"]'
        )
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
    """Convert a pandas or pyarrow column to `Values`; its library finds the distinct values."""
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
    """Tuple with a bool or a float, which is equal only to itself.

    A plain tuple such as ``(1.0, 2)`` would be equal to the card ids ``(1, 2)``.
    """

    __eq__ = object.__eq__
    __hash__ = object.__hash__


#: Types of numbers that are not card ids, but may be equal to them.
_NO_IDS = frozenset({bool, np.bool_, float, np.float32, np.float64})


def _is_tuple(value: object) -> bool:
    return type(value) is tuple


def _told_apart(value: Any) -> Any:
    is_wrong = _is_tuple(value) and any(
        type(item) in _NO_IDS and not _is_missing(item) for item in value
    )
    return _NoIds(value) if is_wrong else value


def _as_value(name: str, value: Any) -> Any:
    """Convert a value of a column to a hashable one; the missing values of any library become None.

    A list, a tuple or an array of cards becomes a tuple without padding, or None if there is no
    card.
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
    """Find the index of all pandas Series among the columns; return None if there is no Series."""
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


def player_name(player: int) -> str:
    """Format the name of a player's column: ``player 1`` for the index 0."""
    return f"player {player + 1}"

"""The forms of a column of spots: one value for all, a list of values, or an array of cards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from holdem.arguments import is_iterable
from holdem.errors import HoldemTypeError, HoldemValueError, quoted
from holdem.ranges.range import Range

#: What a player or a set of cards may be: one value for all spots, or a value for each spot.
Column: TypeAlias = Any

#: What to do with players in rows, for messages.
COLUMN_HINT = "each player is a column: equities(*zip(*rows)) for a list of rows"


def as_column(name: str, column: Column) -> Column:
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
    elif hasattr(column, "tolist") and not isinstance(column, np.generic):
        values = column.tolist()
    elif hasattr(column, "to_list"):  # of polars
        values = column.to_list()
    elif isinstance(column, Sequence) and not isinstance(column, bytes | bytearray):
        if column and all(isinstance(item, int | np.integer) for item in column):
            return tuple(column)  # the cards of one board or player
        values = list(column)
    else:
        raise HoldemTypeError(f"{name}: expected text or a column of text, not {quoted(column)}")
    return [value if type(value) is str else _as_value(name, value) for value in values]


def _as_value(name: str, value: Any) -> Any:
    """Return a value of a column, hashable; missing values of any library become None."""
    if is_iterable(value) and isinstance(value, list | np.ndarray):
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


def common_index(columns: Mapping[str, Column]) -> Any:
    """Return the index that all pandas Series among some columns have; None without a Series.

    Raises:
        HoldemValueError: two Series have different indexes.
    """
    # Only pandas has `iloc`; lists have an `index`, too.
    indexes = [(name, own.index) for name, own in columns.items() if hasattr(own, "iloc")]
    if not indexes:
        return None
    first, index = indexes[0]
    for name, other in indexes[1:]:
        if not index.equals(other):
            found = _difference(index, other)
            raise HoldemValueError(
                f"{first} and {name} are Series with different indexes: {found}. Take both from"
                " one data frame, or select the rows of one by the index of the other, as in"
                " board.loc[hero.index]; .to_numpy() drops an index, to match rows by position"
            )
    return index


def _difference(index: Any, other: Any) -> str:
    """Describe the first difference between two pandas indexes."""
    if len(index) != len(other):
        return f"{len(index):,} and {len(other):,} rows"
    rows = range(len(index))
    row = bisect_left(rows, True, key=lambda end: not index[: end + 1].equals(other[: end + 1]))
    labels = (quoted(own[row : row + 1].tolist()[0]) for own in (index, other))
    return f"{' and '.join(labels)} in row {row:,}"


def is_per_spot(column: Column) -> bool:
    """Return whether a column in the form of `as_column` has a value for each spot."""
    return isinstance(column, list | np.ndarray)

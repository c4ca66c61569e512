"""Base classes of results that are tables, and of their records."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.cached_property import cached_property
from holdem.errors import HoldemTypeError, quoted
from holdem.results.base_result import Plottable, Result
from holdem.results.fields import declared

_Record = TypeVar("_Record")
_Table = TypeVar("_Table", bound="RecordTable[Any]")


class TableResult(Result):
    """Base class of results that are tables, with rows and with columns of several types.

    The class does not derive from `collections.abc.Sequence`, because polars would then read a
    table as a list of rows instead of using the Arrow interface.
    """

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of rows."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Export the table, as given by `to_frame`, through Arrow's C stream interface.

        It is called by ``polars.DataFrame(table)``, ``pyarrow.table(table)`` and
        ``pandas.DataFrame.from_arrow(table)``.
        """
        return self._make_frame("pyarrow").__arrow_c_stream__(requested_schema)

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Raise `HoldemTypeError`, because the columns of a table have several types."""
        raise HoldemTypeError(
            f"{type(self).__name__} is a table with columns of several types, not an array: use"
            " one of its arrays, or .to_frame()"
        )

    def _choose_rows(self, index: Any) -> NDArray[np.intp]:
        """Convert a slice, a mask ``bool (row,)`` or numbers to row numbers, ``intp (row,)``."""
        rows = np.arange(len(self))
        if isinstance(index, slice):
            return rows[index]
        numbers = None if isinstance(index, str) else np.asarray(index)
        if (
            numbers is None
            or numbers.ndim != 1
            or (len(numbers) and numbers.dtype.kind not in "biu")
        ):
            if numbers is not None and numbers.dtype == np.bool_:
                raise HoldemTypeError(f"{self._describe_mask(numbers)}; choose one, as mask[:, 0]")
            raise HoldemTypeError(
                f"expected the number of a row, a slice, a mask or numbers, not {quoted(index)};"
                " table.to_frame() takes names of columns"
            )
        if numbers.dtype == np.bool_ and len(numbers) not in (0, len(self)):
            raise IndexError(self._describe_mask(numbers))
        return rows[numbers if len(numbers) else slice(0)]

    def _describe_mask(self, mask: NDArray[np.bool_]) -> str:
        return f"a mask has a bool for each row, shape ({len(self)},), not {mask.shape}"


class Record:
    """Base class of the records of a `RecordTable`, each of which contains the values of a row."""

    def __repr__(self) -> str:
        kind: Any = type(self)
        fields = (f"{own.name}={getattr(self, own.name)!r}" for own in declared(kind))
        return f"{kind.__name__}({', '.join(fields)})"


@attrs.frozen(eq=False, repr=False, slots=False)
class RecordTable(TableResult, Plottable, Generic[_Record]):
    """Base class of tabular results: columns are read-only arrays, and iteration yields records.

    ``table[5]`` and ``table["AsKs"]`` are records; ``table[2:5]``, ``table[mask]`` and
    ``table[numbers]`` are tables of the chosen rows.

    The columns are declared in a generic class, from which both the table and its records derive.
    In a record, a column is a value; in a table, it is an array whose first axis is the row.
    """

    _record: ClassVar[type[Any]]
    """The attrs class of the records. Its first field is the record's name, if records have one."""
    _missing: ClassVar[str]
    """The start of the error message for a name that the table does not have; the name follows."""
    _shared: ClassVar[tuple[str, ...]] = ()
    """The names of the table's arrays that do not have an element for each row."""

    def __attrs_post_init__(self) -> None:
        for field in attrs.fields(type(self)):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """List the names of the columns."""
        record: Any = cls._record
        return tuple(field.name for field in declared(record))

    def __len__(self) -> int:
        return len(getattr(self, attrs.fields(type(self))[0].name))

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the values of each record as a tuple, with None for NaN."""
        columns = (getattr(self, name).tolist() for name in self.columns())
        without_nan = ([None if value != value else value for value in own] for own in columns)
        return zip(*without_nan, strict=True)

    @cached_property
    def _records(self) -> tuple[_Record, ...]:
        names = self.columns()
        rows = (
            [tuple(own) if isinstance(own, list) else own for own in row] for row in self._rows()
        )
        return tuple(self._record(**dict(zip(names, row, strict=True))) for row in rows)

    @overload
    def __getitem__(self, index: int | str) -> _Record: ...
    @overload
    def __getitem__(self, index: slice | Iterable[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> _Record | Self:
        """Return one record, or a table of several rows.

        Args:
            index: the number or the name of a record; or, for several rows, a slice, a mask ``bool
                (row,)``, or row numbers.
        """
        if hasattr(index, "__index__") and np.ndim(index) == 0:
            record: _Record = self._records[index]
            return record
        if not isinstance(index, str):
            rows = self._choose_rows(index)
            arrays = {
                field.name: value[rows]
                for field in attrs.fields(type(self))
                if isinstance(value := getattr(self, field.name), np.ndarray)
                and field.name not in self._shared
            }
            return attrs.evolve(self, **arrays)
        key = self.columns()[0]
        for name in (index, index[2:] + index[:2]):  # of two cards, either may come first
            for record in self._records:
                if getattr(record, key) == name:
                    return record
        raise KeyError(f"{self._missing} {quoted(index)}")

    def __iter__(self) -> Iterator[_Record]:
        return iter(self._records)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._records == other._records

    def __hash__(self) -> int:
        return hash(self._records)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy only the fields, so that arrays are read-only in the copy, too."""
        fields = {field.name: getattr(self, field.name) for field in attrs.fields(type(self))}
        return partial(type(self), **fields), ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows>"

    def to_dict(self) -> list[dict[str, Any]]:
        """Convert the records to a list of JSON objects."""
        names = self.columns()
        return [dict(zip(names, row, strict=True)) for row in self._rows()]


def table_without_rows(table: type[_Table], default: NDArray[Any], **fields: Any) -> _Table:
    """Build a table that has no rows.

    `default`, an empty array, is the value of each required field that is not in `fields`.
    """
    arrays = {
        field.name: default for field in attrs.fields(table) if field.default is attrs.NOTHING
    }
    return table(**arrays | fields)


def name_rows(names: Sequence[str], numbers: NDArray[np.integer[Any]]) -> NDArray[np.str_]:
    """Build a column, ``str (row,)``, of the names at the indices `numbers`, ``int (row,)``."""
    return np.array([names[number] for number in numbers.tolist()], dtype=np.str_)

"""`RecordTable`: the base class of results stored as column arrays and read as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar, overload

import attrs
import numpy as np

from holdem.base_result import Plottable, Result
from holdem.errors import quoted

_Record = TypeVar("_Record")


@attrs.frozen(eq=False, repr=False, slots=False)
class RecordTable(Result, Plottable, Sequence[_Record]):
    """Base class of tabular results: columns are read-only arrays, and iteration yields records.

    Subclasses are attrs classes. For each field of the record, the table has an attribute of the
    same name: an array with one element, or one row, for each record.
    """

    _record: ClassVar[type[Any]]
    """The attrs class of the records. Its first field is the name of the record."""
    _missing: ClassVar[str]
    """The start of the message about a name that the table does not have."""

    def __attrs_post_init__(self) -> None:
        for field in attrs.fields(type(self)):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """List the names of the columns."""
        return tuple(field.name for field in attrs.fields(cls._record))

    def __len__(self) -> int:
        return len(getattr(self, attrs.fields(type(self))[0].name))

    @cached_property
    def _records(self) -> tuple[_Record, ...]:
        columns = (getattr(self, name).tolist() for name in self.columns())
        return tuple(self._record(*map(_plain, values)) for values in zip(*columns, strict=True))

    def _same_name(self, name: str) -> str:
        """Normalize a name to its spelling in the records."""
        return name

    @overload
    def __getitem__(self, index: int | str) -> _Record: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_Record, ...]: ...
    def __getitem__(self, index: int | str | slice) -> _Record | tuple[_Record, ...]:
        """Look up a record by index or by name, or several records by slice.

        Raises:
            KeyError: no record has the name.
        """
        if not isinstance(index, str):
            return self._records[index]
        name, key = self._same_name(index), self.columns()[0]
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
        """Pickle and copy the fields only; the copy's arrays are read-only, too."""
        fields = attrs.fields(type(self))
        return type(self), tuple(getattr(self, field.name) for field in fields)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows>"

    def to_dict(self) -> list[dict[str, Any]]:
        """Convert the records to a list of JSON objects."""
        names = self.columns()
        columns = (
            [None if value != value else value for value in getattr(self, name).tolist()]
            for name in names
        )
        return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _plain(value: Any) -> Any:
    """Convert a record's value: NaN becomes None, and an array's row becomes a tuple."""
    if isinstance(value, list):
        return tuple(value)
    return None if value != value else value

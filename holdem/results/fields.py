"""Declarations of the fields of results, from which JSON, CSV, data frames and text are made.

The class of a result is an attrs class, and declares each field in one place, with its type and a
docstring for the reference page. `to_json` derives the keys of JSON objects from the class, and
`columns_of` the names and types of columns. Tables of text have a column for each field
(`holdem.report.model.text_columns`), unless a report has a layout of its own. If a format shows a
field differently from the default, the metadata of the field say so (`shown`). A property counts as
a field if it is marked with `shown_property`.

Fields are in the order of the class, and properties follow. A class may have a tuple `_first` with
the names of the fields that come before all others; `columns_of` takes such names of columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs
import numpy as np

from holdem.cards import Card

_Property = TypeVar("_Property", bound=Callable[..., Any])
_Named = TypeVar("_Named", bound="Field | ColumnType")

#: Headings in text of columns that several results and reports have.
ERROR_HEAD, INTERVAL_HEAD = "std. error", "95 % interval"

#: The largest integer in columns and arrays, in place of larger numbers of deals.
LARGEST = (1 << 63) - 1

_KEY = "holdem"
# The types of values that are JSON as they are.
_PLAIN = frozenset({NoneType, bool, int, float, str})
_DTYPES = {bool: "bool", int: "int64", float: "float64", str: "string"}


@attrs.frozen
class EvaluatorLabel:
    """An evaluator's name and version. ``str`` gives the name."""

    name: str
    version: str

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, str]:
        """Convert the name and version to a JSON object."""
        return attrs.asdict(self)


@attrs.frozen
class Shown:
    """How JSON, CSV, data frames and tables of text show a field."""

    column: str = ""
    """The name of the column in CSV and data frames; by default, the name of the field."""
    dtype: str = ""
    """The type of the column, as in `holdem.report.model.Column`; by default, it follows from the
    type of the field."""
    is_last: bool = False
    """Whether the column is moved to the end of the table. An evaluator has two columns, name and
    version; only the version is moved."""
    is_optional: bool = False
    """Whether JSON omits the field if its value is None, and CSV and data frames omit the column if
    all its values are missing."""
    is_flat: bool = False
    """Whether the value is a result whose own fields are shown in place of this field. Tables of
    text show neither."""
    in_json: bool = True
    in_columns: bool = True
    in_text: bool = True
    """Whether tables of text have a column for the field, provided that a cell can hold its values.
    """
    head: str = ""
    """The heading of the column in text; by default, the field's name with blanks for
    underscores."""
    cell: str = ""
    """The format of the cells in text, as in `holdem.report.cells.cell_format`."""
    error: str = ""
    """The name of the field with the standard error of this field, which determines the number of
    decimals of a percentage."""


def shown(**how: Any) -> dict[str, Shown]:
    """Build the ``metadata`` of an attrs field that some format shows differently from the default.

    `how` are the attributes of `Shown` that differ from their defaults.
    """
    return {_KEY: Shown(**how)}


def shown_property(**how: Any) -> Callable[[_Property], _Property]:
    """Create a decorator that marks a property as a field of its result.

    It is written below ``@property`` or ``@cached_property``, and takes the arguments of `shown`.
    """

    def mark(function: _Property) -> _Property:
        setattr(function, _KEY, Shown(**how))
        return function

    return mark


@attrs.frozen
class Field:
    """The name of a field, or of a property marked with `shown_property`, and how it is shown."""

    name: str
    shown: Shown


@cache
def declared(result: Any) -> tuple[Field, ...]:
    """List the public fields and marked properties of a result's class, in the order of JSON."""
    fields = [
        Field(field.name, field.metadata.get(_KEY, Shown()))
        for field in attrs.fields(result)
        if not field.name.startswith("_")
    ]
    fields += [
        Field(name, getattr(function, _KEY)) for name, function in _properties(result).items()
    ]
    return tuple(_put_first(fields, getattr(result, "_first", ())))


def text_fields(result: Any) -> list[Field]:
    """List the fields of a result's class that have a column in tables of text, as `declared`.

    Fields of a type that no cell can hold, such as a dict, are left out unless they declare a type
    or format of their own.
    """
    hints = _types_of(result)

    def fits_cell(field: Field) -> bool:
        how, of = field.shown, hints[field.name]
        # The type of a table's field is a variable, as its records have values and it has arrays.
        return bool(how.cell or how.dtype or isinstance(of, TypeVar) or _split(field.name, of))

    return [field for field in declared(result) if field.shown.in_text and fits_cell(field)]


def _properties(result: type[Any]) -> dict[str, Callable[..., Any]]:
    """Map the names of the properties marked by `shown_property` to their getter functions."""
    found: dict[str, Callable[..., Any]] = {}
    for owner in reversed(result.__mro__):
        for name, value in vars(owner).items():
            function = value.fget if isinstance(value, property) else None
            if isinstance(value, cached_property):
                function = value.func
            if function is not None and hasattr(function, _KEY):
                found[name] = function
    return found


def _put_first(items: list[_Named], names: Sequence[str]) -> list[_Named]:
    """Put the items with the given names first, in the order of the names."""
    named = {own.name: own for own in items}
    return [*(named[name] for name in names), *(own for own in items if own.name not in names)]


# --- JSON --------------------------------------------------------------------------------------


def to_json(result: Any, **given: Any) -> dict[str, Any]:
    """Convert the fields of a result to a JSON object; values in `given` replace the result's."""
    kind: Any = type(result)
    names, unusual = _json_fields(kind)
    record = {name: given[name] if name in given else getattr(result, name) for name in names}
    for name, value in record.items():
        if type(value) not in _PLAIN and name not in given:
            record[name] = json_value(value)
    for name, how in unusual.items():
        if how.is_optional and record[name] is None:
            del record[name]
        elif how.is_flat:
            before = names[: names.index(name)]
            flat = record.pop(name)
            record = {own: record.pop(own) for own in before if own in record} | flat | record
    return record


@cache
def _json_fields(result: Any) -> tuple[tuple[str, ...], dict[str, Shown]]:
    """List the names of the fields that are in the JSON object of a result's class.

    Those fields that have `is_flat` or `is_optional` are also returned with their `Shown`.
    """
    fields = [field for field in declared(result) if field.shown.in_json]
    unusual = {
        field.name: field.shown
        for field in fields
        if field.shown.is_optional or field.shown.is_flat
    }
    return tuple(field.name for field in fields), unusual


def json_value(value: Any) -> Any:
    """Convert the value of a field to a value that `json.dumps` accepts."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): json_value(own) for key, own in value.items()}
    if isinstance(value, tuple | list):
        return [json_value(own) for own in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.to_dict() if hasattr(value, "to_dict") else to_json(value)


# --- columns -----------------------------------------------------------------------------------


@attrs.frozen
class ColumnType:
    """The name and type, as in `holdem.report.model.Column`, of a column of a data frame or CSV."""

    name: str
    dtype: str
    is_last: bool = False
    """Whether the column is moved to the end of the table."""
    is_optional: bool = False
    """Whether the column is left out if all its values are missing."""


def column(name: str, of: Any, *, is_last: bool = False) -> list[ColumnType]:
    """Declare the column of a value of type `of` that is not a field, such as a player's number.

    An `EvaluatorLabel` has two columns (name and version).
    """
    return [ColumnType(name, dtype, is_last) for name, dtype in _split(name, of)]


def columns_of(
    *parts: type[Any] | list[ColumnType], first: Sequence[str] = (), may_be_missing: bool = False
) -> list[ColumnType]:
    """List the columns of a table, each row of which has the fields of several results.

    `parts` are the classes of these results, and lists of further columns as from `column`. Columns
    named in `first` come before all others. If values `may_be_missing` in some rows, columns of
    integers have the type ``"Int64"`` instead of ``"int64"``.
    """
    found: list[ColumnType] = []
    for part in parts:
        own: Any = part
        found += part if isinstance(part, list) else _columns_of_class(own)
    found = _put_first(found, first)
    if may_be_missing:
        found = [
            attrs.evolve(own, dtype="Int64" if own.dtype == "int64" else own.dtype) for own in found
        ]
    return sorted(found, key=lambda own: own.is_last)


@cache
def _columns_of_class(result: Any) -> tuple[ColumnType, ...]:
    hints = _types_of(result)
    columns: list[ColumnType] = []
    for field in declared(result):
        how = field.shown
        if not how.in_columns:
            continue
        if how.is_flat:
            columns += _columns_of_class(hints[field.name])
            continue
        found = _split(how.column or field.name, how.dtype or hints[field.name])
        columns += [
            ColumnType(
                name,
                dtype,
                # The name of an evaluator stays in its place.
                is_last=how.is_last and (len(found) == 1 or bool(number)),
                is_optional=how.is_optional,
            )
            for number, (name, dtype) in enumerate(found)
        ]
    return tuple(columns)


def _types_of(result: type[Any]) -> dict[str, Any]:
    of_properties = {
        name: get_type_hints(function)["return"] for name, function in _properties(result).items()
    }
    return get_type_hints(result) | of_properties


def _split(name: str, of: Any) -> list[tuple[str, str]]:
    """Return the columns of a field as pairs of a name and a type, such as ``"float64"``.

    `of` is the type of the field, or the type of its column as a string. Most fields have one
    column; an `EvaluatorLabel` or a pair of floats has two, and a field whose values fit no cell
    has none.
    """
    if isinstance(of, str):
        return [(name, of)]
    is_union = get_origin(of) in (Union, UnionType)
    options = [option for option in (get_args(of) if is_union else (of,)) if option is not NoneType]
    if set(options) == {int, float}:
        return [(name, "float64")]
    (kind,) = options[:1]
    if len(options) > 1:
        return []
    if get_origin(kind) is Literal:
        kind = type(get_args(kind)[0])
    if kind in _DTYPES:
        is_missing = kind is int and len(get_args(of)) > 1 and is_union
        return [(name, "Int64" if is_missing else _DTYPES[kind])]
    if kind is EvaluatorLabel:
        return [(name, "string"), (f"{name}_version", "string")]
    if get_args(kind) == (float, float):
        return [(f"{name}_low", "float64"), (f"{name}_high", "float64")]
    is_text = isinstance(kind, type) and issubclass(kind, tuple)
    if is_text or (get_origin(kind) is tuple and get_args(kind)[0] in (Card, str)):
        return [(name, "string")]
    return []

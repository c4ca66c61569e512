"""What a field of a result declares, from which JSON, CSV, data frames and text follow.

A result is an attrs class. A field is written there only, with its type and its docstring, which
the reference page shows: `to_json` finds the keys of JSON objects in the class, and `columns_of`
the names and types of columns. Tables of text have a column for each field
(`holdem.report.model.text_columns`), except where a report has a layout of its own. What differs in
a format stands in the metadata of the field (`shown`); a property takes part if it is marked with
`shown_property`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs
import numpy as np

from holdem.cards import Card

_Property = TypeVar("_Property", bound=Callable[..., Any])

#: Headings in text of columns that several results and reports have.
ERROR_HEAD, INTERVAL_HEAD = "std. error", "95 % interval"

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
    """The name of its column; by default, that of the field."""
    dtype: str = ""
    """The type of its column, as in `Column`; by default, it follows from the field's type."""
    before: str = ""
    """The field before which it stands; by default, fields stand in the order of the class."""
    column_before: str = ""
    """The field before which its column stands, if that differs from the order of JSON."""
    is_last: bool = False
    """Whether its column comes after all columns for which this is False; of the two columns of
    an evaluator, only that of the version does."""
    is_optional: bool = False
    """Whether JSON leaves it out if it is None, and CSV and data frames if all its values are."""
    is_flat: bool = False
    """Whether the fields of its value stand in its place; tables of text leave them out."""
    in_json: bool = True
    in_columns: bool = True
    in_text: bool = True
    """Whether tables of text have its column, if a cell can hold its values."""
    head: str = ""
    """The heading of its column in text; by default, the field's name with blanks."""
    cell: str = ""
    """The format of its cells in text, as in `holdem.report.cells.cell_format`."""
    error: str = ""
    """The field with its standard error, which determines the decimals of a percentage."""


def shown(**how: Any) -> dict[str, Shown]:
    """Build the metadata of a field that a format shows differently from the default.

    Args:
        **how: the fields of `Shown` that differ.
    """
    return {_KEY: Shown(**how)}


def shown_property(**how: Any) -> Callable[[_Property], _Property]:
    """Mark a property as a field; it goes below ``@property`` or ``@cached_property``.

    Args:
        **how: the fields of `Shown` that differ from the default.
    """

    def mark(function: _Property) -> _Property:
        setattr(function, _KEY, Shown(**how))
        return function

    return mark


@attrs.frozen
class Field:
    """A field or property of a result that at least one format shows."""

    name: str
    shown: Shown


@cache
def declared(result: Any) -> tuple[Field, ...]:
    """List the public fields and the marked properties of a result's class, in order.

    Args:
        result: the class.
    """
    fields = [
        Field(field.name, field.metadata.get(_KEY, Shown()))
        for field in attrs.fields(result)
        if not field.name.startswith("_")
    ]
    fields += [
        Field(name, getattr(function, _KEY)) for name, function in _properties(result).items()
    ]
    return tuple(_moved(fields, [field.shown.before for field in fields]))


@cache
def declared_for_text(result: Any) -> tuple[Field, ...]:
    """List the fields that have a column in tables of text, in order.

    Those of a type that no cell can hold, such as a dict, are left out unless they declare the
    format of their cells.

    Args:
        result: the class.
    """
    hints = _types_of(result)

    def fits(name: str, how: Shown) -> bool:
        of = how.dtype or hints[name]
        # The type of a table's field is a variable, as its records have values and it has arrays.
        return bool(how.cell) or isinstance(of, TypeVar) or bool(_split(name, of))

    fields = declared(result)
    return tuple(own for own in fields if own.shown.in_text and fits(own.name, own.shown))


def _properties(result: type[Any]) -> dict[str, Callable[..., Any]]:
    """Find the functions of a class's properties marked by `shown_property`, by name."""
    found: dict[str, Callable[..., Any]] = {}
    for owner in reversed(result.__mro__):
        for name, value in vars(owner).items():
            function = value.fget if isinstance(value, property) else None
            if isinstance(value, cached_property):
                function = value.func
            if function is not None and hasattr(function, _KEY):
                found[name] = function
    return found


def _moved(fields: list[Field], before: Iterable[str]) -> list[Field]:
    """Reorder fields: put each one directly before the field that `before` names for it, if any."""
    order = list(fields)
    for field, name in zip(fields, before, strict=True):
        if name:
            order.remove(field)
            order.insert([other.name for other in order].index(name), field)
    return order


# --- JSON --------------------------------------------------------------------------------------


def to_json(result: Any, **given: Any) -> dict[str, Any]:
    """Convert the fields of a result to a JSON object.

    Args:
        result: the result.
        **given: JSON values that replace those of the fields with these names.
    """
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
    """List a result class's JSON keys, and map those that are flat or optional to their `Shown`.

    Args:
        result: the class.
    """
    fields = [field for field in declared(result) if field.shown.in_json]
    unusual = {
        field.name: field.shown
        for field in fields
        if field.shown.is_optional or field.shown.is_flat
    }
    return tuple(field.name for field in fields), unusual


def json_value(value: Any) -> Any:
    """Convert a value of a field to a JSON value."""
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
    """The name and type of a column of CSV and data frames."""

    name: str
    dtype: str
    before: str = ""
    """The column before which `columns_of` puts it; by default, it stays where it is listed."""
    is_last: bool = False
    is_optional: bool = False
    """Whether it is left out if all its values are missing."""


def column(name: str, of: Any, before: str = "", *, is_last: bool = False) -> list[ColumnType]:
    """Declare the column of a value that is not a field of a result, such as a player's number.

    Args:
        name: its name.
        of: its type, such as ``int`` or ``int | None``; an evaluator has two columns.
        before: the column before which it stands; by default, it stays where it is listed.
        is_last: whether it stands after all columns for which this is False.
    """
    return [ColumnType(name, dtype, before, is_last) for name, dtype in _split(name, of)]


def columns_of(
    *parts: type[Any] | list[ColumnType], may_be_missing: bool = False
) -> list[ColumnType]:
    """List the columns of a table whose rows have the fields of several results.

    Args:
        *parts: classes of results, and lists of columns.
        may_be_missing: whether some rows have no value, so that integers are ``"Int64"``.
    """
    found: list[ColumnType] = []
    for part in parts:
        own: Any = part
        found += part if isinstance(part, list) else _columns_of_class(own)
    for own in [own for own in found if own.before]:
        found.remove(own)
        found.insert([other.name for other in found].index(own.before), own)
    if may_be_missing:
        found = [
            attrs.evolve(own, dtype="Int64" if own.dtype == "int64" else own.dtype) for own in found
        ]
    return sorted(found, key=lambda own: own.is_last)


@cache
def _columns_of_class(result: Any) -> tuple[ColumnType, ...]:
    hints = _types_of(result)
    fields = list(declared(result))
    columns: list[ColumnType] = []
    for field in _moved(fields, [field.shown.column_before for field in fields]):
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
    """List the name and type of each column of a field; return [] if no cell can hold its values.

    Args:
        name: the name of the field.
        of: the type of the field, or the type of its column as a string.
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

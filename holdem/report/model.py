"""The model of a report, which describes a result independently of the output format.

Text, Markdown and HTML show the blocks of a report; CSV and data frames have its columns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import chain, repeat
from typing import Any, NamedTuple

import attrs
import numpy as np
from numpy.typing import NDArray

from holdem.report.cells import Row, cell_format, decimals, exact_decimals
from holdem.report.colours import Scale
from holdem.results.fields import ColumnType, text_fields

DEFAULT_WIDTH = 80
_LEAST_WIDTH = 60


@attrs.frozen
class Column:
    """A column in the CSV output and data frames of a result.

    Name and type do not depend on the values, so that frames of several results can be
    concatenated.
    """

    name: str
    dtype: str
    """The type in data frames: ``"string"``, ``"bool"``, a numeric type of numpy, ``"Int64"`` for
    integers that may be missing, or ``"category"``."""
    values: NDArray[Any] | Sequence[Any]
    """The values of the rows, or the different values if `codes` is given. A missing value is None
    or, in an array, NaN."""
    categories: Sequence[str] = ()
    """All hand categories of the rule set, weakest first, for a column of categories."""
    codes: NDArray[np.integer[Any]] | None = None
    """The index in `values` of the value of each row, ``(row,)``; None if `values` has one value
    for each row."""

    def cells(self) -> list[Any]:
        """List the value of each row, with None for a missing value."""
        if self.codes is not None:
            return list(map(self.values.__getitem__, self.codes.tolist()))
        if not isinstance(self.values, np.ndarray):
            return list(self.values)
        cells: list[Any] = self.values.tolist()
        return [None if cell != cell else cell for cell in cells]


def array_column(name: str, values: NDArray[Any]) -> Column:
    """Build a column from an array of numbers, truth values or strings; NaN or None is missing."""
    return Column(name, "string" if values.dtype.kind in "UO" else values.dtype.name, values)


def columns_of_rows(
    schema: Sequence[ColumnType], rows: Iterable[Mapping[str, Any]], categories: Sequence[str] = ()
) -> list[Column]:
    """Build columns from rows that are JSON objects.

    Names that are not in `schema` are ignored, and a value that a row does not have is None. An
    optional column is left out if all of its values are missing. `categories` are all hand
    categories, weakest first, for columns of type ``"category"``.

    A list becomes a string with spaces between the items. An object in a row is divided into
    columns: ``{"lowest": {"board": …}}`` has the column ``lowest_board``, but the item ``name`` of
    ``evaluator`` is in the column ``evaluator``. The bounds of an interval ``ci95`` are in the
    columns ``ci95_low`` and ``ci95_high``.
    """
    flat = list(map(_flatten, rows))
    columns = []
    for own in schema:
        values = [_joined(row.get(own.name)) for row in flat]
        if not own.is_optional or any(value is not None for value in values):
            columns.append(Column(own.name, own.dtype, values, categories))
    return columns


def _joined(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value


def _flatten(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat |= {name if key == "name" else f"{name}_{key}": x for key, x in value.items()}
        elif name.endswith("ci95"):
            flat[f"{name}_low"], flat[f"{name}_high"] = value or (None, None)
        else:
            flat[name] = value
    return flat


def text_columns(
    kind: Any,
    results: Any,
    digits: int | None = None,
    without: Container[str] = (),
) -> dict[str, list[str]]:
    """Format the fields of results, which are of the class `kind`, as cells, by heading.

    Reports add columns for values that are not fields, and replace columns that they format in
    another way. `results` may be a table with an array for each field, such as a `RecordTable`.
    Numbers without a standard error have `digits` decimals; by default, as many as show all counts
    and weighted sums exactly, up to four. Headings in `without` are left out.
    """
    fields = [field for field in _text_fields(kind) if field.head not in without]
    names = [*(field.name for field in fields), *{field.error for field in fields if field.error}]
    columns: Iterable[Sequence[Any]]
    if isinstance(results, Sequence):
        rows = [[getattr(own, name) for name in names] for own in results]
        columns = zip(*rows, strict=True) if rows else [()] * len(names)
    else:
        arrays = (getattr(results, name).tolist() for name in names)
        columns = ([None if own != own else own for own in column] for column in arrays)
    values: dict[str, Sequence[Any]] = dict(zip(names, columns, strict=True))
    if digits is None:
        counts = (values[field.name] for field in fields if field.is_count)
        digits = exact_decimals(chain.from_iterable(counts))
    digits_by: dict[str, Iterable[int]] = {"": repeat(digits)}
    for field in fields:
        if field.error not in digits_by:
            digits_by[field.error] = list(map(decimals, values[field.error]))
    return {
        field.head: list(map(field.form, values[field.name], digits_by[field.error]))
        for field in fields
    }


class _TextField(NamedTuple):
    """How `text_columns` shows a field."""

    name: str
    head: str
    form: Callable[[Any, int], str]
    error: str
    is_count: bool


@cache
def _text_fields(kind: Any) -> list[_TextField]:
    return [
        _TextField(
            name,
            how.head or name.replace("_", " "),
            cell_format(how.cell),
            how.error,
            how.cell == ",",
        )
        for name, how in ((field.name, field.shown) for field in text_fields(kind))
    ]


@attrs.frozen
class Table:
    """A table of text cells with an optional title and note."""

    head: Row
    rows: Sequence[Row]
    left: int = 1
    """The number of left-aligned columns, from the first; the others hold numbers."""
    title: str = ""
    note: str = ""
    """Text directly below the table."""
    optional: Sequence[Row] = ()
    """Groups of column names that narrow text leaves out, in this order."""
    bars: Sequence[float | None] = ()
    """For each row the length of a bar, a fraction, for terminals that can show it."""
    bars_head: str = ""
    """The column name of the bars."""
    shades: Sequence[Sequence[float | None]] = ()
    """In HTML, the position of each cell's background in `scale`, from 0 to 1, or None."""
    scale: Scale = ()
    """The colours of the shades."""

    @classmethod
    def of(
        cls, columns: Mapping[str, Sequence[str]], first: Sequence[str] = (), **options: Any
    ) -> Table:
        """Build a table from the cells of each column, by heading.

        Headings in `first` come first. `options` are other fields of the table.
        """
        head = [name for name in first if name in columns]
        head += [name for name in columns if name not in head]
        rows = list(zip(*(columns[name] for name in head), strict=True))
        return cls(head, rows, **options)


@attrs.frozen
class Style:
    """The text style of a report; the default is plain text for a file or a pipe."""

    width: int = DEFAULT_WIDTH
    """The largest number of characters in a line. Tables are laid out to fit."""
    symbols: bool = False
    """Show suits as ♣ ♦ ♥ ♠ instead of letters."""
    colour: bool = False
    """Use ANSI codes for colours."""
    bars: bool = False
    """Draw bars with block characters beside the rows of tables that have them."""


def text_width(terminal: int = 0) -> int:
    """Determine the width of text output in columns, at least 60.

    A `terminal` of width 0 counts as 80. The environment variable ``COLUMNS`` overrides it.
    """
    given = os.environ.get("COLUMNS", "")
    columns = int(given) if re.fullmatch("[0-9]{1,5}", given) else 0
    return max(columns or terminal or DEFAULT_WIDTH, _LEAST_WIDTH)


Drawing = Callable[[Style], str]
"""A function that draws text whose lines are not wrapped, such as a grid, in a given style."""


@attrs.frozen
class ColouredDrawing:
    """A drawing in two forms: as text, and as HTML for output in HTML."""

    text: Drawing
    html: Callable[[], str]

    def __call__(self, style: Style) -> str:
        return self.text(style)


Block = str | list[str] | Table | Drawing | ColouredDrawing
"""A paragraph, a list of lines, a table, or a drawing."""


@attrs.frozen
class Report:
    """The content of a report on a result, independent of the output format.

    Each part is computed only for the formats that need it.
    """

    json: Callable[[], Any]
    """Returns the value to be written as JSON; an object may have iterators in place of lists."""
    blocks: Callable[[], Iterable[Block]]
    """Returns the parts of the text and of the Markdown; empty ones are left out.

    Suits of cards are placeholders, which `holdem.report.cells.show_suits` replaces. Text is
    wrapped, and tables are made to fit, as described in `holdem.report.text_tables`.
    """
    parts: Callable[[], Iterable[Sequence[Column]]] = list
    """Yields the columns of the CSV and of data frames, for some or all rows at a time."""
    index: Any = None
    """The index of a pandas frame; by default, rows are numbered from 0."""

    @classmethod
    def of(
        cls,
        result: Any,
        lay_out: Callable[[Any], Iterable[Block]],
        build_columns: Callable[[Any], Sequence[Column]],
    ) -> Report:
        """Build the report on a result, with the result's ``to_dict`` as the JSON."""
        return cls(result.to_dict, partial(lay_out, result), lambda: [build_columns(result)])

"""Files with a spot in each row: CSV and Parquet, read and written by ``holdem equities``."""

from __future__ import annotations

import csv
import json
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import attrs

from holdem.errors import (
    HoldemRuntimeError,
    HoldemTypeError,
    HoldemValueError,
    counted,
    quoted,
)

if TYPE_CHECKING:
    from holdem.report.model import Column

#: The file formats, which are also the file extensions.
FORMATS = ("csv", "parquet")

_PLAYER = re.compile(r"p([1-9][0-9]?)")


@attrs.frozen(eq=False)
class SpotFile:
    """The rows of a file."""

    names: Sequence[str]
    """The column names, in the order of the file."""
    table: Any
    """The columns: the cells of a CSV as a dictionary of sequences, or a `pyarrow.Table`."""
    lines: Sequence[int] | None
    """The line of the file on which each row begins, from 1; None for Parquet."""
    errors: Mapping[int, str] = attrs.field(factory=dict)
    """The messages of rows with more or fewer cells than columns, by row."""
    spots: Sequence[str] = ()
    """The columns that are read as players, board and dead cards."""

    @property
    def unit(self) -> str:
        """The word for a place in the file, ``"line"`` or ``"row"``."""
        return "row" if self.lines is None else "line"

    @property
    def numbers(self) -> Sequence[int]:
        """The line of each row, from 1; the number of each row of Parquet, from 0."""
        return range(self.table.num_rows) if self.lines is None else self.lines

    @property
    def index_names(self) -> Sequence[str]:
        """The columns that hold the index of a pandas frame in a Parquet file."""
        metadata = (None if self.lines is not None else self.table.schema.metadata) or {}
        described = json.loads(metadata.get(b"pandas", b"{}"))
        return [name for name in described.get("index_columns", ()) if isinstance(name, str)]

    def place(self, row: int) -> str:
        """Return the place of a row in the file, such as ``"line 2"``."""
        return f"{self.unit} {self.numbers[row]}"

    def values(self, name: str) -> Sequence[Any]:
        """Return the values of a column as Python objects."""
        column = self.table[name]
        values: Sequence[Any] = column if self.lines is not None else column.to_pylist()
        return values

    def with_strings(self, names: Iterable[str]) -> SpotFile:
        """Convert columns of cards or ranges to strings, which may be null in a Parquet file.

        They become the `spots` of the file.

        Raises:
            HoldemTypeError: a column has a type that is not text.
        """
        spots = tuple(names)
        if self.lines is not None:
            return attrs.evolve(self, spots=spots)
        pa = _pyarrow()
        table = self.table
        for name in spots:
            try:
                strings = table[name].cast(pa.string())
            except pa.ArrowException:
                raise HoldemTypeError(
                    f"column {quoted(name)} has type {table[name].type}; cards and ranges are text"
                ) from None
            position = self.names.index(name)
            table = table.set_column(
                position, table.field(position).with_type(pa.string()), strings
            )
        return attrs.evolve(self, table=table, spots=spots)


def format_of(path: Path) -> str:
    """Return the format that a file's extension stands for.

    Raises:
        HoldemValueError: the extension is none of `FORMATS`.
    """
    form = path.suffix[1:].lower()
    if form not in FORMATS:
        raise HoldemValueError(
            f"a file of spots ends in .csv or .parquet, not as {quoted(path.name)}"
        )
    return form


def read_csv(stream: TextIO) -> SpotFile:
    """Read a CSV file whose first line has the column names. Empty lines are skipped.

    In a row of `errors`, missing cells are empty and further ones are left out.

    Args:
        stream: the text, opened with ``newline=""``.

    Raises:
        HoldemValueError: not a CSV file in UTF-8, or one with another separator than the comma.
    """
    reader = csv.reader(stream, strict=True)
    rows: list[list[str]] = []
    lines, end = array("q"), 0
    errors: dict[int, str] = {}
    try:
        for row in reader:
            line, end = end + 1, reader.line_num
            if not row:
                continue
            if rows and len(row) != (columns := len(rows[0])):
                hint = (
                    '; text with a comma is quoted, as in "QQ+,AKs"' if len(row) > columns else ""
                )
                counts = f"{counted(len(row), 'cell')} for {counted(columns, 'column')}"
                errors[len(rows) - 1] = counts + hint
                row = (row + [""] * columns)[:columns]
            rows.append(row)
            lines.append(line)
    except csv.Error as error:
        raise HoldemValueError(f"line {end + 1}: not CSV: {error}") from None
    except UnicodeDecodeError as error:
        raise HoldemValueError(
            f"the file is not UTF-8: byte 0x{error.object[error.start]:02x}; save it as UTF-8"
        ) from None
    if not rows:
        raise HoldemValueError("the file is empty; its first line has the column names: p1,p2,…")
    names, *rows = rows
    if len(names) == 1 and (other := re.search(r"[;\t|]", names[0])):
        raise HoldemValueError(f"columns are separated by commas, not by {quoted(other[0])}")
    _require_distinct(names)
    cells = zip(*rows, strict=True) if rows else ((),) * len(names)
    return SpotFile(names, dict(zip(names, cells, strict=True)), lines[1:], errors)


def read_parquet(path: Path) -> SpotFile:
    """Read a Parquet file.

    Raises:
        HoldemRuntimeError: pyarrow is not installed.
        HoldemValueError: not a Parquet file.
    """
    pa = _pyarrow()
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except pa.ArrowInvalid:
        raise HoldemValueError(f"{quoted(path.name)} is not a Parquet file") from None
    _require_distinct(table.column_names)
    return SpotFile(table.column_names, table, None)


def _require_distinct(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise HoldemValueError(f"two columns have the name {quoted(name)}")


def player_columns(names: Iterable[str], chosen: str | None) -> list[str]:
    """Return the names of the players' columns.

    Args:
        names: the column names of the file.
        chosen: comma-separated names; None for ``p1``, ``p2``, and so on.

    Raises:
        HoldemValueError: a column does not exist, or ``p1``, ``p2``, … have a gap.
    """
    if chosen is not None:
        players = next(csv.reader([chosen]), [])
    else:
        numbers = [int(match[1]) for match in map(_PLAYER.fullmatch, names) if match]
        players = [f"p{number}" for number in range(1, max(2, *numbers, 0) + 1)]
    for name in players:
        require_column(names, name, "--players")
    return players


def require_column(names: Iterable[str], name: str, option: str) -> None:
    """Raise `HoldemValueError` if a column does not exist.

    Args:
        names: the column names of the file.
        name: the wanted column.
        option: the option that names another one.
    """
    if name not in names:
        found = ", ".join(map(quoted, names))
        raise HoldemValueError(
            f"no column {quoted(name)}; there are: {found}. {option} names another one"
        )


def write_csv(stream: TextIO, file: SpotFile, figures: Sequence[Column]) -> None:
    """Write the columns of a file, and those of `answer_columns`, as CSV.

    Cells are written as they were read. None and NaN are empty cells, and floats read back the
    same.
    """
    from holdem.report.layout.markup import escape_formula

    columns = {name: file.values(name) for name in file.names}
    columns |= {column.name: column.cells() for column in figures}
    columns["exact"] = [str(is_exact).lower() for is_exact in columns["exact"]]
    # Errors quote text of unknown origin.
    columns["error"] = [error and escape_formula(error) for error in columns["error"]]
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))


def write_parquet(path: Path, file: SpotFile, figures: Sequence[Column]) -> None:
    """Write the columns of a file, and those of `answer_columns`, to a Parquet file.

    The columns of a Parquet file keep their types, and the index of pandas is kept.
    """
    pa = _pyarrow()
    from pyarrow import parquet

    from holdem.report.formats import arrow_array

    table = file.table
    if file.lines is not None:
        # No cards, as on a board before the flop, are null, as they are in a frame.
        columns = {
            name: [cell or None for cell in cells] if name in file.spots else cells
            for name, cells in table.items()
        }
        table = pa.table(columns, schema=pa.schema([(name, pa.string()) for name in file.names]))
    for column in figures:
        table = table.append_column(column.name, arrow_array(pa, column))
    table = table.replace_schema_metadata(_with_more_columns(table.schema.metadata))
    # A stream, because pyarrow removes a path after an error, even if it is a device.
    with path.open("wb") as stream:
        parquet.write_table(table, stream, compression="zstd")


def _with_more_columns(metadata: Mapping[bytes, bytes] | None) -> Mapping[bytes, bytes] | None:
    """Return the metadata of a Parquet file for a table with more columns.

    Pandas would convert all column names to the type of the labels that it describes, such as
    int. Without a type, the labels are strings.
    """
    if metadata is None or b"pandas" not in metadata:
        return metadata
    described = json.loads(metadata[b"pandas"]) | {"column_indexes": []}
    return {**metadata, b"pandas": json.dumps(described).encode()}


def require_parquet() -> None:
    """Raise `HoldemRuntimeError` if pyarrow is not installed."""
    _pyarrow()


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise HoldemRuntimeError("Parquet files need pyarrow: pip install pyarrow") from None
    return pa

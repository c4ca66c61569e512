"""CSV and Parquet files of spots: `holdem equities` reads them in chunks, and adds the results."""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
import zlib
from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import attrs

from holdem.errors import (
    HoldemError,
    HoldemTypeError,
    HoldemValueError,
    counted,
    one_line,
    quoted,
)
from holdem.optional_packages import import_package

if TYPE_CHECKING:
    from holdem.odds.many_spots.equity_table import EquityTable

#: The file extensions, and the separator of cells; Parquet has none.
_SEPARATORS = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t", ".parquet": ""}

_PLAYER = re.compile(r"p([1-9][0-9]?)")


@attrs.frozen(eq=False)
class Chunk:
    """Consecutive rows of a file, with their columns and positions in the file."""

    columns: Mapping[str, Any]
    """The cells of each column, by its name: a sequence of strings, or a pyarrow array."""
    numbers: Sequence[int]
    """The position of each row in the file: for text, the line on which the row begins, from 1; for
    Parquet, the number of the row, from 0."""
    errors: Mapping[int, str]
    """Error messages for rows with more or fewer cells than columns, by index in the chunk."""
    share: float
    """The share of the file that has been read at the end of the chunk, from 0 to 1; 0 if the share
    is not known."""


class SpotFile(ABC):
    """An open file of spots. The column names have been read; `chunks` reads the rows."""

    unit: str
    """The word for a position in the file, ``"line"`` or ``"row"``."""
    names: Sequence[str]
    """The column names, in the order of the file."""
    index_names: Sequence[str] = ()
    """The columns that hold the index of a pandas frame."""

    @abstractmethod
    def chunks(self, spots: Sequence[str], size: int) -> Iterator[Chunk]:
        """Yield the rows in chunks: at least one, even if there are no rows. Can be called once.

        The cells of the columns `spots`, players, boards and dead cards, become strings. A chunk
        has `size` rows at most.
        """

    def schema(self, spots: Sequence[str]) -> Any:  # noqa: ARG002
        """Build the `pyarrow.Schema` for writing the rows to a Parquet file.

        The columns `spots`, of players, boards and dead cards, become strings.
        """
        pa = import_pyarrow()
        return pa.schema([(name, pa.string()) for name in self.names])


class CsvFile(SpotFile):
    """A CSV file whose first line has the column names. Empty lines are skipped.

    A row with too few or too many cells is listed in `Chunk.errors`; its missing cells are empty,
    and cells beyond the last column are left out.
    """

    unit = "line"

    def __init__(
        self, name: str, stream: TextIO, separator: str, source: BinaryIO, size: int
    ) -> None:
        """Read the column names.

        `name` is for messages. `stream`, opened with ``newline=""``, reads from `source`, whose
        position shows how much of its `size` in bytes, 0 if not known, has been read.
        """
        self._name = one_line(name)
        self._reader = csv.reader(stream, delimiter=separator, strict=True)
        self._source = source
        self._size = size
        self._end = 0  # the line on which the last row ends
        names = next((row for _, row in self._rows()), None)
        if names is None:
            raise self._error("the file is empty; its first line has the column names: p1,p2,…")
        if len(names) == 1 and (other := re.search(r"[;\t|,]", names[0])):
            signs = {",": "commas", "\t": "tabs"}
            raise self._error(
                f"columns are separated by {signs[separator]}, not by {quoted(other[0])}"
            )
        _require_distinct(name, names)
        self.names = names

    def _error(self, message: str) -> HoldemValueError:
        return HoldemValueError(f"{self._name}: {message}")

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield each nonempty row, with the number of its first line."""
        reader = self._reader
        try:
            for row in reader:
                line, self._end = self._end + 1, reader.line_num
                if row:
                    yield line, row
        except csv.Error as error:
            raise self._error(f"line {self._end + 1}: not CSV: {error}") from None
        except UnicodeDecodeError as error:
            raise self._error(
                f"the file is not UTF-8: byte 0x{error.object[error.start]:02x}; save it as UTF-8"
            ) from None
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise self._error(f"not a complete gzip file: {error}") from None

    def chunks(self, spots: Sequence[str], size: int) -> Iterator[Chunk]:  # noqa: ARG002
        columns = len(self.names)
        cells: list[str] = []  # of all columns, row by row: lists for each row take twice as long
        lines, errors = array("q"), dict[int, str]()

        def chunk(share: float) -> Chunk:
            values = {name: cells[column::columns] for column, name in enumerate(self.names)}
            return Chunk(values, lines, errors, share)

        for line, row in self._rows():
            if len(lines) == size:
                # Text is read ahead, but only the last chunk ends the file.
                yield chunk(min(0.999, self._source.tell() / self._size) if self._size else 0)
                cells, lines, errors = [], array("q"), {}
            if len(row) != columns:
                hint = (
                    '; text with a comma is quoted, as in "QQ+,AKs"' if len(row) > columns else ""
                )
                counts = f"{counted(len(row), 'cell')} for {counted(columns, 'column')}"
                errors[len(lines)] = counts + hint
                row = (row + [""] * columns)[:columns]
            cells += row
            lines.append(line)
        yield chunk(1)


class ParquetFile(SpotFile):
    """A Parquet file of spots."""

    unit = "row"

    def __init__(self, path: Path) -> None:
        pa = import_pyarrow()
        from pyarrow import parquet

        self._name = path.name
        with _damage_errors(path.name):
            try:
                self._file = parquet.ParquetFile(path)
            except pa.ArrowInvalid:
                raise HoldemValueError(f"{quoted(path.name)} is not a Parquet file") from None
            self._schema = self._file.schema_arrow
            self.names = self._schema.names
            described = json.loads((self._schema.metadata or {}).get(b"pandas", b"{}"))
            index = described.get("index_columns", ())
            self.index_names = [name for name in index if isinstance(name, str)]
        _require_distinct(str(path), self.names)

    def schema(self, spots: Sequence[str]) -> Any:
        """Copy the file's schema and metadata, giving the columns in `spots` the type string."""
        pa = import_pyarrow()
        schema = self._schema
        for name in spots:
            number = schema.get_field_index(name)
            kind = schema.field(number).type
            try:
                pa.array([], kind).cast(pa.string())
            except pa.ArrowException:
                message = f"column {quoted(name)} has type {kind}; cards and ranges are text"
                raise HoldemTypeError(message) from None
            schema = schema.set(number, schema.field(number).with_type(pa.string()))
        metadata = schema.metadata
        if metadata is not None and b"pandas" in metadata:
            # Pandas would convert all column names to the type of the labels that are described,
            # such as int. Without a type, the labels are strings.
            described = json.loads(metadata[b"pandas"]) | {"column_indexes": []}
            metadata = {**metadata, b"pandas": json.dumps(described).encode()}
        return schema.with_metadata(metadata)

    def chunks(self, spots: Sequence[str], size: int) -> Iterator[Chunk]:
        pa, schema = import_pyarrow(), self.schema(spots)
        total, end = self._file.metadata.num_rows, 0
        with _damage_errors(self._name):
            batches = self._file.iter_batches(min(size, total)) if total else [schema.empty_table()]
            for batch in batches:
                batch.validate(full=True)
                columns = dict(zip(self.names, batch.columns, strict=True))
                columns |= {name: columns[name].cast(pa.string()) for name in spots}
                start, end = end, end + batch.num_rows
                yield Chunk(columns, range(start, end), {}, end / total if total else 1)


@contextmanager
def _damage_errors(file: str) -> Iterator[None]:
    """Convert errors of a damaged Parquet file to a `HoldemValueError` that names it."""
    try:
        yield
    except Exception as error:  # of any type: pyarrow raises many
        if isinstance(error, HoldemError) or getattr(error, "errno", None):  # of the disk
            raise
        reason = one_line(str(error), 120)
        raise HoldemValueError(f"{quoted(file)} cannot be read: {reason}") from error


@contextmanager
def open_spots(file: str) -> Iterator[SpotFile]:
    """Open a file of spots, or standard input for ``"-"``."""
    if file == "-":
        stdin = sys.stdin.buffer
        yield CsvFile("-", TextIOWrapper(stdin, encoding="utf-8-sig", newline=""), ",", stdin, 0)
        return
    path = Path(file)
    extension = extension_of(path)
    if extension == ".parquet":
        yield ParquetFile(path)
        return
    with path.open("rb") as source:
        unpacked: Any = gzip.GzipFile(fileobj=source) if extension.endswith(".gz") else source
        with TextIOWrapper(unpacked, encoding="utf-8-sig", newline="") as stream:
            yield CsvFile(file, stream, _SEPARATORS[extension], source, path.stat().st_size)


def extension_of(path: Path) -> str:
    """Find which extension that determines a format, such as ``.csv.gz``, a file name ends in."""
    for extension in _SEPARATORS:
        if path.name.lower().endswith(extension):
            return extension
    raise HoldemValueError(
        f"a file of spots ends in .csv, .csv.gz, .tsv or .parquet; {quoted(path.name)} does not"
    )


def _require_distinct(file: str, names: Sequence[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise HoldemValueError(f"{one_line(file)}: two columns have the name {quoted(name)}")


def player_columns(names: Iterable[str], chosen: str | None) -> list[str]:
    """Choose the players' columns, and check that they exist in a file with the columns `names`.

    `chosen` has comma-separated names; None is ``p1``, ``p2``, and so on.
    """
    if chosen is not None:
        try:
            players = next(csv.reader([chosen]), [])
        except csv.Error:  # a line break
            message = f"--players {quoted(chosen)} is not a list of columns, as in hero,villain"
            raise HoldemValueError(message) from None
    else:
        numbers = [int(match[1]) for match in map(_PLAYER.fullmatch, names) if match]
        players = [f"p{number}" for number in range(1, max(2, *numbers, 0) + 1)]
    for name in players:
        require_column(names, name, "--players, as in --players hero,villain")
        if players.count(name) > 1:
            raise HoldemValueError(f"--players has the column {quoted(name)} twice")
    if not 2 <= len(players) <= 10:
        raise HoldemValueError(
            f"--players takes 2 to 10 columns, separated by commas, not {len(players)}"
        )
    return players


def require_column(names: Iterable[str], name: str, option: str) -> None:
    """Check that a column exists; the message names the option that chooses another one."""
    if name not in names:
        found = one_line(", ".join(map(quoted, names)), 200)
        raise HoldemValueError(
            f"no column {quoted(name)}; there are: {found}. Choose another one with {option}"
        )


class CsvWriter:
    """Writer of a CSV file, to which rows are added in chunks with the results of their spots.

    Cells that were read from a CSV file are written unchanged. None and NaN become empty cells, and
    floats are written with all digits that are needed to read the same number.
    """

    def __init__(self, stream: TextIO, separator: str = ",") -> None:
        """Create the writer. Column names are written together with the first rows."""
        # Before Python 3.13, a carriage return in a cell is quoted only if it ends lines.
        lines = SimpleNamespace(write=lambda line: stream.write(f"{line[:-2]}\n"))
        self._rows = csv.writer(lines, delimiter=separator, lineterminator="\r\n")
        self._has_names = False

    def write(self, chunk: Chunk, table: EquityTable) -> None:
        """Write the rows of a chunk, with the result of each row's spot in further columns."""
        from holdem.report.markup import csv_cell, escape_formula
        from holdem.report.spots_report import answer_columns

        *numbers, error = answer_columns(table)
        if not self._has_names:
            names = (column.name for column in (*numbers, error))
            self._rows.writerow([*chunk.columns, *names])
            self._has_names = True
        given = (
            map(csv_cell, cells.to_pylist()) if hasattr(cells, "to_pylist") else cells
            for cells in chunk.columns.values()
        )
        texts = (map(csv_cell, column.cells()) for column in numbers)
        # Errors quote text of unknown origin.
        errors = (text and escape_formula(text) for text in error.cells())
        self._rows.writerows(zip(*given, *texts, errors, strict=True))


class ParquetWriter:
    """Writer of a Parquet file, to which rows are added in chunks with the results of their spots.

    Columns that were read from a Parquet file keep their types, except that players and cards are
    written as strings; the index of a pandas frame is kept. Cells of a CSV file become strings.
    """

    def __init__(self, stream: BinaryIO, file: SpotFile, spots: Sequence[str]) -> None:
        self._stream = stream
        self._schema = file.schema(spots)
        self._spots = spots
        self._writer: Any = None

    def write(self, chunk: Chunk, table: EquityTable) -> None:
        """Write the rows of a chunk, with the result of each row's spot in further columns."""
        pa = import_pyarrow()
        from pyarrow import parquet

        from holdem.report.formats import arrow_array
        from holdem.report.spots_report import answer_columns

        columns = dict(chunk.columns)
        for name in self._spots:
            # No cards, as on a board before the flop, are null, as they are in a frame.
            if isinstance(columns[name], list):
                columns[name] = [cell or None for cell in columns[name]]
        rows = pa.table([*columns.values()], schema=self._schema)
        for column in answer_columns(table):
            rows = rows.append_column(column.name, arrow_array(pa, column))
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self._stream, rows.schema, compression="zstd")
        self._writer.write_table(rows)

    def close(self) -> None:
        """Write the end of the file; called once, after the last `write`."""
        if self._writer is not None:
            self._writer.close()


@contextmanager
def open_output(
    path: Path, extension: str, file: SpotFile, spots: Sequence[str]
) -> Iterator[CsvWriter | ParquetWriter]:
    """Open a new file for the rows of `file` and the results of its spots, and yield its writer.

    The extension, such as ``.csv.gz``, determines the format. The columns `spots` of `file` are
    those of players, boards and dead cards.
    """
    # A stream, because pyarrow removes a path after an error, even if it is a device.
    with path.open("wb") as stream:
        if extension == ".parquet":
            parquet = ParquetWriter(stream, file, spots)
            yield parquet
            parquet.close()
            return
        packed: Any = gzip.GzipFile("", "wb", 6, stream) if extension.endswith(".gz") else stream
        with TextIOWrapper(packed, encoding="utf-8", newline="") as text:
            yield CsvWriter(text, _SEPARATORS[extension])


def import_pyarrow() -> Any:
    return import_package("pyarrow", "Parquet files need pyarrow")

"""Output formats, which can render any `Report`, and data frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

import attrs
import numpy as np

from holdem.arguments import require_text
from holdem.errors import HoldemRuntimeError, HoldemValueError, quoted
from holdem.optional_packages import import_package
from holdem.report import markup
from holdem.report.cells import escape_hidden, show_suits
from holdem.report.model import Block, ColouredDrawing, Column, Report, Style, Table, text_width
from holdem.report.text_tables import fill, text_table
from holdem.results.fields import LARGEST

_ITEMS = 64  # of a long list in JSON, that are rendered together


def render(report: Report, output_format: str, style: Style | None = None) -> str:
    """Render a report in one of the formats in `FORMATS`, without a trailing newline.

    By default, text is plain and has `text_width` columns. Markdown and HTML use only
    `Style.symbols`; JSON and CSV do not depend on the style.
    """
    return "".join(render_parts(report, output_format, style))


def render_parts(report: Report, output_format: str, style: Style | None = None) -> Iterator[str]:
    """Yield, part by part, the text that `render` returns; only JSON and CSV have several parts."""
    rendered = FORMATS[output_format](report, style or Style(width=text_width()))
    yield from [rendered] if isinstance(rendered, str) else rendered


def _text(report: Report, style: Style) -> str:
    def part(block: Block) -> str:
        if isinstance(block, Table):
            title, note = (
                fill(escape_hidden(text), style.width) for text in (block.title, block.note)
            )
            return "\n".join(filter(None, (title, text_table(block, style), note)))
        if callable(block):
            return block(style)
        return fill(escape_hidden(_lines(block)), style.width)

    text = "\n\n".join(filter(None, map(part, report.blocks())))
    return show_suits(text, symbols=style.symbols, colour=style.colour)


def _markdown(report: Report, style: Style) -> str:
    def part(block: Block) -> str:
        if isinstance(block, Table):
            table = markup.markdown_table(block.head, block.rows, left=block.left)
            parts = (markup.escape_tags(block.title), table, markup.escape_tags(block.note))
            return "\n\n".join(filter(None, parts))
        if callable(block):
            return f"```text\n{block(Style(symbols=style.symbols))}\n```"
        if isinstance(block, list):
            lines = (" ".join(markup.escape_tags(line).splitlines()) for line in block)
            return "\n".join(f"* {line}" for line in lines)
        return markup.escape_tags(block)

    text = "\n\n".join(filter(None, map(part, report.blocks())))
    return show_suits(escape_hidden(text), symbols=style.symbols)


def _html(report: Report, style: Style) -> str:
    def part(block: Block) -> str:
        if isinstance(block, Table):
            title, note = map(markup.html_paragraph, (block.title, block.note))
            parts = (title, markup.html_table(block), note)
            return "\n".join(filter(None, parts))
        if isinstance(block, ColouredDrawing):
            return block.html()
        if callable(block):
            return markup.html_drawing(block(Style(symbols=style.symbols)))
        return markup.html_paragraph(_lines(block))

    text = "\n".join(filter(None, map(part, report.blocks())))
    return show_suits(escape_hidden(text), symbols=style.symbols)


def _lines(block: str | list[str]) -> str:
    return block if isinstance(block, str) else "\n".join(block)


def _json(report: Report, _: Style) -> Iterator[str]:
    value = report.json()
    if not isinstance(value, dict) or not value:
        yield _encode(value)
        return
    before = "{"
    for key, item in value.items():
        yield f"{before}{_encode(key)}: "
        if isinstance(item, Iterator):
            before = "["
            while some := list(islice(item, _ITEMS)):
                yield before + _encode(some)[1:-1]
                before = ", "
            yield "[]" if before == "[" else "]"
        else:
            yield _encode(item)
        before = ", "
    yield "}"


def _encode(value: Any) -> str:
    # NaN and infinities raise a `ValueError`: JSON does not have them.
    return escape_hidden(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _csv(report: Report, _: Style) -> Iterator[str]:
    for number, columns in enumerate(report.parts()):
        head = [] if number else [column.name for column in columns]
        rows = zip(*(column.cells() for column in columns), strict=True)
        yield "\n" * bool(number) + markup.csv_table(head, rows)


#: The renderers by name. The option ``--format`` of a command offers some of them.
FORMATS: dict[str, Callable[[Report, Style], str | Iterator[str]]] = {
    "table": _text,
    "json": _json,
    "csv": _csv,
    "html": _html,
    "markdown": _markdown,
}


def data_frame(report: Report, library: str) -> Any:
    """Convert the columns of a report to a data frame; with ``"pyarrow"``, to an Arrow table."""
    require_text(library, "a library")
    if library not in _TYPED:
        raise HoldemValueError(
            f"no data frames of {quoted(library)}; use pandas, polars or pyarrow"
        )
    frames = import_package(library, f"to_frame needs {library}")
    found = [_frame_of_part(frames, columns, report.index) for columns in report.parts()]
    if len(found) == 1:
        return found[0]
    if library == "pandas":
        return frames.concat(found, ignore_index=True)
    return frames.concat(found) if library == "polars" else frames.concat_tables(found)


def _frame_of_part(frames: Any, columns: Sequence[Column], index: Any) -> Any:
    values = {column.name: _TYPED[frames.__name__](frames, _fitting(column)) for column in columns}
    if frames.__name__ == "polars":
        return frames.DataFrame(values, nan_to_null=True)
    if frames.__name__ == "pyarrow":
        return frames.table(values)
    return frames.DataFrame(values, index=index)


def _fitting(column: Column) -> Column:
    """Replace integers that no library takes: as int64 by the largest, as float64 by floats."""
    fits: dict[str, Callable[[Any], Any]] = {"int64": _fitting_integer, "float64": float}
    fit = fits.get(column.dtype.lower())
    if fit is None or isinstance(column.values, np.ndarray):
        return column
    fitting = [cell if cell is None else fit(cell) for cell in column.values]
    return attrs.evolve(column, values=fitting)


def _fitting_integer(number: int) -> int:
    return min(number, LARGEST)


def _is_plain(column: Column) -> bool:
    return isinstance(column.values, np.ndarray) and column.dtype == column.values.dtype.name


def _pandas_array(pandas: Any, column: Column) -> Any:
    if _is_plain(column):
        return column.values
    if column.dtype == "category":
        return pandas.Categorical(column.values, categories=column.categories, ordered=True)
    if column.dtype != "string":
        return pandas.array(column.cells(), dtype=column.dtype)
    # The strings of pandas 3. The default of pandas 2 has no type where all are missing.
    try:
        strings = pandas.StringDtype(na_value=np.nan)
    except TypeError:
        raise HoldemRuntimeError(
            "to_frame needs pandas 2.3 or later: pip install -U pandas"
        ) from None
    if strings.storage == "pyarrow":
        pa = import_package("pyarrow", "to_frame needs pyarrow")
        return strings.__from_arrow__(arrow_array(pa, column))
    return pandas.array(column.cells(), dtype=strings)


def _polars_series(polars: Any, column: Column) -> Any:
    if _is_plain(column):
        return column.values
    if column.dtype == "category":
        dtype = polars.Enum(column.categories)
    else:
        dtype = getattr(polars, {"bool": "Boolean"}.get(column.dtype, column.dtype.capitalize()))
    if column.codes is not None:
        return polars.Series(column.values, dtype=dtype).gather(column.codes)
    # A column of numbers may have both integers and floats.
    return polars.Series(column.cells(), dtype=dtype, strict=False)


def arrow_array(pa: Any, column: Column) -> Any:
    """Convert a column to a `pyarrow.Array`, in which missing values, such as NaN, are null."""
    if column.codes is not None:
        return pa.array(column.values, pa.string()).take(pa.array(column.codes))
    if column.dtype == "category":
        texts = pa.array(column.categories, pa.string())
        numbers = {text: number for number, text in enumerate(column.categories)}
        codes = pa.array([numbers.get(text) for text in column.values], pa.int8())
        return pa.DictionaryArray.from_arrays(codes, texts, ordered=True)
    return pa.array(column.values, pa.type_for_alias(column.dtype.lower()), from_pandas=True)


_TYPED: dict[str, Callable[[Any, Column], Any]] = {
    "pandas": _pandas_array,
    "polars": _polars_series,
    "pyarrow": arrow_array,
}

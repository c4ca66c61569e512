"""Output formats, each of which can render any `Report`, and data frames."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from holdem.errors import HoldemRuntimeError, HoldemValueError, quoted
from holdem.report.layout.cells import visible, with_suits
from holdem.report.layout.markup import (
    csv_table,
    html_drawing,
    html_paragraph,
    html_table,
    markdown_table,
    without_tags,
)
from holdem.report.layout.text_tables import Style, filled, text_table, text_width
from holdem.report.model import ColouredDrawing, Column, Report, Table


def render(report: Report, output_format: str, style: Style | None = None) -> str:
    """Render a report in one of the formats in `FORMATS`, without a trailing newline.

    Args:
        report: the report.
        output_format: a key of `FORMATS`.
        style: the style of text; by default plain text of `text_width` columns. Markdown and HTML
            use its symbols only, JSON and CSV nothing of it.
    """
    return FORMATS[output_format](report, style or Style(width=text_width()))


def _text(report: Report, style: Style) -> str:
    parts = []
    for block in report.blocks():
        if isinstance(block, Table):
            table = text_table(
                block.head,
                block.rows,
                left=block.left,
                optional=block.optional,
                bars=block.bars,
                bars_head=block.bars_head,
                style=style,
            )
            title, note = (filled(visible(text), style.width) for text in (block.title, block.note))
            parts.append("\n".join(filter(None, (title, table, note))))
        elif callable(block):
            parts.append(block(style))
        else:
            text = block if isinstance(block, str) else "\n".join(block)
            parts.append(filled(visible(text), style.width))
    return with_suits("\n\n".join(filter(None, parts)), symbols=style.symbols, colour=style.colour)


def _markdown(report: Report, style: Style) -> str:
    plain = Style(symbols=style.symbols)
    parts = []
    for block in report.blocks():
        if isinstance(block, Table):
            table = markdown_table(block.head, block.rows, left=block.left)
            parts += [without_tags(block.title), table, without_tags(block.note)]
        elif callable(block):
            parts.append(f"```text\n{block(plain)}\n```")
        elif isinstance(block, list):
            lines = (" ".join(without_tags(line).splitlines()) for line in block)
            parts.append("\n".join(f"* {line}" for line in lines))
        else:
            parts.append(without_tags(block))
    return with_suits(
        visible("\n\n".join(filter(None, parts))), symbols=style.symbols, colour=False
    )


def _html(report: Report, style: Style) -> str:
    plain = Style(symbols=style.symbols)
    parts: list[str] = []
    for block in report.blocks():
        if isinstance(block, Table):
            table = html_table(
                block.head, block.rows, left=block.left, shades=block.shades, scale=block.scale
            )
            parts += [html_paragraph(block.title), table, html_paragraph(block.note)]
        elif isinstance(block, ColouredDrawing):
            parts.append(block.html())
        elif callable(block):
            parts.append(html_drawing(block(plain)))
        else:
            parts.append(html_paragraph(block if isinstance(block, str) else "\n".join(block)))
    return with_suits(visible("\n".join(filter(None, parts))), symbols=style.symbols)


def _json(report: Report, _: Style) -> str:
    # NaN and infinities raise a `ValueError`: JSON does not have them.
    return visible(json.dumps(report.json(), ensure_ascii=False, allow_nan=False))


def _csv(report: Report, _: Style) -> str:
    columns = report.columns()
    rows = zip(*(column.cells() for column in columns), strict=True)
    return csv_table([column.name for column in columns], rows)


#: The renderers by name. The option ``--format`` of a command offers some of them.
FORMATS: dict[str, Callable[[Report, Style], str]] = {
    "table": _text,
    "json": _json,
    "csv": _csv,
    "html": _html,
    "markdown": _markdown,
}


def data_frame(report: Report, library: str) -> Any:
    """Convert the columns of a report to a data frame.

    Args:
        report: the report.
        library: ``"pandas"`` or ``"polars"``.

    Raises:
        HoldemValueError: another library.
        HoldemRuntimeError: the library is not installed.
    """
    if library not in _TYPED:
        raise HoldemValueError(f"no data frames of {quoted(library)}; use pandas or polars")
    try:
        frames = import_module(library)
    except ImportError:
        raise HoldemRuntimeError(f"to_frame needs {library}: pip install {library}") from None
    columns = {
        column.name: column.values
        if isinstance(column.values, np.ndarray) and column.dtype == column.values.dtype.name
        else _TYPED[library](frames, column)
        for column in report.columns()
    }
    if library == "polars":
        return frames.DataFrame(columns, nan_to_null=True)
    return frames.DataFrame(columns, index=report.index)


def _pandas_array(pandas: Any, column: Column) -> Any:
    if column.dtype == "category":
        return pandas.Categorical(column.values, categories=column.categories, ordered=True)
    # The strings of pandas 3. The default of pandas 2 has no type where all are missing.
    strings = pandas.StringDtype(na_value=np.nan)
    return pandas.array(column.cells(), dtype=strings if column.dtype == "string" else column.dtype)


def _polars_series(polars: Any, column: Column) -> Any:
    if column.dtype == "category":
        dtype = polars.Enum(column.categories)
    else:
        dtype = getattr(polars, {"bool": "Boolean"}.get(column.dtype, column.dtype.capitalize()))
    # A column of numbers may have both integers and floats.
    return polars.Series(column.cells(), dtype=dtype, strict=False)


_TYPED: dict[str, Callable[[Any, Column], Any]] = {
    "pandas": _pandas_array,
    "polars": _polars_series,
}

"""Output formats, each of which can render any `Report`, and data frames."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdem.errors import HoldemRuntimeError, HoldemValueError, quoted
from holdem.report.layout.cells import Row, visible, with_suits
from holdem.report.layout.markup import (
    csv_table,
    html_drawing,
    html_paragraph,
    html_table,
    markdown_table,
    without_tags,
)
from holdem.report.layout.text_tables import Style, filled, text_table, text_width
from holdem.report.model import ColouredDrawing, Report, Table


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


#: The renderers by name. The option ``--format`` of a command offers some of them.
FORMATS: dict[str, Callable[[Report, Style], str]] = {
    "table": _text,
    "json": _json,
    "csv": lambda report, _: csv_table(*report.csv()),
    "html": _html,
    "markdown": _markdown,
}


_LIBRARIES = ("pandas", "polars")


def data_frame(names: Row, rows: Iterable[Iterable[Any]], library: str) -> Any:
    """Convert the rows of a CSV to a data frame, whose types are found from the values.

    Lists become text with spaces between their items, as in CSV.

    Args:
        names: the column names.
        rows: the values of each row.
        library: ``"pandas"`` or ``"polars"``.

    Raises:
        HoldemValueError: another library.
        HoldemRuntimeError: the library is not installed.
    """
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for name, values in zip(names, zip(*rows, strict=True), strict=False):  # no values if no rows
        columns[name] = [" ".join(map(str, v)) if isinstance(v, list) else v for v in values]
    return frame_of_columns(columns, library)


def frame_of_columns(
    columns: Mapping[str, list[Any] | NDArray[Any]], library: str, index: Any = None
) -> Any:
    """Convert columns to a data frame.

    An array determines the type of its column, also where it has no value: an array of objects
    holds strings and None, and NaN is a missing number. The type of a list depends on its values.

    Args:
        columns: the columns by name.
        library: ``"pandas"`` or ``"polars"``.
        index: the index of a pandas frame; by default, rows are numbered from 0.

    Raises:
        HoldemValueError: another library.
        HoldemRuntimeError: the library is not installed.
    """
    if library not in _LIBRARIES:
        raise HoldemValueError(f"no data frames of {quoted(library)}; use pandas or polars")
    try:
        frames = import_module(library)
    except ImportError:
        raise HoldemRuntimeError(f"to_frame needs {library}: pip install {library}") from None
    strings = {
        name: values.tolist()
        for name, values in columns.items()
        if isinstance(values, np.ndarray) and values.dtype == object
    }
    if library == "polars":
        # In the CSV of a head-to-head a column may have both numbers and text.
        return frames.DataFrame(
            {**columns, **strings},
            schema_overrides=dict.fromkeys(strings, frames.String),
            strict=False,
            nan_to_null=True,
        )
    # The strings of pandas 3. The default of pandas 2 has no type where all are missing.
    typed = {
        name: frames.array(values, dtype=frames.StringDtype(na_value=np.nan))
        for name, values in strings.items()
    }
    return frames.DataFrame({**columns, **typed}, index=index)

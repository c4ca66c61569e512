"""The output formats, in which the `Report` of any result is rendered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from holdem.report.tables import Row, csv_table, markdown_table, text_table


@attrs.frozen
class Table:
    """A table of text cells, with a title and a note."""

    head: Row
    rows: Sequence[Row]
    left: int = 1
    """The number of left-aligned columns, from the first; the others hold numbers."""
    title: str = ""
    note: str = ""
    """Text directly below the table."""


Block = str | list[str] | Table
"""A paragraph, a list of lines, or a table."""


@attrs.frozen
class Report:
    """The content of a result. Each part is computed only for the formats that need it."""

    json: Callable[[], Any]
    """Returns the value to be written as JSON."""
    blocks: Callable[[], Iterable[Block]]
    """Returns the parts of the text and of the Markdown; empty ones are left out."""
    csv: Callable[[], tuple[Row, Iterable[Iterable[Any]]]] = lambda: ((), ())
    """Returns the column names and the rows of the CSV."""


def render(report: Report, output_format: str) -> str:
    """Return a report in one of the formats in `FORMATS`, without a final line feed."""
    return FORMATS[output_format](report)


def _text(report: Report) -> str:
    return "\n\n".join(_text_of(block) for block in report.blocks() if block)


def _text_of(block: Block) -> str:
    if not isinstance(block, Table):
        return block if isinstance(block, str) else "\n".join(block)
    table = text_table(block.head, block.rows, left=block.left)
    return "\n".join(part for part in (block.title, table, block.note) if part)


def _markdown(report: Report) -> str:
    return "\n\n".join(_markdown_of(block) for block in report.blocks() if block)


def _markdown_of(block: Block) -> str:
    if not isinstance(block, Table):
        return block if isinstance(block, str) else "\n".join(f"* {line}" for line in block)
    table = markdown_table(block.head, block.rows, left=block.left)
    return "\n\n".join(part for part in (block.title, table, block.note) if part)


def _json(report: Report) -> str:
    # NaN and infinities raise a `ValueError`: JSON does not have them.
    return json.dumps(report.json(), ensure_ascii=False, allow_nan=False)


#: The renderers by name. A command offers those that it lists for its option ``--format``.
FORMATS: dict[str, Callable[[Report], str]] = {
    "table": _text,
    "json": _json,
    "csv": lambda report: csv_table(*report.csv()),
    "markdown": _markdown,
}

"""Output formats, each of which can render any `Report`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import attrs

from holdem.report.tables import Row, csv_table, markdown_table, text_table


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


Block = str | list[str] | Table
"""A paragraph, a list of lines, or a table."""


@attrs.frozen
class Report:
    """The content of a result, independent of the output format.

    Each part is computed only for the formats that need it.
    """

    json: Callable[[], Any]
    """Returns the value to be written as JSON."""
    blocks: Callable[[], Iterable[Block]]
    """Returns the parts of the text and of the Markdown; empty ones are left out."""
    csv: Callable[[], tuple[Row, Iterable[Iterable[Any]]]] = lambda: ((), ())
    """Returns the column names and the rows of the CSV."""


def render(report: Report, output_format: str) -> str:
    """Render a report in one of the formats in `FORMATS`, without a trailing newline."""
    return FORMATS[output_format](report)


def _prose(
    report: Report, render_table: Callable[..., str], line_start: str, separator: str
) -> str:
    """Render the blocks of a report as plain text or Markdown.

    Args:
        report: the report.
        render_table: a function of `holdem.report.tables`.
        line_start: the text before each line of a list.
        separator: the text between a table and its title and note.
    """
    parts = []
    for block in report.blocks():
        if isinstance(block, Table):
            table = render_table(block.head, block.rows, left=block.left)
            parts.append(separator.join(filter(None, (block.title, table, block.note))))
        elif isinstance(block, list):
            parts.append("\n".join(line_start + line for line in block))
        else:
            parts.append(block)
    return "\n\n".join(filter(None, parts))


def _json(report: Report) -> str:
    # NaN and infinities raise a `ValueError`: JSON does not have them.
    return json.dumps(report.json(), ensure_ascii=False, allow_nan=False)


#: The renderers by name. The option ``--format`` of a command offers some of them.
FORMATS: dict[str, Callable[[Report], str]] = {
    "table": partial(_prose, render_table=text_table, line_start="", separator="\n"),
    "json": _json,
    "csv": lambda report: csv_table(*report.csv()),
    "markdown": partial(_prose, render_table=markdown_table, line_start="* ", separator="\n\n"),
}

"""Output formats, each of which can render any `Report`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import attrs

from holdem.report.html import html_paragraph, html_table
from holdem.report.suits import SuitStyle, with_suits
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
    """Returns the parts of the text and of the Markdown; empty ones are left out.

    Suits of cards are placeholders, which `holdem.report.suits.with_suits` replaces.
    """
    csv: Callable[[], tuple[Row, Iterable[Iterable[Any]]]] = lambda: ((), ())
    """Returns the column names and the rows of the CSV."""


def render(report: Report, output_format: str, *, suits: SuitStyle = "letters") -> str:
    """Render a report in one of the formats in `FORMATS`, without a trailing newline.

    Args:
        report: the report.
        output_format: a key of `FORMATS`.
        suits: the style of suits in text and Markdown. JSON and CSV always have letters.
    """
    return FORMATS[output_format](report, suits)


def _prose(
    report: Report,
    suits: SuitStyle,
    render_table: Callable[..., str],
    line_start: str,
    separator: str,
) -> str:
    """Render the blocks of a report as plain text or Markdown.

    Args:
        report: the report.
        suits: the style of suits.
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
    return with_suits("\n\n".join(filter(None, parts)), suits)


def _html(report: Report, suits: SuitStyle) -> str:
    parts: list[str] = []
    for block in report.blocks():
        if isinstance(block, Table):
            table = html_table(block.head, block.rows, left=block.left)
            parts += [html_paragraph(block.title), table, html_paragraph(block.note)]
        else:
            parts.append(html_paragraph(block if isinstance(block, str) else "\n".join(block)))
    return with_suits("\n".join(filter(None, parts)), suits)


def _json(report: Report, _: SuitStyle) -> str:
    # NaN and infinities raise a `ValueError`: JSON does not have them.
    return json.dumps(report.json(), ensure_ascii=False, allow_nan=False)


#: The renderers by name. The option ``--format`` of a command offers some of them.
FORMATS: dict[str, Callable[[Report, SuitStyle], str]] = {
    "table": partial(_prose, render_table=text_table, line_start="", separator="\n"),
    "json": _json,
    "csv": lambda report, _: csv_table(*report.csv()),
    "html": _html,
    "markdown": partial(_prose, render_table=markdown_table, line_start="* ", separator="\n\n"),
}

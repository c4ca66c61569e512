"""Output formats, each of which can render any `Report`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from holdem.report.layout.colours import Scale
from holdem.report.layout.html import html_drawing, html_paragraph, html_table
from holdem.report.layout.style import Style, text_width
from holdem.report.layout.suits import with_suits
from holdem.report.layout.tables import Row, csv_table, markdown_table, visible, without_tags
from holdem.report.layout.text import filled, text_table


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


Drawing = Callable[[Style], str]
"""A function that returns text with fixed lines, such as a grid, in a given style."""


@attrs.frozen
class ColouredDrawing:
    """A drawing that has its own form in HTML."""

    text: Drawing
    html: Callable[[], str]

    def __call__(self, style: Style) -> str:
        """Return the text in a given style."""
        return self.text(style)


Block = str | list[str] | Table | Drawing | ColouredDrawing
"""A paragraph, a list of lines, a table, or a drawing."""


@attrs.frozen
class Report:
    """The content of a result, independent of the output format.

    Each part is computed only for the formats that need it.
    """

    json: Callable[[], Any]
    """Returns the value to be written as JSON."""
    blocks: Callable[[], Iterable[Block]]
    """Returns the parts of the text and of the Markdown; empty ones are left out.

    Suits of cards are placeholders, which `holdem.report.layout.suits.with_suits` replaces. Text is
    wrapped, and tables are made to fit, as described in `holdem.report.layout.text`.
    """
    csv: Callable[[], tuple[Row, Iterable[Iterable[Any]]]] = lambda: ((), ())
    """Returns the column names and the rows of the CSV."""


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
    return with_suits("\n\n".join(filter(None, parts)), style)


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
    return with_suits(visible("\n\n".join(filter(None, parts))), plain)


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
    return with_suits(visible("\n".join(filter(None, parts))), plain)


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

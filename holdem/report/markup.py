"""Tables as Markdown, CSV and HTML, and the 13×13 grid of starting hands in HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from holdem.ranges.combos import CLASS_NAMES
from holdem.report.cells import Row
from holdem.report.colours import Scale, colour_at, ink_on
from holdem.report.model import Table

_FORMULA = re.compile(r"[=+\-@\t\n]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def markdown_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Format a table as Markdown; pipes, line breaks and HTML in cells are escaped.

    The first `left` columns are left-aligned, the others right-aligned.
    """
    rule = ["---" if column < left else "---:" for column in range(len(head))]
    lines = [
        ["<br>".join(escape_tags(cell).replace("|", "\\|").splitlines()) for cell in row]
        for row in (head, rule, *rows)
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def escape_tags(text: str) -> str:
    return text.replace("<", "&lt;")


def csv_table(head: Row, rows: Iterable[Iterable[Any]]) -> str:
    """Format a table with cells of any type as CSV; an empty head is left out.

    Lines end in line feeds. None and NaN become empty cells. Floats have as many digits as are
    needed to read back the same number. Booleans are ``true`` and ``false``. Text is escaped by
    `escape_formula`.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([head] if head else [])
    writer.writerows(
        [escape_formula(cell) if isinstance(cell, str) else csv_cell(cell) for cell in row]
        for row in rows
    )
    return buffer.getvalue().rstrip("\n")


def csv_cell(value: Any) -> str:
    """Format a value for a CSV file: None and NaN as an empty string, booleans as in JSON."""
    if value is None or value != value:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def escape_formula(text: str) -> str:
    """Escape text in a CSV file that a spreadsheet would interpret as a formula.

    An apostrophe is put before text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line
    break, unless it is a number. Line breaks become line feeds.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def html_table(table: Table) -> str:
    """Format a table, without its title and note, as HTML for light and dark pages.

    Only cells with a shade have colours: one for the background and one for the text.
    """

    def line(cells: Row, tag: str, positions: Sequence[float | None] = ()) -> str:
        return "".join(
            f'<{tag} style="text-align: {"left" if column < table.left else "right"}'
            f'{_shade_of(positions, column, table.scale)}">{escape(cell)}</{tag}>'
            for column, cell in enumerate(cells)
        )

    body = "".join(
        f"<tr>{line(row, 'td', table.shades[number] if table.shades else ())}</tr>"
        for number, row in enumerate(table.rows)
    )
    return f"<table><thead><tr>{line(table.head, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def _shade_of(positions: Sequence[float | None], column: int, scale: Scale) -> str:
    position = positions[column] if positions else None
    return "" if position is None else f"; {shade(scale, position)}"


def shade(scale: Scale, position: float) -> str:
    """Format CSS for a readable text on the colour at a position, 0 to 1, of a colour scale."""
    colour = colour_at(scale, position)
    return f"background: {colour}; color: {ink_on(colour)}"


def html_paragraph(text: str) -> str:
    """Format text as an HTML paragraph that keeps line breaks; empty text gives no HTML."""
    return text and f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def html_drawing(text: str) -> str:
    """Format text as preformatted HTML, with line breaks and a fixed-width font."""
    return f"<pre>{escape(text)}</pre>"


_SIDE = 13
_CELL = "padding: 0; width: 2.9em; height: 2.5em; text-align: center; line-height: 1.1"


def grid_html(values: Sequence[float], texts: Sequence[str], scale: Scale) -> str:
    """Draw a grid of starting hands as an HTML table for light and dark pages.

    Values are 0 to 1, in the order of `CLASS_NAMES`, with texts below the names; with NaN, the cell
    is pale and has only the name.
    """
    rows = []
    for start in range(0, len(CLASS_NAMES), _SIDE):
        cells = (
            _cell(CLASS_NAMES[number], values[number], texts[number], scale)
            for number in range(start, start + _SIDE)
        )
        rows.append(f'<tr style="background: none">{"".join(cells)}</tr>')
    style = "border-collapse: separate; border-spacing: 1px; font-size: 80%"
    return f'<table style="{style}"><tbody>{"".join(rows)}</tbody></table>'


def _cell(name: str, value: float, text: str, scale: Scale) -> str:
    if value != value:
        return f'<td style="{_CELL}; opacity: 0.6">{name}</td>'
    content = f"{name}<br>{escape(text)}" if text else name
    return f'<td style="{_CELL}; {shade(scale, value)}">{content}</td>'

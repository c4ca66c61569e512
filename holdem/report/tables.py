"""Formatting of tables as aligned text, Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

Row = Sequence[str]


def text_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Return a table as aligned text.

    Args:
        head: the column names.
        rows: the cells, one per column.
        left: the number of left-aligned columns, from the first; the others are right-aligned.
    """
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = []
    for row in (head, *rows):
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Return a table as Markdown, from the same arguments as `text_table`."""
    rule = ["---" if column < left else "---:" for column in range(len(head))]
    lines = [[cell.replace("|", "\\|") for cell in row] for row in (head, rule, *rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def csv_table(head: Row, rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as CSV, with all cell values converted to text.

    Lines end in line feeds. None is an empty cell. Floats are written so that they read back the
    same, booleans as in JSON, and lists with spaces between their items.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return buffer.getvalue().rstrip("\n")


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return " ".join(map(str, value))
    return repr(value) if isinstance(value, float) else str(value)


def clipped(text: str, width: int = 32) -> str:
    """Return text truncated to the width of a table cell."""
    return text if len(text) <= width else text[: width - 1] + "…"

"""Tables as aligned text, Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

Row = Sequence[str]


def text_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Return an aligned table.

    Args:
        head: the columns' names.
        rows: as many cells as `head` each.
        left: how many columns, from the first on, are aligned to the left; numbers follow.
    """
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    lines = []
    for row in (head, *rows):
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Return a table in Markdown; arguments as in `text_table`."""
    rule = ["---" if column < left else "---:" for column in range(len(head))]
    lines = [[cell.replace("|", "\\|") for cell in row] for row in (head, rule, *rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def csv_table(head: Row, rows: Sequence[Row]) -> str:
    """Return a table as CSV, lines ending in a line feed."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return buffer.getvalue().rstrip("\n")


def clipped(text: str, width: int = 32) -> str:
    """Return `text` cut to a table cell's width."""
    return text if len(text) <= width else text[: width - 1] + "…"


def percent(value: float | None, digits: int = 4) -> str:
    """Return a fraction as per cent; a dash for None."""
    return "-" if value is None else f"{100 * value:.{digits}f} %"


def count(value: float | None) -> str:
    """Return a count, or a weighted sum, for people; a dash for None."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}"

"""Formatting of tables as Markdown and CSV; `holdem.report.layout.text` has the text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

Row = Sequence[str]

#: Characters that are not shown, for a set of a regular expression: control characters but the
#: line feed, characters without width, and those that turn the direction of text.
HIDDEN = "\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_HIDDEN = re.compile(f"[{HIDDEN}]")
_FORMULA = re.compile(r"[=+\-@\t\n]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def markdown_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Return a table as Markdown, with pipes, line breaks and HTML in cells escaped.

    Args:
        head: the column names.
        rows: the cells, one per column.
        left: the number of left-aligned columns, from the first; the others are right-aligned.
    """
    rule = ["---" if column < left else "---:" for column in range(len(head))]
    lines = [
        ["<br>".join(without_tags(cell).replace("|", "\\|").splitlines()) for cell in row]
        for row in (head, rule, *rows)
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def without_tags(text: str) -> str:
    """Return text for Markdown, in which nothing is an HTML tag."""
    return text.replace("<", "&lt;")


def csv_table(head: Row, rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as CSV, with all cell values converted to text.

    Lines end in line feeds. None is an empty cell. Floats are written so that they read back the
    same, booleans as in JSON, and lists with spaces between their items. Text is written as by
    `harmless`.
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
        value = " ".join(map(str, value))
    if isinstance(value, str):
        return harmless(value)
    return repr(value) if isinstance(value, float) else str(value)


def harmless(text: str) -> str:
    """Return text for a cell of a CSV file that a spreadsheet does not take for a formula.

    An apostrophe is put before text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line
    break, unless it is a number. Line breaks become line feeds.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def visible(text: str) -> str:
    """Return text with the characters of `HIDDEN` as the codes that JSON has for them."""
    return _HIDDEN.sub(lambda char: f"\\u{ord(char[0]):04x}", text)


def clipped(text: str, width: int = 32) -> str:
    """Return text truncated to the width of a table cell."""
    return text if len(text) <= width else text[: width - 1] + "…"

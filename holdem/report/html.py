"""Formatting of reports as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Row = Sequence[str]


def html_table(head: Row, rows: Sequence[Row], *, left: int = 1) -> str:
    """Return a table as HTML without colors, so that it looks right on light and dark pages.

    The arguments are those of `holdem.report.tables.text_table`.
    """

    def line(cells: Row, tag: str) -> str:
        return "".join(
            f'<{tag} style="text-align: {"left" if column < left else "right"}">'
            f"{escape(cell)}</{tag}>"
            for column, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return f"<table><thead><tr>{line(head, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def html_paragraph(text: str) -> str:
    """Return text as a paragraph with its line breaks; nothing for an empty text."""
    return text and f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def html_drawing(text: str) -> str:
    """Return text with fixed lines in a font of fixed width."""
    return f"<pre>{escape(text)}</pre>"

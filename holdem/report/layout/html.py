"""Formatting of reports as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from holdem.report.layout.colours import Scale, colour_at, ink_on
from holdem.report.layout.tables import Row


def html_table(
    head: Row,
    rows: Sequence[Row],
    *,
    left: int = 1,
    shades: Sequence[Sequence[float | None]] = (),
    scale: Scale = (),
) -> str:
    """Return a table as HTML that looks right on light and dark pages.

    Only cells with a shade have colours, both of text and background.

    Args:
        head: the column names.
        rows: the cells, one per column.
        left: the number of left-aligned columns, from the first; the others are right-aligned.
        shades: for each cell the position of its background in `scale`, from 0 to 1, or None.
        scale: the colours of the shades.
    """

    def line(cells: Row, tag: str, positions: Sequence[float | None] = ()) -> str:
        return "".join(
            f'<{tag} style="text-align: {"left" if column < left else "right"}'
            f'{_shade_of(positions, column, scale)}">{escape(cell)}</{tag}>'
            for column, cell in enumerate(cells)
        )

    body = "".join(
        f"<tr>{line(row, 'td', shades[number] if shades else ())}</tr>"
        for number, row in enumerate(rows)
    )
    return f"<table><thead><tr>{line(head, 'th')}</tr></thead><tbody>{body}</tbody></table>"


def _shade_of(positions: Sequence[float | None], column: int, scale: Scale) -> str:
    position = positions[column] if positions else None
    return "" if position is None else f"; {shade(scale, position)}"


def shade(scale: Scale, position: float) -> str:
    """Return the CSS of a background at a position of a colour scale, with readable text."""
    colour = colour_at(scale, position)
    return f"background: {colour}; color: {ink_on(colour)}"


def html_paragraph(text: str) -> str:
    """Return text as a paragraph with its line breaks; nothing for an empty text."""
    return text and f'<p style="white-space: pre-wrap">{escape(text)}</p>'


def html_drawing(text: str) -> str:
    """Return text with fixed lines in a font of fixed width."""
    return f"<pre>{escape(text)}</pre>"

"""The model of a report: what a result shows, independent of the output format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from holdem.report.colours import Scale
from holdem.report.layout.cells import Row
from holdem.report.layout.text_tables import Style


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

    Suits of cards are placeholders, which `holdem.report.layout.cells.with_suits` replaces. Text is
    wrapped, and tables are made to fit, as described in `holdem.report.layout.text_tables`.
    """
    csv: Callable[[], tuple[Row, Iterable[Iterable[Any]]]] = lambda: ((), ())
    """Returns the column names and the rows of the CSV."""

"""Layout of tables and paragraphs as text of limited width.

A table that is too wide is made to fit in this order:

1. Cells of left-aligned columns, which hold text, are wrapped.
2. Optional columns are left out. They are still in JSON and CSV, and in wider output.
3. The columns are split into several tables, one below the other. Each begins with the first
   column and has as many further columns as fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

from holdem.report.cells import HIDDEN
from holdem.report.model import Style, Table

_GAP = 2  # blanks between columns
_LEAST_TEXT = 16  # narrower columns of text are not wrapped
_LEAST_BAR, _BAR = 10, 20  # cells of a bar
_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
_BAR_COLOUR = "\x1b[36m{}\x1b[39m"

#: The characters that `bar` uses.
BLOCKS = "".join(_EIGHTHS) + "█"

# Where a line may end: before blanks, but not before a unit such as "s" or "%"; and after a comma
# that is not part of a number.
_BREAK = re.compile(r" +(?![s%…/](?!\w))|(?<=,)(?! |\d{3})")
# A label, and the blanks before its value.
_LABEL = re.compile(r" *\S+(?: \S+)* {2,}")
_CONTROL = re.compile(f"[\n{HIDDEN}]")


@attrs.frozen
class _Column:
    """A column of a table, with text or numbers in `cells`, or with drawn bars."""

    head: str
    cells: Sequence[str]
    is_text: bool
    """Whether cells are aligned at the left and may be wrapped."""
    bars: Sequence[float | None] = ()
    """The length of the bar in each row, 0 to 1, or None; empty for a column without bars."""

    @property
    def width(self) -> int:
        """The width of the column, in characters, if no cell is wrapped."""
        return _BAR if self.bars else max(map(len, (self.head, *self.cells)))

    @property
    def least(self) -> int:
        """The smallest width, in characters, to which the column can be narrowed."""
        if self.bars:
            return _LEAST_BAR
        return min(self.width, _LEAST_TEXT) if self.is_text else self.width

    def lines(self, row: int, width: int) -> list[str]:
        """Format a cell as lines of `width` characters at most.

        Row 0 is the heading. Text is wrapped, and numbers are aligned at the right.
        """
        if self.bars:
            # The scale ends with a line, unless there is no bar.
            length = self.bars[row - 1] if row else None
            line = "" if length is None else bar(length, width - 1).ljust(width - 1) + "▏"
            return [line if row else self.head]
        cell = self.cells[row - 1] if row else self.head
        return wrap(cell, width) if self.is_text else [cell.rjust(width)]


def text_table(table: Table, style: Style) -> str:
    """Lay out a table as aligned text no wider than ``style.width``, without its title and note."""
    cells = [[_CONTROL.sub(_escaped, cell) for cell in row] for row in (table.head, *table.rows)]
    columns = [
        _Column(name, column, number < table.left)
        for number, (name, *column) in enumerate(zip(*cells, strict=True))
    ]
    bars = _Column(table.bars_head, (), False, table.bars)
    drawn = [bars] if style.bars and any(table.bars) else []
    for chart in (drawn, []):
        for groups in range(len(table.optional) + 1):
            omitted = {name for group in table.optional[:groups] for name in group}
            shown = [column for column in columns if column.head not in omitted] + chart
            if _total(column.least for column in shown) <= style.width:
                return _aligned(shown, len(table.rows), style)
    parts = _split(columns, style.width)
    return "\n\n".join(_aligned(part, len(table.rows), style) for part in parts)


def fill(text: str, width: int) -> str:
    """Wrap all lines that are longer than `width`.

    If a line begins with a label of at most half the width, which is followed by two or more
    blanks, as in ``board  2c 7d Jh``, its further lines are indented to the column after these
    blanks. The further lines of other lines are indented by two blanks.
    """
    lines = []
    for line in text.split("\n"):
        label = _LABEL.match(line)
        indent = len(label[0]) if label and len(label[0]) <= width // 2 else 2
        lines += wrap(line, width, " " * indent)
    return "\n".join(lines)


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Wrap text into lines; all lines but the first begin with `indent`.

    Lines end at blanks or after a comma. A word that is too long is broken.
    """
    lines = []
    while len(text) > width:
        ends = [
            found
            for found in _BREAK.finditer(text, len(text) - len(text.lstrip()), width + 2)
            if len(indent) < found.start() <= width
        ]
        end, begin = ends[-1].span() if ends else (width, width)
        lines.append(text[:end])
        text = indent + text[begin:]
    return [*lines, text]


def bar(fraction: float, width: int) -> str:
    """Draw a bar of block characters, of which `width` are a fraction of 1."""
    full, eighths = divmod(round(8 * width * fraction), 8)
    return "█" * full + _EIGHTHS[eighths]


def _escaped(control: re.Match[str]) -> str:
    char = control[0]
    return " " if char.isspace() else char.encode("unicode_escape").decode()


def _total(widths: Iterable[int]) -> int:
    return sum(width + _GAP for width in widths) - _GAP


def _aligned(columns: Sequence[_Column], rows: int, style: Style) -> str:
    """Format columns side by side: their headings, and `rows` rows below these.

    If they are too wide for the style, bars become narrower first, and then columns of text.
    """
    widths = [min(column.width, style.width) for column in columns]
    while _total(widths) > style.width:
        wide = [number for number, column in enumerate(columns) if widths[number] > column.least]
        if not wide:
            break
        widths[max(wide, key=lambda i: (bool(columns[i].bars), widths[i]))] -= 1
    cells = [
        [column.lines(row, width) for row in range(rows + 1)]
        for column, width in zip(columns, widths, strict=True)
    ]
    # Wrapped lines may be shorter than the column.
    widths = [max(len(line) for cell in column for line in cell) for column in cells]
    lines = []
    for row in range(rows + 1):
        height = max(len(column[row]) for column in cells)
        for number in range(height):
            parts = [
                (column[row][number : number + 1] or [""])[0].ljust(width)
                for column, width in zip(cells, widths, strict=True)
            ]
            if columns[-1].bars and style.colour and row and parts[-1].strip():
                parts[-1] = _BAR_COLOUR.format(parts[-1])
            lines.append((" " * _GAP).join(parts).rstrip())
    return "\n".join(lines)


def _split(columns: Sequence[_Column], width: int) -> Iterator[list[_Column]]:
    """Yield groups of columns that fit `width`; each group begins with the first column."""
    first, *others = columns
    part = [first]
    for column in others:
        wider = [*part, column]
        if len(part) > 1 and _total(each.least for each in wider) > width:
            yield part
            wider = [first, column]
        part = wider
    yield part

"""The 13×13 grid of starting hands as HTML, coloured by value."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from holdem.ranges.combos import CLASS_NAMES
from holdem.report.layout.colours import SEQUENTIAL
from holdem.report.layout.html import shade

_SIDE = 13
_CELL = "padding: 0; width: 2.9em; height: 2.5em; text-align: center; line-height: 1.1"


def grid_html(values: Sequence[float], texts: Sequence[str]) -> str:
    """Return a grid of starting hands as an HTML table for light and dark pages.

    Args:
        values: the value of each class from 0 to 1, in the order of `CLASS_NAMES`; NaN for one
            without a value, whose cell is pale and has its name only.
        texts: the text below the name of each class.
    """
    rows = []
    for start in range(0, len(CLASS_NAMES), _SIDE):
        cells = (
            _cell(CLASS_NAMES[number], values[number], texts[number])
            for number in range(start, start + _SIDE)
        )
        rows.append(f'<tr style="background: none">{"".join(cells)}</tr>')
    style = "border-collapse: separate; border-spacing: 1px; font-size: 80%"
    return f'<table style="{style}"><tbody>{"".join(rows)}</tbody></table>'


def _cell(name: str, value: float, text: str) -> str:
    if value != value:
        return f'<td style="{_CELL}; opacity: 0.6">{name}</td>'
    content = f"{name}<br>{escape(text)}" if text else name
    return f'<td style="{_CELL}; {shade(SEQUENTIAL, value)}">{content}</td>'

"""A player's equities by class as HTML for notebooks."""

from __future__ import annotations

import numpy as np

from holdem.odds.breakdown.class_table import ClassTable
from holdem.ranges.combos import CLASS_NAMES
from holdem.report.by_reports import class_report
from holdem.report.formats import render
from holdem.report.layout.grid_html import grid_html


def class_html(table: ClassTable) -> str:
    """Return the grid of equities in per cent, and below it the table of all figures, folded."""
    equities = np.full(len(CLASS_NAMES), np.nan)
    equities[table.numbers] = table.equity
    values = equities.tolist()
    grid = grid_html(values, [f"{100 * value:.0f}" for value in values])
    rows = render(class_report(table), "html")
    return f"{grid}<details><summary>equity in %, by class</summary>{rows}</details>"

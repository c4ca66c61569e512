"""Report on an equity matrix."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import isnan

import numpy as np

from holdem.odds.equity_matrix import EquityMatrix
from holdem.report.cells import percent, range_in_report
from holdem.report.colours import DIVERGING
from holdem.report.equity_report import known_cards
from holdem.report.model import Block, Column, Report, Table, array_column

_ROWS, _COLUMNS = 12, 8  # shown in text, at most


def matrix_report(matrix: EquityMatrix) -> Report:
    """Build a `Report` on an equity matrix."""
    return Report(matrix.to_dict, partial(_lay_out, matrix), partial(_build_columns, matrix))


def _build_columns(matrix: EquityMatrix) -> list[Column]:
    """Build the columns of an equity matrix, with a row for each element of the matrix."""
    rows, columns = np.array(matrix.rows), np.array(matrix.columns)
    return [
        array_column("row", np.repeat(rows, len(columns))),
        array_column("column", np.tile(columns, len(rows))),
        *(
            array_column(name, getattr(matrix, name).ravel())
            for name in ("weight", "equity", "win", "tie")
        ),
    ]


def _lay_out(matrix: EquityMatrix) -> Iterator[Block]:
    rows, columns = _clipped(len(matrix.rows), _ROWS), _clipped(len(matrix.columns), _COLUMNS)
    table = [["", *(_name(matrix.columns, column) for column in columns)]]
    for row in rows:
        cells = [_cell(matrix, row, column) for column in columns]
        table.append([_name(matrix.rows, row), *cells])
    known = known_cards(matrix.board, matrix.dead)
    title = f"equity of the rows in %{known and ', '}{known}"
    shades = [[None, *(_equity(matrix, row, column) for column in columns)] for row in rows]
    yield Table(
        table[0], table[1:], title=title, note=_footer(matrix), shades=shades, scale=DIVERGING
    )


def _clipped(size: int, limit: int) -> list[int | None]:
    """Choose the rows or columns to show: all, or the first and last with None between them."""
    if size <= limit:
        return list(range(size))
    return [*range(limit // 2), None, *range(size - limit // 2, size)]


def _name(names: tuple[str, ...], number: int | None) -> str:
    return "…" if number is None else range_in_report(names[number])


def _cell(matrix: EquityMatrix, row: int | None, column: int | None) -> str:
    if row is None or column is None:
        return "…"
    equity = _equity(matrix, row, column)
    return "-" if equity is None else f"{100 * equity:.2f}"


def _equity(matrix: EquityMatrix, row: int | None, column: int | None) -> float | None:
    if row is None or column is None:
        return None
    equity = matrix.equity.item(row, column)
    return None if isnan(equity) else equity


def _footer(matrix: EquityMatrix) -> str:
    height, width = len(matrix.rows), len(matrix.columns)
    things = "combos" if matrix.by == "combo" else "classes"
    mean, evaluator = percent(matrix.mean_equity), matrix.evaluator.name
    return (
        f"exact: {height:,} by {width:,} {things}, mean {mean};"
        f" evaluator {evaluator}, {matrix.elapsed:.3f} s"
    )

"""Report on an equity matrix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, product
from math import isnan
from typing import Any

from holdem.odds.equity_matrix import EquityMatrix
from holdem.report.colours import DIVERGING
from holdem.report.equity_report import known_cards
from holdem.report.layout.cells import Row, percent, range_in_report
from holdem.report.model import Block, Report, Table

_ROWS, _COLUMNS = 12, 8  # shown in text, at most


def matrix_report(matrix: EquityMatrix) -> Report:
    """Return a `Report` on an equity matrix."""
    return Report(matrix.to_dict, partial(_blocks, matrix), partial(_csv, matrix))


def _csv(matrix: EquityMatrix) -> tuple[Row, Iterable[Iterable[Any]]]:
    """Return the column names and rows of the CSV, with one row per entry of the matrix."""
    record = matrix.to_dict()
    arrays = ("weight", "equity", "win", "tie")
    pairs = product(matrix.rows, matrix.columns)
    values = zip(*(chain.from_iterable(record[name]) for name in arrays), strict=True)
    rows = (pair + value for pair, value in zip(pairs, values, strict=True))
    return ("row", "column", *arrays), rows


def _blocks(matrix: EquityMatrix) -> Iterator[Block]:
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
    """Return the rows or columns to show: all, or the first and last ones and None between."""
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

"""Report on settled pots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from holdem.report.cells import first_and_last
from holdem.report.model import Block, Column, Report, Table, array_column

if TYPE_CHECKING:
    from holdem.betting.settlement import Settlement

_MOST_ROWS = 20


def settlement_report(settlement: Settlement) -> Report:
    """Build a `Report` on settled pots, with a row for each seat in each settled situation."""
    return Report.of(settlement, _lay_out_settlement, _build_settlement_columns)


def _lay_out_settlement(settlement: Settlement) -> Iterator[Block]:
    seats = settlement.shares.shape[-1]
    columns = _build_settlement_columns(settlement)
    head = ["situation", "seat", "chips", "standard deviation"]
    cells = [column.cells() for column in columns]
    if settlement.shares.ndim == 1:
        head = head[1:]
    rows: list[list[str]] = []
    for row in first_and_last(len(cells[0]), _MOST_ROWS * seats):
        if row is None:
            rows.append(["…"] * len(head))
            continue
        *numbers, share, _, deviation = (column[row] for column in cells)
        rows.append([*map(str, numbers), f"{share:,.4f}", f"{deviation:,.4f}"])
    yield Table(head, rows)


def _build_settlement_columns(settlement: Settlement) -> list[Column]:
    shares = settlement.shares
    numbers = np.indices(shares.shape)
    names = ("situation", "seat")[2 - shares.ndim :]
    return [
        *(array_column(name, own.ravel()) for name, own in zip(names, numbers, strict=True)),
        array_column("share", shares.ravel()),
        array_column("variance", settlement.variance.ravel()),
        array_column("deviation", settlement.deviations.ravel()),
    ]

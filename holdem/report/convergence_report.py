"""Report on the convergence of a sampled run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from holdem.odds.breakdown.convergence_table import ConvergenceTable
from holdem.report.formats import Block, Report, Table
from holdem.report.layout.tables import Row
from holdem.report.layout.units import count, decimals, percent

_FIGURES = ("equity", "stderr", "low", "high")


def convergence_report(table: ConvergenceTable) -> Report:
    """Return a `Report` on the equities of a sampled run after increasing numbers of deals."""
    return Report(table.to_dict, partial(_blocks, table), partial(_csv, table))


def _csv(table: ConvergenceTable) -> tuple[Row, Iterable[Iterable[Any]]]:
    players = range(table.equity.shape[1])
    names = [f"{figure}_{player + 1}" for player in players for figure in _FIGURES]
    rows = (
        [
            record.deals,
            *(getattr(record, figure)[player] for player in players for figure in _FIGURES),
        ]
        for record in table
    )
    return ["deals", *names], rows


def _blocks(table: ConvergenceTable) -> Iterator[Block]:
    head = ["deals", *(f"player {player + 1}" for player in range(table.equity.shape[1]))]
    rows = []
    for record in table:
        pairs = zip(record.equity, record.stderr, strict=True)
        cells = [percent(equity, decimals(stderr)) for equity, stderr in pairs]
        rows.append([count(record.deals), *cells])
    yield Table(head, rows, left=0, note="equity after the first deals; the last row has all")

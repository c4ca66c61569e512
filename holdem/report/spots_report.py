"""Report on the equities of many spots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from holdem.odds.many_spots.table import EquityTable, SpotRecord
from holdem.report.formats import Block, Report, Table
from holdem.report.suits import range_in_report
from holdem.report.tables import Row, clipped
from holdem.report.units import count, decimals, percent

_FIGURES = ("equity", "win", "tie", "lose", "stderr")
_MOST_ROWS = 20  # of the table


def spots_report(table: EquityTable) -> Report:
    """Return a `Report` on the equities of many spots.

    The CSV has a row for each spot, with each player's figures in columns such as ``equity_1``.
    """
    return Report(table.to_dict, partial(_blocks, table), partial(_csv, table))


def _csv(table: EquityTable) -> tuple[Row, Iterable[Iterable[Any]]]:
    numbers = range(1, table.players + 1)
    names = [f"p{number}" for number in numbers] + ["board", "dead"]
    names += [f"{name}_{number}" for name in _FIGURES for number in numbers]
    return [*names, "exact", "deals", "error"], map(_csv_row, table)


def _csv_row(record: SpotRecord) -> list[Any]:
    figures = [
        value
        for name in _FIGURES
        for value in getattr(record, name) or [None] * len(record.players)
    ]
    cards = [record.board or None, record.dead or None]
    return [*record.players, *cards, *figures, record.exact, record.deals, record.error]


def _blocks(table: EquityTable) -> Iterator[Block]:
    head = ["spot", *(f"player {number}" for number in range(1, table.players + 1)), "board"]
    head += [f"equity {number}" for number in range(1, table.players + 1)] + ["answer"]
    rows = [_row(number, record) for number, record in enumerate(table[:_MOST_ROWS])]
    left = 2 + table.players
    more = len(table) - len(rows)
    yield Table(head, rows, left=left, note=f"… and {more:,} more spots" if more else "")
    exact, wrong = int(table.exact.sum()), len(table.errors)
    sampled = len(table) - exact - wrong
    answers = [f"{exact:,} exact", f"{sampled:,} sampled, seed {table.seed}" if sampled else ""]
    answers.append(f"{wrong:,} without answer" if wrong else "")
    yield (
        f"{len(table):,} spots: {', '.join(filter(None, answers))};"
        f" evaluator {table.evaluator.name}, {table.elapsed:.3f} s"
    )


def _row(number: int, record: SpotRecord) -> list[str]:
    players = [range_in_report(clipped(player, 16)) for player in record.players]
    board = range_in_report(record.board)
    if record.equity is None:
        return [str(number), *players, board, *("-" for _ in players), "error"]
    errors = record.stderr or record.equity
    equities = [
        percent(value, decimals(error)) for value, error in zip(record.equity, errors, strict=True)
    ]
    answer = "exact" if record.exact else f"{count(record.deals)} deals"
    return [str(number), *players, board, *equities, answer]

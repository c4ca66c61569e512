"""Report on the equities of many spots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import attrs
import numpy as np

from holdem.base_result import EvaluatorLabel
from holdem.errors import counted
from holdem.odds.many_spots.equity_table import VALUES, EquityTable, SpotRecord
from holdem.report.cells import estimate, range_in_report, short_range
from holdem.report.model import Block, Column, Report, Table, array_column

_MOST_ROWS = 20  # of the table


@attrs.define
class Totals:
    """Counts of spots by type of answer, over one or more tables of a run."""

    evaluator: EvaluatorLabel
    spots: int = 0
    exact: int = 0
    wrong: int = 0
    seed: int | None = None
    elapsed: float = 0.0

    def add(self, table: EquityTable) -> Totals:
        """Add a table's counts and time to the totals, and return the totals."""
        self.spots += len(table)
        self.exact += int(table.exact.sum())
        self.wrong += len(table.errors)
        self.seed = self.seed if table.seed is None else table.seed
        self.elapsed += table.elapsed
        return self

    def __str__(self) -> str:
        sampled = self.spots - self.exact - self.wrong
        answers = [f"{self.exact:,} exact"]
        answers += [f"{sampled:,} sampled, seed {self.seed}"] if sampled else []
        answers += [f"{self.wrong:,} without answer"] if self.wrong else []
        return (
            f"{counted(self.spots, 'spot')}: {', '.join(answers)};"
            f" evaluator {self.evaluator.name}, {self.elapsed:.3f} s"
        )


def spots_report(
    table: EquityTable,
    name: str = "spot",
    numbers: Sequence[int] | None = None,
    totals: Totals | None = None,
) -> Report:
    """Build a `Report` on the equities of many spots.

    The CSV has a row for each spot, with each player's numbers in columns such as ``equity_1``.

    Args:
        table: the equities.
        name: the name of the first column of the table.
        numbers: the number of each spot in this column; by default, they are counted from 0.
        totals: of a run whose first spots are those of `table`; by default, it has no others.
    """
    numbers = range(len(table)) if numbers is None else numbers
    totals = totals or Totals(table.evaluator).add(table)
    return Report(
        table.to_dict,
        partial(_lay_out, table, name, numbers, totals),
        partial(_build_columns, table),
        index=table.spots.index,
    )


def _build_columns(table: EquityTable) -> list[Column]:
    """Build the columns for players, cards and answers, with a row for each spot."""
    spots = table.spots
    texts = {f"p{player + 1}": spots.player_texts(player) for player in range(table.players)}
    texts |= {"board": spots.board_texts(), "dead": spots.dead_texts()}
    given = [
        Column(name, "string", [text or None for text in own], codes=codes)
        for name, (codes, own) in texts.items()
    ]
    return given + answer_columns(table)


def answer_names(players: int) -> list[str]:
    """List the names of the columns that `answer_columns` builds."""
    numbers = range(1, players + 1)
    return [
        *(f"{name}_{number}" for name in VALUES for number in numbers),
        *("exact", "deals", "error"),
    ]


def answer_columns(table: EquityTable) -> list[Column]:
    """Build the answer columns for all spots; column types do not depend on the spots.

    Numbers are NaN without an answer. Errors are cut to one line.
    """
    names = answer_names(table.players)
    numbers = [column for name in VALUES for column in getattr(table, name).T]
    codes = np.zeros(len(table), dtype=np.intp)
    codes[list(table.errors)] = 1 + np.arange(len(table.errors))
    messages = [None, *(message.partition("\n")[0] for message in table.errors.values())]
    columns = map(array_column, names, [*numbers, table.exact, table.deals])
    return [*columns, Column(names[-1], "string", messages, codes=codes)]


def _lay_out(
    table: EquityTable, name: str, numbers: Sequence[int], totals: Totals
) -> Iterator[Block]:
    shown = list(zip(numbers[:_MOST_ROWS], table[:_MOST_ROWS], strict=True))
    more = totals.spots - len(shown)
    note = f"… and {counted(more, 'more spot')}" if more else ""
    if table.players == 2:
        head = [name, "player 1", "player 2", "board", "equity 1", "equity 2", "answer"]
        rows = [_row(number, record) for number, record in shown]
        yield Table(head, rows, left=4, note=note)
    else:
        head = [name, "board", "player", "equity", "answer"]
        rows = [row for number, record in shown for row in _rows(number, record)]
        yield Table(head, rows, left=3, note=note)
    yield str(totals)


def _row(number: int, record: SpotRecord) -> list[str]:
    """Build the table row of a spot with two players."""
    players, board = _players(record), range_in_report(record.board)
    return [str(number), *players, board, *_equities(record), _answer(record)]


def _rows(number: int, record: SpotRecord) -> Iterator[list[str]]:
    """Yield a table row for each player of a spot; only the first row has the spot's own values."""
    shared = [str(number), range_in_report(record.board), _answer(record)]
    for player, equity in zip(_players(record), _equities(record), strict=True):
        yield [*shared[:2], player, equity, shared[2]]
        shared = [""] * 3


def _players(record: SpotRecord) -> list[str]:
    return [short_range(player) for player in record.players]


def _equities(record: SpotRecord) -> list[str]:
    if record.equity is None or record.stderr is None:
        return ["-"] * len(record.players)
    pairs = zip(record.equity, record.stderr, strict=True)
    return [estimate(value, error) for value, error in pairs]


def _answer(record: SpotRecord) -> str:
    if record.equity is None:
        return "error"
    return "exact" if record.exact else counted(record.deals, "deal")
